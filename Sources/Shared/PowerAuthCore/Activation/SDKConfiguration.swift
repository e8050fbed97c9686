// SPDX-License-Identifier: Apache-2.0

import Foundation

/// What an app is built with to talk to a server, as one text (powerauth.md §2.1).
public struct SDKConfiguration: Hashable, Sendable {
  /// Longer than any with a handful of keys.
  public static let lengthMax = 4096
  private static let formatVersion: UInt8 = 1
  private static let p256: UInt8 = 1

  public let applicationKey: ApplicationKey
  public let applicationSecret: ApplicationSecret
  /// `KEY_SERVER_MASTER_PUBLIC`.
  public let masterPublicKey: ECPublicKey

  public init(applicationKey: ApplicationKey, applicationSecret: ApplicationSecret, masterPublicKey: ECPublicKey) {
    self.applicationKey = applicationKey
    self.applicationSecret = applicationSecret
    self.masterPublicKey = masterPublicKey
  }

  /// - Throws: `malformed`, also for bytes too many; `invalidKey`; `tooLong`.
  public init(text: String) throws(PowerAuthError) {
    guard text.utf8.count <= Self.lengthMax else { throw .tooLong(.configuration) }
    guard let bytes = Data(canonicalBase64: text) else { throw .malformed(.configuration) }
    var reader = Reader(rest: bytes)
    guard try reader.byte() == Self.formatVersion else { throw .malformed(.configuration) }
    let (key, secret) = (try reader.data(), try reader.data())
    var masterKey: ECPublicKey?
    for _ in 0..<(try reader.number()) {
      let (identifier, bytes) = (try reader.byte(), try reader.data())
      // Keys of other kinds are those of later protocols.
      guard identifier == Self.p256 else { continue }
      guard masterKey == nil else { throw .malformed(.configuration) }
      masterKey = try ECPublicKey(bytes)
    }
    guard let masterKey, reader.rest.isEmpty else { throw .malformed(.configuration) }
    applicationKey = try ApplicationKey(text: key.base64EncodedString())
    applicationSecret = try ApplicationSecret(text: secret.base64EncodedString())
    masterPublicKey = masterKey
  }

  public var text: String {
    var bytes = Data([Self.formatVersion])
    bytes.append(prefixed: applicationKey.bytes)
    bytes.append(prefixed: applicationSecret.key.bytes)
    bytes.append(contentsOf: [1, Self.p256])
    bytes.append(prefixed: masterPublicKey.uncompressed)
    return bytes.base64EncodedString()
  }

  public func hash(into hasher: inout Hasher) {
    hasher.combine(applicationKey)
    hasher.combine(masterPublicKey)
  }

  /// Takes the format apart from its front.
  private struct Reader {
    var rest: Data

    mutating func byte() throws(PowerAuthError) -> UInt8 {
      guard let byte = rest.popFirst() else { throw .malformed(.configuration) }
      return byte
    }

    /// One byte up to 0x7F, two behind the bits `10`, four behind the bits `11`.
    mutating func number() throws(PowerAuthError) -> Int {
      let first = Int(try byte())
      let (start, more) = first < 0x80 ? (first, 0) : first < 0xc0 ? (first & 0x3f, 1) : (first & 0x3f, 3)
      var number = start
      for _ in 0..<more { number = number << 8 | Int(try byte()) }
      return number
    }

    mutating func data() throws(PowerAuthError) -> Data {
      let count = try number()
      guard count <= rest.count else { throw .malformed(.configuration) }
      defer { rest.removeFirst(count) }
      return Data(rest.prefix(count))
    }
  }
}

extension Data {
  /// - Precondition: the data is shorter than 128 bytes, as every key of this protocol.
  fileprivate mutating func append(prefixed data: Data) {
    precondition(data.count < 0x80, "lengths of one byte go up to 127")
    append(UInt8(data.count))
    append(data)
  }
}
