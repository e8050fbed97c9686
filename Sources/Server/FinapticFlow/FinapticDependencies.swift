// SPDX-License-Identifier: Apache-2.0

import Delivery
import Foundation
import Identity
import Kit
import Ledger
import Storage

/// What this flow is made of: the configuration that its commands are built from.
package struct FinapticDependencies: Sendable {
  package let core: CoreDependencies
  package let sessions: Sessions
  let passcodes: Passcodes
  let messenger: Messenger
  let devOutbox: DevOutbox?
  let passwords: Passwords
  package let policy: FinapticPolicy
  /// Reference data and addresses.
  package let library: FinapticLibrary
  package let onboarding: OnboardingPorts
  /// One for the whole process, so that orders of all requests share commits.
  package let ledger: Ledger
  /// One for the whole process, too.
  let serials = SerialAllocator()
  /// Makes cards of tenants with real customers; nil without an issuer.
  package var cardIssuer: CardIssuer?
  /// Tells tenants' connectors to Interac.
  package var interac: InteracNetwork
  let audience: TransactionAudience
  /// Publishes events of accounts, their customers and cards to tenants' servers.
  let bankEvents: BankEventPublisher
  /// Where notifications of devices go.
  let push: PushGateway
  /// The texts of messages.
  let texts: MessageTexts

  /// - Parameters:
  ///   - sessions: with the policy `finapticUsers`.
  ///   - threads: where passwords are hashed; each needs the memory of one hash.
  ///   - devOutbox: where messages are kept for developers; an erasure empties it too.
  package init(
    core: CoreDependencies, sessions: Sessions, messenger: Messenger, devOutbox: DevOutbox?,
    threads: BlockingThreadPool, passwordCost: PasswordCost = .standard, policy: FinapticPolicy,
    library: FinapticLibrary, onboarding: OnboardingPorts = OnboardingPorts(), cardIssuer: CardIssuer? = nil,
    interac: InteracNetwork = .none, audience: TransactionAudience = .none, bankEvents: BankEventPublisher = .none,
    push: PushGateway = .none, texts: MessageTexts = .standardTexts
  ) {
    self.core = core
    (self.sessions, self.messenger) = (sessions, messenger)
    self.devOutbox = devOutbox
    passwords = Passwords(world: core.world, threads: threads, cost: passwordCost)
    (self.policy, self.library, self.onboarding) = (policy, library, onboarding)
    (self.cardIssuer, self.interac, self.audience, self.bankEvents) = (cardIssuer, interac, audience, bankEvents)
    (self.push, self.texts) = (push, texts)
    let (vault, world) = (core.vault, core.world)
    let recorder = BankTransactionRecorder(vault: vault, outbox: core.outbox)
    ledger = Ledger(database: core.database, world: world, seal: LedgerSeal(vault), recorder: recorder)
    passcodes = Passcodes(vault: vault, world: world, policy: .finaptic)
  }
}

extension FinapticDependencies {
  /// The chain of the audit log that tells who sealed the books.
  private static let books = "books"

  /// Whether entries from before the seals were bound: then none without a seal is from before.
  package static func booksAreSealed(in tx: any SQLTransaction) throws -> Bool {
    try AuditStore(tx).length(of: "finaptic-\(books)") > 0
  }

  /// The user who made an application, whom messages are about; nil for what is no application of a user.
  package func user(ofApplication application: String) async throws -> String? {
    try await core.database.read { try FinapticUserStore.id(ofApplication: application, in: $0)?.rawValue }
  }

  /// Binds what was booked before the books were sealed.
  /// - Parameters:
  ///   - isAgain: also when that was done before.
  ///   - isDry: binds nothing, and names what would be.
  ///   - named: gets each entry that is bound.
  /// - Throws: `Problem` when it was done before, and when checkpoints are not right.
  package func sealOldEntries(
    by actor: String, isAgain: Bool = false, isDry: Bool = false,
    named: @Sendable (UnsealedEntry) -> Void = { _ in }
  ) async throws -> LedgerSealing {
    guard !isDry else { return try await ledger.sealOldEntries(isDry: true, named: named) }
    let wasSealed = try await core.database.read { try Self.booksAreSealed(in: $0) }
    guard isAgain || !wasSealed else {
      throw Problem(.conflict, "books-sealed", "The books were sealed before: no entry is older than that.")
    }
    let sealing = try await ledger.sealOldEntries(named: named)
    try await core.database.write(retrying: .outdated) { [core] tx in
      try core.note(
        "books.sealed", Self.books, by: actor,
        ["accounts": "\(sealing.accounts)", "refused": "\(sealing.refused.count)"], in: tx)
    }
    return sealing
  }
}

extension CoreDependencies {
  /// 256 random bits, base64url.
  func secret() -> String { world.random(32).base64URL }

  /// Appends an entry to the audit log of a person or a thing.
  /// - Parameter chain: the id that it is about.
  func note(
    _ action: String, _ chain: String, by actor: String, _ facts: [String: String] = [:], in tx: any SQLTransaction
  ) throws {
    try audit.append("finaptic.\(action)", to: "finaptic-\(chain)", by: actor, facts: facts, in: tx)
  }

  /// At most once a day, for what programs do every few minutes.
  func noteDaily(
    _ action: String, _ chain: String, by actor: String, _ facts: [String: String], in tx: any SQLTransaction
  ) throws {
    try audit.append(
      "finaptic.\(action)", to: "finaptic-\(chain)", by: actor, facts: facts, onceADay: true, in: tx)
  }
}

extension MessageTexts {
  /// The texts of a tenant's messages.
  func of(tenant: Int) -> MessageTexts { of(FinapticTenant.webhooks(tenant)) }
}

extension Sessions.Policy {
  /// Of Finaptic's users (finaptic §8.1): 15 minutes, 30 days, and no second use of a refresh token.
  package static var finapticUsers: Sessions.Policy {
    var policy = Sessions.Policy(audience: "finaptic", scope: "", refreshPrefix: "fnr_")
    (policy.grace, policy.expirySkew) = (nil, .zero)
    return policy
  }
}

extension PasscodePolicy {
  /// Second factors by message (finaptic §8.1): 5 minutes, 5 wrong tries.
  static var finaptic: PasscodePolicy {
    var policy = PasscodePolicy()
    (policy.lifetimeSMS, policy.lifetimeEmail, policy.triesMax) = (.minutes(5), .minutes(5), 5)
    // Signing in again asks for a code again.
    (policy.spacing, policy.sendsPerHour, policy.sendsPerDay) = ([.seconds(10), .seconds(30)], 20, 60)
    return policy
  }
}
