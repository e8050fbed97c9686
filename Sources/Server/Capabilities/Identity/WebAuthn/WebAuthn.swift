// SPDX-License-Identifier: Apache-2.0

import Crypto
import Foundation
import GatehouseWire
import Kit

/// Checks what security keys answer (Web Authentication, Level 3): the registration of a credential without attestation
/// (§7.1), and its assertions (§7.2). Signatures are ES256, which every authenticator knows.
package struct WebAuthn: Sendable {
  package static let algorithm = -7
  /// Bytes of a challenge; 16 at least (§13.4.3).
  package static let challengeLength = 32
  static let credentialIDMax = 1023
  static let clientDataMax = 4096

  /// The host, or a parent domain of it, that credentials are bound to.
  package let relyingParty: String
  /// The only origin whose pages may ask for a credential.
  package let origin: String

  package init(relyingParty: String, origin: String) {
    (self.relyingParty, self.origin) = (relyingParty, origin)
  }

  /// - Parameter address: where browsers reach the pages, without a path.
  package init?(address: URL) {
    guard let scheme = address.scheme?.lowercased(), let host = address.host()?.lowercased() else { return nil }
    let isStandard =
      address.port == nil || (scheme, address.port) == ("https", 443) || (scheme, address.port) == ("http", 80)
    self.init(
      relyingParty: host, origin: "\(scheme)://\(host)" + (isStandard ? "" : address.port.map { ":\($0)" } ?? ""))
  }

  /// A public key of one authenticator for one account.
  package struct Credential: Sendable, Equatable {
    /// As the authenticator made it up.
    package let id: Data
    /// P-256, uncompressed (X9.63).
    package let publicKey: Data
    package let signCount: UInt32
    /// Whether the authenticator checked its person when it was registered (`uvInitialized`, §4). Of one that did not, a
    /// later check must not count as a factor: a person who found it may have set its first PIN.
    package let isVerified: Bool
  }

  /// What was wrong. Clients do not learn more than that it was refused.
  package enum Refusal: String, Error {
    case clientData = "client-data"
    case challenge, origin
    case authenticatorData = "authenticator-data"
    case relyingParty = "relying-party"
    case notPresent = "not-present"
    /// The authenticator did not check who touched it.
    case notVerified = "not-verified"
    case attestation, key, signature
    /// The counter did not go on: the authenticator may have been cloned (§6.1.1).
    case counter
  }

  /// §7.1.
  /// - Throws: `Refusal`.
  package func register(
    clientData: Data, attestation: Data, challenge: Data
  ) throws(Refusal) -> Credential {
    try check(clientData, is: "webauthn.create", challenge)
    guard let object = try? CBOR.decode(attestation), case .text(let format) = object["fmt"],
      case .bytes(let bytes) = object["authData"], case .map(let statement) = object["attStmt"]
    else { throw .attestation }
    let data = try AuthenticatorData(bytes)
    try check(data)
    guard let credential = data.credential else { throw .authenticatorData }
    switch format {
    case "none": guard statement.isEmpty else { throw .attestation }
    case "packed":
      // Browsers hand on an authenticator's self attestation although none was asked for (§5.1.3).
      guard let object = object["attStmt"], object["x5c"] == nil, object["alg"] == CBOR(Self.algorithm),
        case .bytes(let signature) = object["sig"]
      else { throw .attestation }
      try verify(signature, of: bytes, clientData, by: credential.publicKey)
    default: throw .attestation
    }
    return credential
  }

  /// §7.2.
  /// - Parameter verifying: whether the authenticator has to have checked who touched it, by a PIN or by what the
  ///   person is (user verification, step 17).
  /// - Returns: the counter to keep.
  /// - Throws: `Refusal`.
  package func assert(
    clientData: Data, authenticatorData: Data, signature: Data, challenge: Data, by credential: Credential,
    verifying: Bool = false
  ) throws(Refusal) -> UInt32 {
    try check(clientData, is: "webauthn.get", challenge)
    let data = try AuthenticatorData(authenticatorData)
    try check(data)
    guard data.isVerified || !verifying else { throw .notVerified }
    try verify(signature, of: authenticatorData, clientData, by: credential.publicKey)
    guard data.signCount > credential.signCount || (data.signCount == 0 && credential.signCount == 0) else {
      throw .counter
    }
    return data.signCount
  }

  private struct ClientData: Decodable {
    let type: String
    let challenge: String
    let origin: String
    let crossOrigin: Bool?
    let topOrigin: String?
  }

  private func check(_ json: Data, is type: String, _ challenge: Data) throws(Refusal) {
    guard json.count <= Self.clientDataMax, let data = try? WireJSON.decode(ClientData.self, from: json),
      data.type == type
    else { throw .clientData }
    guard let given = Data(base64URL: data.challenge), given.isEqualInConstantTime(to: challenge) else {
      throw .challenge
    }
    guard data.origin == origin, data.crossOrigin != true, data.topOrigin == nil else { throw .origin }
  }

  private func check(_ data: AuthenticatorData) throws(Refusal) {
    guard data.relyingPartyDigest == Data(SHA256.hash(data: Data(relyingParty.utf8))) else { throw .relyingParty }
    guard data.isPresent else { throw .notPresent }
  }

  private func verify(
    _ signature: Data, of authenticatorData: Data, _ clientData: Data, by key: Data
  ) throws(Refusal) {
    guard let key = try? P256.Signing.PublicKey(x963Representation: key) else { throw .key }
    let signed = authenticatorData + Data(SHA256.hash(data: clientData))
    guard let signature = try? P256.Signing.ECDSASignature(derRepresentation: signature),
      key.isValidSignature(signature, for: signed)
    else { throw .signature }
  }
}

/// What an authenticator signs (§6.1): 32 bytes of the relying party's digest, a byte of flags, four of the counter, then
/// the attested credential and the extensions, each present when its flag is set.
struct AuthenticatorData {
  let relyingPartyDigest: Data
  let isPresent: Bool
  let isVerified: Bool
  let signCount: UInt32
  let credential: WebAuthn.Credential?

  /// - Throws: `Refusal` authenticator-data or key.
  init(_ data: Data) throws(WebAuthn.Refusal) {
    let bytes = Data(data)
    guard bytes.count >= 37 else { throw .authenticatorData }
    relyingPartyDigest = Data(bytes.prefix(32))
    let flags = bytes[32]
    (isPresent, isVerified) = (flags & 0x01 != 0, flags & 0x04 != 0)
    // Backed up without being eligible for it (§6.1.3).
    guard flags & 0x18 != 0x10 else { throw .authenticatorData }
    signCount = bytes[33..<37].reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
    var rest = Data(bytes.dropFirst(37))
    if flags & 0x40 != 0 {
      // AAGUID (16), length of the id (2), the id, the key.
      guard rest.count >= 18 else { throw .authenticatorData }
      let length = Int(rest[16]) << 8 | Int(rest[17])
      guard (1...WebAuthn.credentialIDMax).contains(length), rest.count > 18 + length else { throw .authenticatorData }
      let id = Data(rest[18..<18 + length])
      rest = Data(rest.dropFirst(18 + length))
      guard let (key, keyLength) = try? CBOR.decodeFirst(rest) else { throw .key }
      credential = WebAuthn.Credential(
        id: id, publicKey: try Self.publicKey(key), signCount: signCount,
        isVerified: isVerified)
      rest = Data(rest.dropFirst(keyLength))
    } else {
      credential = nil
    }
    if flags & 0x80 != 0 {
      guard let item = try? CBOR.decode(rest), case .map = item else { throw .authenticatorData }
    } else if !rest.isEmpty {
      throw .authenticatorData
    }
  }

  /// A COSE key (RFC 9053 §7.1) of the kind EC2 on the curve P-256, whose point is on the curve.
  private static func publicKey(_ key: CBOR) throws(WebAuthn.Refusal) -> Data {
    guard key[1] == CBOR(2), key[3] == CBOR(WebAuthn.algorithm), key[-1] == CBOR(1), case .bytes(let x) = key[-2],
      case .bytes(let y) = key[-3], x.count == 32, y.count == 32
    else { throw .key }
    let point = Data([4]) + x + y
    guard (try? P256.Signing.PublicKey(x963Representation: point)) != nil else { throw .key }
    return point
  }
}
