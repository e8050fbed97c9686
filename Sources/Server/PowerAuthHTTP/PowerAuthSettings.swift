import Configuration
import Kit

/// What an operator decides about PowerAuth.
package struct PowerAuthSettings: ModuleSettings {
  /// The path that devices are configured with, before `/pa/v3`.
  package var base = "/enrollment-server"
  package var policy = PowerAuthRoutes.Policy()
  /// Multiplies the limits of calls that prove nothing; for load tests and shared networks.
  package var limitFactor = 1

  /// Where the calls are served: below the configured path, and bare.
  package var bases: [String] { base.isEmpty ? [""] : [base, ""] }

  package init() {}

  package init(_ config: ConfigReader) throws {
    base = try config.basePath(forKey: "powerauth.base", default: base)
    policy.unlocksVaultByBiometry = config.bool(
      forKey: "powerauth.vaultByBiometry", default: policy.unlocksVaultByBiometry)
    limitFactor = try config.int(forKey: "powerauth.limitFactor", default: limitFactor, in: 1 ... .max)
  }
}
