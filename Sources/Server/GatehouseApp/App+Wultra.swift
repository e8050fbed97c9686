import Activations
import Delivery
import Evidence
import Kit
import Storage
import WultraFlow

/// Wultra Digital Onboarding, put together.
package struct WultraService: Sendable {
  package let runner: WultraRunner
  let effects: WultraEffects

  init(
    _ settings: Settings, core: CoreDependencies, activations: Activations, evidence: EvidenceReader,
    faces: FaceComparison, liveness: Liveness, messenger: Messenger, webhooks: Webhooks
  ) throws {
    let policy = settings.wultra.policy(isSandbox: settings.isSandbox)
    runner = WultraRunner(core: core, activations: activations, policy: policy)
    effects = WultraEffects(
      runner: runner,
      adapter: try Self.adapter(
        settings, policy, messenger: messenger, webhooks: webhooks, database: core.database, world: core.world),
      documents: .evidence(evidence, world: core.world),
      presence: .evidence(evidence, faces: faces, liveness: liveness))
  }

  /// The institution that the operator named; an invented one in a sandbox; else none.
  private static func adapter(
    _ settings: Settings, _ policy: WultraPolicy, messenger: Messenger, webhooks: Webhooks,
    database: any SQLDatabase, world: World
  ) throws -> OnboardingAdapter {
    if let url = settings.wultra.institutionURL, let secret = settings.wultra.institutionSecret {
      return .webhook(
        try SignedWebhook(
          base: url, secret: secret, caFile: settings.wultra.institutionCA,
          lanes: BlockingThreadPool("institution", width: 4), world: world), news: webhooks, database: database)
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

extension App {
  package var wultraModule: WultraModule {
    WultraModule(
      runner: wultra.runner, effects: wultra.effects, activations: activations, serviceClients: serviceClients,
      base: settings.wultra.base)
  }
}
