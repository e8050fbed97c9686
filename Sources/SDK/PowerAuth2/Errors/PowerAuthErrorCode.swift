// SPDX-License-Identifier: Apache-2.0

/// Why a call of this SDK failed, by the numbers of the published SDK (powerauth.md §10). They never go on the wire.
public enum PowerAuthErrorCode: Int, Sendable, CaseIterable {
  /// Not an error of this SDK.
  case NA = 0
  /// No answer came, or the server said no: then the REST error object tells more.
  case networkError = 1
  /// A signature could not be computed.
  case signatureError = 2
  /// The call is not possible in the state of the activation.
  case invalidActivationState = 3
  /// The activation or recovery code is not one.
  case invalidActivationCode = 4
  /// The server's answer, or what is stored here, does not make sense.
  case invalidActivationData = 5
  /// There is no activation.
  case missingActivation = 6
  /// The activation was created but not persisted.
  case activationPending = 7
  /// The device has no biometry, or it is not set up.
  case biometryNotAvailable = 8
  /// The user dismissed the biometric dialog.
  case biometryCancel = 9
  /// There is no biometric factor, or its key could not be read.
  case biometryFailed = 10
  /// The call was cancelled, by the app or because the activation was removed meanwhile.
  case operationCancelled = 11
  /// Encryption or decryption failed.
  case encryption = 12
  /// The call was made with something that it cannot take, or the configuration is invalid.
  case wrongParameter = 13
  /// There is no such token.
  case invalidToken = 14
  /// About Apple Watch. Not used here.
  case watchConnectivity = 15
  /// About upgrades from earlier protocols. Not used here.
  case protocolUpgrade = 16
  /// About upgrades from earlier protocols. Not used here.
  case pendingProtocolUpgrade = 17
  /// About activations that several apps share. Not used here.
  case externalPendingOperation = 18
  /// The user chose the fallback in the biometric dialog.
  case biometryFallback = 19
  /// The time of the server is not known well enough.
  case timeSynchronization = 20
}
