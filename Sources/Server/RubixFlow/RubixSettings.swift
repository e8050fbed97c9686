// SPDX-License-Identifier: Apache-2.0

import Configuration
import Kit

/// What an operator decides about Rubix.
package struct RubixSettings: ModuleSettings {
  /// Multiplies the limits of registration, and how often a customer may read where they stand; for load tests and
  /// shared networks. Nil is 1, and for registration 20 in a sandbox: a developer tries an app out many times an hour.
  package var limitFactor: Int?
  /// Who may call back with the answers of the screening provider; nil where no provider answers late.
  var partner: PartnerCredentials?

  package init() {}

  // What docs/reference/settings.md tells of them.
  // screening.partner: user:password of the callback of a provider of screening; without it the callback is closed

  package init(_ config: ConfigReader) throws {
    limitFactor = try config.int(forKey: "registration.limitFactor", in: 1...1_000_000)
    guard let pair = config.string(forKey: "screening.partner", isSecret: true) else { return }
    guard let colon = pair.firstIndex(of: ":"), colon > pair.startIndex, !pair.hasSuffix(":") else {
      throw SettingsError("screening.partner is user:password")
    }
    partner = PartnerCredentials(name: String(pair[..<colon]), password: String(pair[pair.index(after: colon)...]))
  }

  func registrationLimits(isSandbox: Bool) -> RegistrationCommands.Limits {
    .init(factor: limitFactor ?? (isSandbox ? 20 : 1))
  }
}
