// SPDX-License-Identifier: Apache-2.0

import Configuration
import Kit

/// What an operator decides about the Authenticator.
package struct SaltEdgeSettings: ModuleSettings {
  /// Where devices reach this server; nil is this machine.
  package var publicURL: String?
  /// Days for which a connection's token counts.
  var tokenDays = 180
  /// Minutes for a customer to sign in when they connect a device.
  var signInMinutes = 15
  /// Whether a connect query that a bank judges by itself leads to one connection a day only.
  var connectQueryOnce = false
  /// Days for which decisions and their evidence are kept.
  var retentionDays = 400
  /// Multiplies the limits of calls that prove nothing; for load tests and shared networks.
  package var limitFactor = 1

  package init() {}

  package init(_ config: ConfigReader) throws {
    publicURL = try config.publicURL(
      forKey: "saltedge.publicUrl", rule: "an address such as https://sca.example.com, without a slash at its end")
    tokenDays = try config.int(forKey: "saltedge.tokenDays", default: tokenDays, in: 1...3650)
    signInMinutes = try config.int(forKey: "saltedge.signInMinutes", default: signInMinutes, in: 5...60)
    connectQueryOnce = config.bool(forKey: "saltedge.connectQueryOnce", default: connectQueryOnce)
    retentionDays = try config.int(forKey: "saltedge.retentionDays", default: retentionDays, in: 1...36500)
    limitFactor = try config.int(forKey: "saltedge.limitFactor", default: limitFactor, in: 1...1_000_000)
  }

  package func policy(port: Int) -> SaltEdgePolicy {
    var policy = SaltEdgePolicy()
    policy.publicURL = publicURL ?? "http://127.0.0.1:\(port)"
    policy.accessTokenLifetime = .days(tokenDays)
    policy.signInLifetime = .minutes(signInMinutes)
    policy.usesConnectQueriesOnce = connectQueryOnce
    policy.retention = .days(retentionDays)
    (policy.refusals, policy.connects) = (policy.refusals.times(limitFactor), policy.connects.times(limitFactor))
    return policy
  }
}
