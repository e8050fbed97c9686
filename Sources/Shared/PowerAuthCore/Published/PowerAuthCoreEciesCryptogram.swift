// SPDX-License-Identifier: Apache-2.0

import Foundation

/// An encrypted message as networking code takes it apart and puts it together (powerauth.md §10, §4.3): a request has
/// `keyBase64` and, from 3.3 on, `temporaryKeyId`; an answer has neither.
public final class PowerAuthCoreEciesCryptogram {
  /// What is encrypted.
  public var body: Data?
  /// 32 bytes.
  public var mac: Data?
  /// The ephemeral public key, compressed.
  public var key: Data?
  /// 16 bytes; from 3.1 on.
  public var nonce: Data?
  /// Milliseconds since 1970; zero before 3.2.
  public var timestamp: UInt64 = 0
  /// Names the key that a request is encrypted to; 3.3.
  public var temporaryKeyId: String?

  public init() {}

  public var bodyBase64: String? {
    get { body?.base64EncodedString() }
    set { body = newValue.flatMap(Data.init(canonicalBase64:)) }
  }
  public var macBase64: String? {
    get { mac?.base64EncodedString() }
    set { mac = newValue.flatMap(Data.init(canonicalBase64:)) }
  }
  public var keyBase64: String? {
    get { key?.base64EncodedString() }
    set { key = newValue.flatMap(Data.init(canonicalBase64:)) }
  }
  public var nonceBase64: String? {
    get { nonce?.base64EncodedString() }
    set { nonce = newValue.flatMap(Data.init(canonicalBase64:)) }
  }
}

/// The members of the wire (powerauth.md §4.3), as SDK 1.9 has them.
extension PowerAuthCoreEciesCryptogram {
  /// What an encrypted request is made of, to be written as JSON.
  public func requestPayload() -> [String: Any] {
    var payload: [String: Any] = [:]
    payload["temporaryKeyId"] = temporaryKeyId
    payload["ephemeralPublicKey"] = keyBase64
    payload["encryptedData"] = bodyBase64
    payload["mac"] = macBase64
    payload["nonce"] = nonceBase64
    if timestamp != 0 { payload["timestamp"] = timestamp }
    return payload
  }

  /// An answer out of the server's JSON.
  /// - Returns: nil without what was encrypted and its MAC.
  public convenience init?(responsePayload payload: [AnyHashable: Any]) {
    self.init()
    bodyBase64 = payload["encryptedData"] as? String
    macBase64 = payload["mac"] as? String
    nonceBase64 = payload["nonce"] as? String
    timestamp = (payload["timestamp"] as? NSNumber)?.uint64Value ?? 0
    guard body != nil, mac != nil else { return nil }
  }
}

extension PowerAuthCoreEciesCryptogram {
  convenience init(_ request: ECIESRequest) {
    self.init()
    body = request.encryptedData
    mac = request.mac
    key = request.ephemeralPublicKey
    nonce = request.nonce
    timestamp = request.timestamp ?? 0
    temporaryKeyId = request.temporaryKeyIdentifier
  }

  /// The answer that this is; nil without a body and a MAC.
  func response(of version: ProtocolVersion) -> ECIESResponse? {
    guard let body, let mac else { return nil }
    return ECIESResponse(
      encryptedData: body, mac: mac, nonce: version.hasResponseNonce ? nonce : nil,
      timestamp: version.hasTimestamp ? timestamp : nil)
  }
}
