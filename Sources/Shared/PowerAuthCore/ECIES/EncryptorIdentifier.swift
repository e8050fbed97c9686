// SPDX-License-Identifier: Apache-2.0

/// Whose keys a message is encrypted with: those that every copy of an app knows, or those of one activation.
public enum EncryptorScope: Hashable, Sendable {
  case application, activation
}

/// What a message is about: an answer to one question cannot be passed off as the answer to another (powerauth.md
/// §4.1).
public struct EncryptorIdentifier: Hashable, Sendable {
  /// `sharedInfo1`, which keys are derived from.
  public let sharedInfo1: String
  public let scope: EncryptorScope

  public init(sharedInfo1: String, scope: EncryptorScope) {
    self.sharedInfo1 = sharedInfo1
    self.scope = scope
  }

  /// Requests of applications, and the outer layer of an activation.
  public static let genericApplication = EncryptorIdentifier(
    sharedInfo1: "/pa/generic/application", scope: .application)
  public static let genericActivation = EncryptorIdentifier(
    sharedInfo1: "/pa/generic/activation", scope: .activation)
  /// The inner layer of an activation; there is no activation yet that it could be in the scope of.
  public static let activationLayer2 = EncryptorIdentifier(sharedInfo1: "/pa/activation", scope: .application)
  public static let upgrade = EncryptorIdentifier(sharedInfo1: "/pa/upgrade", scope: .activation)
  public static let vaultUnlock = EncryptorIdentifier(sharedInfo1: "/pa/vault/unlock", scope: .activation)
  public static let createToken = EncryptorIdentifier(sharedInfo1: "/pa/token/create", scope: .activation)
  public static let confirmRecoveryCode = EncryptorIdentifier(
    sharedInfo1: "/pa/recovery/confirm", scope: .activation)
}
