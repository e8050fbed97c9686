// SPDX-License-Identifier: Apache-2.0

import Activations
import Configuration
import Kit

/// What an operator decides about PowerAuth.
package struct PowerAuthSettings: ModuleSettings {
  /// The path that devices are configured with, before `/pa/v3`.
  package var base = "/enrollment-server"
  package var policy = PowerAuthRoutes.Policy()
  /// Whether the device that a recovery code belongs to works until the new one is committed.
  package var recoveryKeepsOldDevice = false
  /// Multiplies the limits of calls that prove nothing; for load tests and shared networks.
  package var limitFactor = 1

  /// Where the calls are served: below the configured path, and bare.
  package var bases: [String] { base.isEmpty ? [""] : [base, ""] }

  package var activationPolicy: ActivationPolicy {
    var policy = ActivationPolicy.standard
    policy.recoveryKeepsOldDevice = recoveryKeepsOldDevice
    return policy
  }

  package init() {}

  // What docs/reference/settings.md tells of them.
  // powerauth.vaultByBiometry: whether biometry unlocks the vault as the password does

  package init(_ config: ConfigReader) throws {
    base = try config.basePath(forKey: "powerauth.base", default: base)
    policy.unlocksVaultByBiometry = config.bool(
      forKey: "powerauth.vaultByBiometry", default: policy.unlocksVaultByBiometry)
    recoveryKeepsOldDevice = config.bool(
      forKey: "powerauth.recoveryKeepsOldDevice", default: recoveryKeepsOldDevice)
    limitFactor = try config.int(forKey: "powerauth.limitFactor", default: limitFactor, in: 1...1_000_000)
  }
}
