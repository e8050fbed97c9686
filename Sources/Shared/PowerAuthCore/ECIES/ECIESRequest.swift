// SPDX-License-Identifier: Apache-2.0

import Foundation

#if canImport(CryptoKit)
  import CryptoKit
#else
  import Crypto
#endif

/// An encrypted request as it is sent: the JSON object of powerauth.md §4.3. Which members there are is a matter of
/// the version; `ECIESDecryptor` insists on the right ones.
public struct ECIESRequest: Hashable, Sendable {
  /// Names the key that it is encrypted to; 3.3.
  public var temporaryKeyIdentifier: String?
  public var ephemeralPublicKey: Data
  public var encryptedData: Data
  /// 32 bytes.
  public var mac: Data
  /// 16 bytes; from 3.1 on.
  public var nonce: Data?
  /// Milliseconds since 1970; from 3.2 on.
  public var timestamp: UInt64?

  public init(
    temporaryKeyIdentifier: String? = nil, ephemeralPublicKey: Data, encryptedData: Data, mac: Data,
    nonce: Data? = nil, timestamp: UInt64? = nil
  ) {
    self.temporaryKeyIdentifier = temporaryKeyIdentifier
    self.ephemeralPublicKey = ephemeralPublicKey
    self.encryptedData = encryptedData
    self.mac = mac
    self.nonce = nonce
    self.timestamp = timestamp
  }

  /// What a server remembers, to refuse the request when it comes again: 32 bytes over ephemeral key, nonce and
  /// `identifier`, the activation's or else the application's key.
  ///
  /// Before 3.2 no MAC covers the nonce: an attacker who repeats a request could change it. There the ephemeral key alone
  /// counts, which no honest device uses twice.
  public func replayKey(version: ProtocolVersion, identifier: String) -> Data {
    let nonce = version.hasAssociatedData ? nonce ?? Data() : Data()
    return Data(SHA256.hash(data: Data.sizes([ephemeralPublicKey, nonce, Data(identifier.utf8)])))
  }

  func hasShape(of version: ProtocolVersion) -> Bool {
    mac.count == ECIES.macBytes && (nonce != nil) == version.hasRequestNonce
      && (nonce?.count ?? ECIES.nonceBytes) == ECIES.nonceBytes && (timestamp != nil) == version.hasTimestamp
      && (temporaryKeyIdentifier != nil) == version.hasTemporaryKey
  }
}

extension ECIESRequest: Codable {
  private enum CodingKeys: String, CodingKey {
    case temporaryKeyId, ephemeralPublicKey, encryptedData, mac, nonce, timestamp
  }

  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    self.init(
      temporaryKeyIdentifier: try container.decodeIfPresent(String.self, forKey: .temporaryKeyId),
      ephemeralPublicKey: try container.decodeBase64(.ephemeralPublicKey),
      encryptedData: try container.decodeBase64(.encryptedData), mac: try container.decodeBase64(.mac),
      nonce: try container.decodeBase64IfPresent(.nonce),
      timestamp: try container.decodeIfPresent(UInt64.self, forKey: .timestamp))
  }

  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encodeIfPresent(temporaryKeyIdentifier, forKey: .temporaryKeyId)
    try container.encode(ephemeralPublicKey.base64EncodedString(), forKey: .ephemeralPublicKey)
    try container.encode(encryptedData.base64EncodedString(), forKey: .encryptedData)
    try container.encode(mac.base64EncodedString(), forKey: .mac)
    try container.encodeIfPresent(nonce?.base64EncodedString(), forKey: .nonce)
    try container.encodeIfPresent(timestamp, forKey: .timestamp)
  }
}
