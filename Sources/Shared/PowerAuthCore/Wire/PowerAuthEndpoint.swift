// SPDX-License-Identifier: Apache-2.0

/// Where PowerAuth's own calls go, below the base URL, all by POST (powerauth.md §8).
public enum PowerAuthEndpoint: String, CaseIterable, Sendable {
  case createActivation = "/pa/v3/activation/create"
  case activationStatus = "/pa/v3/activation/status"
  case removeActivation = "/pa/v3/activation/remove"
  case activationDetail = "/pa/v3/activation/detail"
  case renameActivation = "/pa/v3/activation/rename"
  case validateSignature = "/pa/v3/signature/validate"
  case createToken = "/pa/v3/token/create"
  case removeToken = "/pa/v3/token/remove"
  case unlockVault = "/pa/v3/vault/unlock"
  case createTemporaryKey = "/pa/v3/keystore/create"
  case serverStatus = "/pa/v3/status"
  case userInfo = "/pa/v3/user/info"
  case confirmRecovery = "/pa/v3/recovery/confirm"

  /// What a signature of the call covers in place of its URL; nil where none is made.
  public var uriID: String? {
    switch self {
    case .removeActivation: "/pa/activation/remove"
    case .renameActivation: "/pa/activation/rename"
    case .validateSignature: "/pa/signature/validate"
    case .createToken: "/pa/token/create"
    case .removeToken: "/pa/token/remove"
    case .unlockVault: "/pa/vault/unlock"
    case .confirmRecovery: "/pa/recovery/confirm"
    case .createActivation, .activationStatus, .activationDetail, .createTemporaryKey, .serverStatus, .userInfo: nil
    }
  }

  /// How the body is encrypted; of `createActivation` the outer layer. Nil where it is not.
  public var encryptor: EncryptorIdentifier? {
    switch self {
    case .createActivation: .genericApplication
    case .createToken: .createToken
    case .unlockVault: .vaultUnlock
    case .confirmRecovery: .confirmRecoveryCode
    case .activationDetail, .renameActivation, .userInfo: .genericActivation
    case .activationStatus, .removeActivation, .validateSignature, .removeToken, .createTemporaryKey, .serverStatus:
      nil
    }
  }
}
