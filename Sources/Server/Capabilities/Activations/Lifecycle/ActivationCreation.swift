// SPDX-License-Identifier: Apache-2.0

import Foundation
import Kit
import PowerAuthCore

/// When the user must type an extra code that the server's owner delivered another way (powerauth.md §3.2,
/// `activationOtp`).
package enum ActivationOTPCheck: String, Sendable {
  /// The device sends it with its key.
  case onKeyExchange = "ON_KEY_EXCHANGE"
  /// The caller that commits hands it in.
  case onCommit = "ON_COMMIT"
}

/// What to prepare an activation by code for.
package struct InitiateActivation: Sendable {
  package var application: PowerAuthApplication.ID
  /// 1 to 255 bytes of UTF-8, no control characters.
  package var user: String
  /// From now on; nil is the policy's.
  package var validity: Duration?
  /// 4 to 64 bytes of UTF-8; nil asks for none.
  package var otp: String?
  /// When the OTP is asked for; nil is on key exchange. Only beside an OTP, and not on commit when none happens.
  package var otpCheck: ActivationOTPCheck?
  /// Active as soon as the keys are exchanged. With an OTP on key exchange, that is always so.
  package var commitsItself: Bool
  package var flags: [String]
  /// 1 to 64; nil is the policy's.
  package var maxFailedAttempts: Int?
  package var externalID: String?

  package init(
    application: PowerAuthApplication.ID, user: String, validity: Duration? = nil, otp: String? = nil,
    otpCheck: ActivationOTPCheck? = nil, commitsItself: Bool = false, flags: [String] = [],
    maxFailedAttempts: Int? = nil, externalID: String? = nil
  ) {
    self.application = application
    self.user = user
    self.validity = validity
    self.otp = otp
    self.otpCheck = otpCheck
    self.commitsItself = commitsItself
    self.flags = flags
    self.maxFailedAttempts = maxFailedAttempts
    self.externalID = externalID
  }
}

/// A code that waits for a device. The code is nowhere else: only its digest is kept.
package struct InitiatedActivation: Sendable {
  package let activation: Activation
  package let code: ActivationCode
  /// DER, by the application's newest master key, over the code.
  package let signature: Data
  /// What a QR code holds for apps that were built with the newest master key.
  package let scannable: String
  /// The same for apps of older master keys that are still supported, by the key's generation.
  package let olderScannables: [Int: String]
}

/// An activation by code that is not written yet.
package struct PreparedActivation: Sendable {
  let row: ActivationRow
  let details: ActivationDetails
  package let initiated: InitiatedActivation
}

/// The inner layer of an activation, understood: a device that asks to be activated.
package struct NewDevice: Sendable {
  package var applicationKey: ApplicationKey
  package var version: ProtocolVersion
  package var publicKey: ECPublicKey
  package var details: ActivationDeviceDetails
  package var otp: String?
  package var externalID: String?

  package init(
    applicationKey: ApplicationKey, version: ProtocolVersion, publicKey: ECPublicKey,
    details: ActivationDeviceDetails = .init(), otp: String? = nil, externalID: String? = nil
  ) {
    self.applicationKey = applicationKey
    self.version = version
    self.publicKey = publicKey
    self.details = details
    self.otp = otp
    self.externalID = externalID
  }
}

/// What came of a device's wish.
package enum ActivationCreation: Sendable {
  case created(CreatedActivation)
  /// Said no. Whatever was counted stays counted.
  case refused(ActivationRefusal)
}

package struct CreatedActivation: Sendable {
  package let activation: Activation
  /// Uncompressed for the wire: `serverPublicKey.uncompressed`.
  package let serverPublicKey: ECPublicKey
  /// 16 bytes.
  package let counterData: CounterData
  /// Shown once, to the device.
  package let recovery: IssuedRecovery?
  /// What a provider of custom activations answers.
  package let customAttributes: [String: JSONValue]?
}

/// A recovery code in clear, with its first PUK.
package struct IssuedRecovery: Sendable {
  package let code: RecoveryCode
  package let puk: RecoveryPUK
}

package struct ActivationRefusal: Sendable, Equatable {
  /// Tries that are left, where the refusal counted one and its caller may know.
  package var remainingAttempts: Int?
  /// Which PUK of a recovery code is asked for, after a wrong one.
  package var currentRecoveryPukIndex: Int?

  package init(remainingAttempts: Int? = nil, currentRecoveryPukIndex: Int? = nil) {
    self.remainingAttempts = remainingAttempts
    self.currentRecoveryPukIndex = currentRecoveryPukIndex
  }
}
