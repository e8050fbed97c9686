import Activations
import Identity
import Kit
import Storage

/// Everything that a command of this flow composes.
package struct WultraDependencies: Sendable {
  package let database: any SQLDatabase
  package let world: World
  package let vault: Vault
  package let blobs: Blobs
  package let audit: Audit
  package let outbox: Outbox
  package let limits: RateLimits
  package let passcodes: Passcodes
  package let live: LiveEvents
  package let activations: Activations
  package let adapter: OnboardingAdapter
  package let documents: DocumentProvider
  package let presence: PresenceProvider
  package let policy: WultraPolicy
  package let mover: Mover

  package init(
    database: any SQLDatabase, world: World, vault: Vault, blobs: Blobs, activations: Activations,
    adapter: OnboardingAdapter, documents: DocumentProvider, presence: PresenceProvider, policy: WultraPolicy,
    moves: FlowMoves = .uncounted
  ) {
    self.database = database
    self.world = world
    self.vault = vault
    self.blobs = blobs
    audit = Audit(world: world)
    outbox = Outbox(world: world)
    limits = RateLimits(world: world)
    passcodes = Passcodes(vault: vault, world: world, policy: policy.passcodes)
    live = LiveEvents(database: database, world: world)
    self.activations = activations
    self.adapter = adapter
    self.documents = documents
    self.presence = presence
    self.policy = policy
    mover = Mover(world: world, moves: moves)
  }
}
