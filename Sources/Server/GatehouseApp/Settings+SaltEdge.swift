import Configuration
import Foundation
import Kit
import SaltEdgeFlow

/// What an operator decides about the Authenticator.
package struct SaltEdgeSettings: Sendable {
  /// Where devices reach this server; nil is this machine.
  var publicURL: String?
  /// Days for which a connection's token counts.
  var tokenDays = 180
  /// Days for which decisions and their evidence are kept.
  var retentionDays = 400
  /// Multiplies the limits of calls that prove nothing; for load tests and shared networks.
  package var limitFactor = 1

  init() {}

  init(_ config: ConfigReader) throws {
    publicURL = config.string(forKey: "saltedge.publicUrl")
    if let publicURL {
      guard let url = URL(string: publicURL), ["http", "https"].contains(url.scheme), url.host()?.isEmpty == false,
        url.query() == nil, url.fragment() == nil, !publicURL.hasSuffix("/")
      else {
        throw SettingsError(
          "saltedge.publicUrl is an address such as https://sca.example.com, without a slash at its end")
      }
    }
    tokenDays = config.int(forKey: "saltedge.tokenDays", default: tokenDays)
    guard (1...3650).contains(tokenDays) else { throw SettingsError("saltedge.tokenDays is between 1 and 3650") }
    retentionDays = config.int(forKey: "saltedge.retentionDays", default: retentionDays)
    guard (1...36500).contains(retentionDays) else {
      throw SettingsError("saltedge.retentionDays is between 1 and 36500")
    }
    limitFactor = config.int(forKey: "saltedge.limitFactor", default: limitFactor)
    guard limitFactor > 0 else { throw SettingsError("saltedge.limitFactor is at least 1") }
  }

  func policy(port: Int) -> SaltEdgePolicy {
    var policy = SaltEdgePolicy()
    policy.publicURL = publicURL ?? "http://127.0.0.1:\(port)"
    policy.accessTokenLifetime = .days(tokenDays)
    policy.retention = .days(retentionDays)
    policy.refusals = RateLimit(policy.refusals.name, policy.refusals.count * limitFactor, per: policy.refusals.window)
    policy.connects = RateLimit(policy.connects.name, policy.connects.count * limitFactor, per: policy.connects.window)
    return policy
  }
}
