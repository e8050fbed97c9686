import Activations
import Foundation
import GatehouseWire
import Kit
import Storage
import WultraWire

/// What happens to a verification, for the app that shows it: each change with what there is to show then. Ours; no
/// published app follows it.
package struct VerificationNews: Sendable {
  static let kind = "verification"

  let runner: WultraRunner
  private var core: CoreDependencies { runner.core }

  static func topic(_ process: OnboardingProcess.ID) -> String { "wultra:\(process)" }

  /// The topic to follow with an activation.
  /// - Throws: `Problem` ONBOARDING_FAILED when the activation is of no process.
  func topic(of activation: Activation) async throws -> String {
    let commands = VerificationCommands(runner: runner)
    return try await core.database.read { Self.topic(try commands.find(activation, in: $0).process.id) }
  }

  /// How it stands, and the number of the change that led there.
  func current(of activation: Activation.ID) async throws -> (news: Data, position: Int64) {
    let commands = VerificationCommands(runner: runner)
    return try await core.database.read { tx in
      guard let activation = try runner.activations.find(activation, in: tx) else { throw Problem.onboardingFailed }
      let dossier = try commands.find(activation, in: tx)
      return (
        try WireJSON.encode(dossier.news(flags: activation.flags)),
        try runner.live.position(of: Self.topic(dossier.process.id), in: tx)
      )
    }
  }
}

extension WultraRunner {
  /// Tells whoever follows how a dossier stands at the end of the transaction.
  func publish(_ dossier: Dossier, in tx: any SQLTransaction) throws {
    let news = dossier.news(flags: try flags(of: dossier.process, in: tx))
    try live.publish(
      VerificationNews.kind, payload: WireJSON.encode(news), to: VerificationNews.topic(dossier.process.id), in: tx)
  }
}

extension Dossier {
  /// What the app shows (wultra-onboarding.md §5, rule of `/api/identity/status`).
  ///
  /// 1. No verification was begun: not started.  2. The process has failed: failed.  3. The activation says that none
  /// was begun since the last: not started.  4. What is stored.
  private func shown(_ flags: [String]) -> VerificationState {
    guard let verification else { return .notStarted }
    if process.status == .failed { return .failed }
    return flags.contains(Wultra.ActivationFlag.pending) ? .notStarted : verification.state
  }

  func state(flags: [String], _ policy: WultraPolicy) -> Wultra.IdentityState {
    let shown = shown(flags)
    return Wultra.IdentityState(
      processId: process.id.rawValue, identityVerificationStatus: shown.status, identityVerificationPhase: shown.phase,
      config: policy.configuration)
  }

  func news(flags: [String]) -> Wultra.IdentityNews {
    let shown = shown(flags)
    return Wultra.IdentityNews(
      processId: process.id.rawValue, identityVerificationStatus: shown.status, identityVerificationPhase: shown.phase)
  }
}
