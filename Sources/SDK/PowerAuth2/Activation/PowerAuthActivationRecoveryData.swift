// SPDX-License-Identifier: Apache-2.0

internal import PowerAuthCore

/// What lets a user activate another device when this one is lost. To be written down by the user, not by the app.
public final class PowerAuthActivationRecoveryData: Sendable {
  public let recoveryCode: String
  /// Ten digits.
  public let puk: String

  init(_ recovery: ActivationRecovery) {
    recoveryCode = recovery.recoveryCode
    puk = recovery.puk
  }
}

extension PowerAuthActivationRecoveryData: CustomStringConvertible, CustomReflectable {
  public var description: String { "PowerAuthActivationRecoveryData(redacted)" }
  public var customMirror: Mirror { Mirror(self, children: []) }
}
