// SPDX-License-Identifier: Apache-2.0

internal import Foundation
internal import PowerAuth2
internal import PowerAuthCore

/// One request, ready but for its proof and its encryption.
struct Call: Sendable {
  /// How the server is to know whose request it is.
  enum Proof: Sendable {
    case none
    case signature(PowerAuthAuthentication, uriId: String)
    /// A token, made with these factors if it is not there.
    case token(PowerAuthAuthentication, name: String)
  }

  let path: String
  let proof: Proof
  /// As it is signed; in the clear.
  let body: Data
  /// The caller's, which go before ours.
  let headers: [String: String]
  let encryptor: PowerAuthCoreEciesEncryptor?
  /// Where there is no encryptor: with whose keys it is encrypted.
  var e2ee = WPNE2EEConfiguration.notEncrypted
  /// Seconds; nil for the service's.
  let timeout: TimeInterval?
  /// Called with growing fractions of the bytes that have left.
  let progress: (@Sendable (Double) -> Void)?

  var isSigned: Bool {
    if case .signature = proof { true } else { false }
  }
}
