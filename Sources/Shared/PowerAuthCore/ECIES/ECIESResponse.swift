// SPDX-License-Identifier: Apache-2.0

import Foundation

/// An encrypted answer as it is sent (powerauth.md §4.3).
public struct ECIESResponse: Hashable, Sendable {
  public var encryptedData: Data
  /// 32 bytes.
  public var mac: Data
  /// 16 bytes; from 3.2 on.
  public var nonce: Data?
  /// Milliseconds since 1970; from 3.2 on.
  public var timestamp: UInt64?

  public init(encryptedData: Data, mac: Data, nonce: Data? = nil, timestamp: UInt64? = nil) {
    self.encryptedData = encryptedData
    self.mac = mac
    self.nonce = nonce
    self.timestamp = timestamp
  }

  func hasShape(of version: ProtocolVersion) -> Bool {
    mac.count == ECIES.macBytes && (nonce != nil) == version.hasResponseNonce
      && (nonce?.count ?? ECIES.nonceBytes) == ECIES.nonceBytes && (timestamp != nil) == version.hasTimestamp
  }
}

extension ECIESResponse: Codable {
  private enum CodingKeys: String, CodingKey {
    case encryptedData, mac, nonce, timestamp
  }

  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    self.init(
      encryptedData: try container.decodeBase64(.encryptedData), mac: try container.decodeBase64(.mac),
      nonce: try container.decodeBase64IfPresent(.nonce),
      timestamp: try container.decodeIfPresent(UInt64.self, forKey: .timestamp))
  }

  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(encryptedData.base64EncodedString(), forKey: .encryptedData)
    try container.encode(mac.base64EncodedString(), forKey: .mac)
    try container.encodeIfPresent(nonce?.base64EncodedString(), forKey: .nonce)
    try container.encodeIfPresent(timestamp, forKey: .timestamp)
  }
}

extension KeyedDecodingContainer {
  func decodeBase64(_ key: Key) throws -> Data {
    guard let data = Data(canonicalBase64: try decode(String.self, forKey: key)) else {
      throw DecodingError.dataCorruptedError(forKey: key, in: self, debugDescription: "not Base64")
    }
    return data
  }

  func decodeBase64IfPresent(_ key: Key) throws -> Data? {
    guard try decodeIfPresent(String.self, forKey: key) != nil else { return nil }
    return try decodeBase64(key)
  }
}
