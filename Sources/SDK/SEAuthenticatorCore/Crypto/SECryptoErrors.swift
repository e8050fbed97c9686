// SPDX-License-Identifier: Apache-2.0

public import SaltEdgeCore

/// Why something was not encrypted or decrypted. Prints its case and nothing of what it is about.
///
/// What does not decrypt is `couldNotDecryptChunk(at: 0)`, whatever was wrong with it: an attacker who learns more can
/// decrypt (saltedge-authenticator §4.10). The published cases that would tell are there for code that switches over
/// them.
public enum SECryptoHelperError: Error, Sendable, Equatable {
  case errorGeneratingRandomBytes
  case errorCreatingData(fromBase64: String)
  case couldNotEncryptChunk(at: Int)
  case couldNotDecryptChunk(at: Int)
}

/// Why there was nothing to decrypt. Prints its case and nothing of what it is about.
public enum SEAesCipherError: Error, Sendable, Equatable {
  case couldNotCreateData(from: String)
  case couldNotCreateString(fromBase64: String)
  case couldNotCreateEncryptedData(fromBase64: String)
  case couldNotCreateDecodedString(fromData: String)
  /// As entities are that are final or closed.
  case noKeyProvided
  /// As entities are that are final or closed.
  case noIvProvided
  case ivByteArrayIsNotValid
  case keyByteArrayIsNotValid
}

/// Why a key is not to be had.
public enum SESecKeyHelperError: Error, Sendable, Equatable {
  case couldNotObtainKey(for: String)
  case couldNotObtainKeyData(for: String)
  case couldNotAddToKeychain
}

extension SECryptoHelperError: Redacted {}
extension SEAesCipherError: Redacted {}
extension SESecKeyHelperError: Redacted {}
