// SPDX-License-Identifier: Apache-2.0

import Foundation

#if canImport(CryptoKit)
  import CryptoKit
#else
  import Crypto
#endif

/// What both ends know about a message beside its key: it enters the keys and the MACs (powerauth.md §4.1).
public struct ECIESParameters: Hashable, Sendable, Redacted {
  public let version: ProtocolVersion
  /// What keys are derived from, behind the version and before the ephemeral key.
  let sharedInfo1: Data
  /// `SH2_BASE`.
  let sharedInfo2: Data
  /// `AD`; empty before 3.2.
  public let associatedData: Data
  /// Of the temporary key that the request is encrypted to; from 3.3 on.
  public let temporaryKeyIdentifier: String?

  /// The scope of an application.
  /// - Throws: `unsupportedVersion` when the version needs a temporary key and it is missing, or the other way round;
  ///   `mismatched` when the identifier is in the scope of an activation.
  public init(
    version: ProtocolVersion, identifier: EncryptorIdentifier, applicationKey: ApplicationKey,
    applicationSecret: ApplicationSecret, temporaryKeyIdentifier: String? = nil
  ) throws(PowerAuthError) {
    guard identifier.scope == .application else { throw .mismatched(.activationIdentifier) }
    try self.init(
      version: version, sharedInfo1: identifier.sharedInfo1,
      sharedInfo2: Data(SHA256.hash(data: Data(applicationSecret.text.utf8))),
      covering: [applicationKey.text], temporaryKeyIdentifier: temporaryKeyIdentifier)
  }

  /// The scope of an activation.
  /// - Throws: as in the scope of an application.
  public init(
    version: ProtocolVersion, identifier: EncryptorIdentifier, applicationKey: ApplicationKey,
    applicationSecret: ApplicationSecret, activationIdentifier: ActivationIdentifier, transportKey: TransportKey,
    temporaryKeyIdentifier: String? = nil
  ) throws(PowerAuthError) {
    guard identifier.scope == .activation else { throw .mismatched(.activationIdentifier) }
    try self.init(
      version: version, sharedInfo1: identifier.sharedInfo1,
      sharedInfo2: Data(transportKey.key.authenticationCode(for: Data(applicationSecret.text.utf8))),
      covering: [applicationKey.text, activationIdentifier.text], temporaryKeyIdentifier: temporaryKeyIdentifier)
  }

  /// The primitive with information of the caller's choice.
  package init(
    version: ProtocolVersion, sharedInfo1: Data, sharedInfo2: Data, associatedData: Data = Data(),
    temporaryKeyIdentifier: String? = nil
  ) {
    self.version = version
    self.sharedInfo1 = sharedInfo1
    self.sharedInfo2 = sharedInfo2
    self.associatedData = associatedData
    self.temporaryKeyIdentifier = temporaryKeyIdentifier
  }

  private init(
    version: ProtocolVersion, sharedInfo1: String, sharedInfo2: Data, covering names: [String],
    temporaryKeyIdentifier: String?
  ) throws(PowerAuthError) {
    guard version.hasTemporaryKey == (temporaryKeyIdentifier != nil) else { throw .unsupportedVersion }
    let covered = [version.rawValue] + names + (temporaryKeyIdentifier.map { [$0] } ?? [])
    self.init(
      version: version, sharedInfo1: Data(sharedInfo1.utf8), sharedInfo2: sharedInfo2,
      associatedData: version.hasAssociatedData ? Data.sizes(covered.map { Data($0.utf8) }) : Data(),
      temporaryKeyIdentifier: temporaryKeyIdentifier)
  }

  /// What the keys of an ephemeral key are derived from.
  func keyInfo(ephemeralPublicKey: Data) -> Data {
    (version.hasAssociatedData ? Data(version.rawValue.utf8) : Data()) + sharedInfo1 + ephemeralPublicKey
  }

  /// What a MAC covers beside the ciphertext: `SI2`.
  /// - Parameter ephemeralPublicKey: nil in an answer.
  func macInfo(nonce: Data?, timestamp: UInt64?, ephemeralPublicKey: Data?) -> Data {
    guard version.hasAssociatedData else { return sharedInfo2 }
    var time = Data()
    if let timestamp { time.append(bigEndian: timestamp) }
    return Data.sizes([sharedInfo2, nonce ?? Data(), time, ephemeralPublicKey ?? Data(), associatedData])
  }
}
