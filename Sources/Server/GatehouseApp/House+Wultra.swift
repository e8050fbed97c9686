import Capabilities
import Evidence
import HTTP
import Hummingbird
import Kit
import PowerAuthHTTP
import RubixFlow
import Storage
import WultraFlow

/// Wultra Digital Onboarding, put together.
package struct WultraRoom: Sendable {
  package let runner: WultraRunner
  let effects: WultraEffects

  init(
    _ settings: Settings, database: any SQLDatabase, world: World, vault: Vault, blobs: Blobs,
    activations: Activations, evidence: EvidenceReader, faces: FaceComparison, liveness: Liveness,
    messenger: Messenger, webhooks: Webhooks, moves: FlowMoves
  ) throws {
    let policy = settings.wultra.policy(isSandbox: settings.isSandbox)
    runner = WultraRunner(
      parts: WultraParts(
        database: database, world: world, vault: vault, blobs: blobs, activations: activations,
        adapter: try Self.adapter(
          settings, policy, messenger: messenger, webhooks: webhooks, database: database, world: world),
        documents: .evidence(evidence, world: world),
        presence: .evidence(evidence, faces: faces, liveness: liveness), policy: policy, moves: moves))
    effects = WultraEffects(runner: runner)
  }

  /// The institution that the operator named; an invented one in a sandbox; else nobody.
  private static func adapter(
    _ settings: Settings, _ policy: WultraPolicy, messenger: Messenger, webhooks: Webhooks,
    database: any SQLDatabase, world: World
  ) throws -> OnboardingAdapter {
    if let url = settings.wultra.institutionURL, let secret = settings.wultra.institutionSecret {
      return .webhook(
        try SignedWebhook(
          base: url, secret: secret, caFile: settings.wultra.institutionCA,
          lanes: BlockingLanes("institution", width: 4), world: world), news: webhooks, database: database)
    }
    guard settings.isSandbox else { return .unconfigured }
    return .sandbox(
      try settings.wultra.institution(), messenger: messenger,
      house: try MessageHouse(name: "Gatehouse Bank", host: "bank.example"),
      codeMinutes: policy.otpLifetime.wholeSeconds / 60)
  }

  var provider: CustomActivationProvider { .onboarding(runner) }
  package var reviews: ReviewCommands { ReviewCommands(runner: runner) }
}

extension House {
  func addWultra(to root: RouterGroup<PublicContext>) {
    WultraRoutes(runner: wultra.runner, activations: activations).add(to: root.group(RouterPath(settings.wultra.base)))
  }

  /// For servers of the institution, as the back-end API.
  func addWultraReviews(to root: RouterGroup<PublicContext>) {
    let group = root.clients(at: Self.reviewBase, world: world) { [serviceClients] in
      try await serviceClients.authenticate($0, secret: $1)
    }
    ReviewRoutes(commands: wultra.reviews).add(to: group)
  }

  /// For the institution's agents, with what they sign in with.
  func addWultraReviews(toAgents group: RouterGroup<AgentContext>) {
    ReviewRoutes(commands: wultra.reviews).add(to: group)
  }

  static let reviewBase = "/api/v1/wultra"

  /// Below whatever base, these are the room's own.
  var wultraDialects: [(String, any Dialect)] {
    ["onboarding", "identity", "configuration", "presence-check"].map {
      ("\(settings.wultra.base)/api/\($0)", DeviceDialect(own: Problem.wultraNames))
    }
  }
}

/// Agents look at what they may read anyway, and decide who may decide in calls.
extension AgentContext: ReviewerContext {
  package func reviewer(deciding: Bool) throws -> Reviewer {
    try agent.require(.readCustomers)
    if deciding { try agent.require(.attendVideo) }
    return Reviewer(tenant: agent.tenant.id, actor: agent.actor)
  }
}
