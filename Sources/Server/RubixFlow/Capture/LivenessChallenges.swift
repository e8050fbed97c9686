import Foundation
import Kit
import RubixWire

/// Challenges that bind a liveness capture to an application and a moment. They are not stored: the id carries its
/// expiry and a keyed digest over both.
struct LivenessChallenges {
  static let lifetime = Duration.minutes(10)

  let vault: Vault
  let world: World

  func make(for application: Application.ID) -> LivenessChallenge {
    let expiry = world.now() + Self.lifetime
    let stem = "\(world.uuid()).\(expiry.milliseconds)"
    return LivenessChallenge(
      challengeID: "\(stem).\(digest(stem, application))", kind: .passive, expiresOn: expiry.wire)
  }

  func isOpen(_ id: String, for application: Application.ID) -> Bool {
    let parts = id.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
    guard parts.count == 3, let expiry = Int64(parts[1]) else { return false }
    return Array(digest("\(parts[0]).\(parts[1])", application).utf8).isEqualInConstantTime(to: Array(parts[2].utf8))
      && Instant(milliseconds: expiry) > world.now()
  }

  private func digest(_ stem: String, _ application: Application.ID) -> String {
    vault.digest("\(application) \(stem)", for: "liveness challenge")
  }
}
