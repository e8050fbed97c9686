import Configuration
import PowerAuthHTTP

/// What an operator decides about PowerAuth.
package struct PowerAuthSettings: Sendable {
  static let baseStandard = "/enrollment-server"

  /// The path that devices are configured with, before `/pa/v3`.
  package var base = baseStandard
  var policy = PowerAuthRoutes.Policy()
  /// Multiplies the limits of calls that prove nothing; for load tests and shared networks.
  var limitFactor = 1

  /// Where the calls are served: below the configured path, and bare.
  var bases: [String] { base.isEmpty ? [""] : [base, ""] }

  init() {}

  init(_ config: ConfigReader) throws {
    base = config.string(forKey: "powerauth.base", default: base)
    if base == "/" { base = "" }
    guard base.wholeMatch(of: #/(/[A-Za-z0-9._~-]+)*/#) != nil else {
      throw SettingsError("powerauth.base is a path such as \(Self.baseStandard), without a slash at its end")
    }
    policy.unlocksVaultByBiometry = config.bool(
      forKey: "powerauth.vaultByBiometry", default: policy.unlocksVaultByBiometry)
    limitFactor = config.int(forKey: "powerauth.limitFactor", default: limitFactor)
    guard limitFactor > 0 else { throw SettingsError("powerauth.limitFactor is at least 1") }
  }
}
