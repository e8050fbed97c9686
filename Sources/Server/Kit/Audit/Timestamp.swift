// SPDX-License-Identifier: Apache-2.0
import Crypto
import Foundation
import SwiftASN1
import X509

/// A time stamp (RFC 3161): the word of an authority that it saw a digest at an instant.
struct Timestamp: Sendable {
  /// By the authority's clock (`genTime`).
  let at: Instant
  /// SHA-256 of what was stamped (`messageImprint`).
  let digest: Data
  /// What the authority signed, in DER: the attributes of its signature (RFC 5652, section 5.4).
  let signed: [UInt8]
  let signature: [UInt8]
  let algorithm: Certificate.SignatureAlgorithm
  /// The authority's own certificate, by the digest in the signed attributes; nil when the stamp does not bring it.
  let signer: Certificate?
  /// All that the stamp brings.
  let certificates: [Certificate]

  struct Unsound: Error { let text: String }

  /// Reads an authority's answer (`TimeStampResp`). Its parts hold together then, and whether the signature is the
  /// authority's is not known yet.
  /// - Throws: `Unsound`.
  init(_ answer: Data) throws {
    do { try self.init(token: Self.token(of: Array(answer))) } catch let unsound as Unsound { throw unsound } catch {
      throw Unsound(text: "cannot be read")
    }
  }

  private init(token: ASN1Node) throws {
    let data = try SignedContent(token)
    let info = try Info(data.content)
    guard info.hash == Self.hashes[0] else { throw Unsound(text: "is not over a SHA-256") }
    let found = try SignerInfo(data.signer)
    guard found.contentType == SignedContent.timestampInfo,
      found.messageDigest == Self.digest(of: data.content, by: found.hash)
    else { throw Unsound(text: "is not what its authority signed") }
    guard let algorithm = Self.algorithm(found.algorithm, over: found.hash) else {
      throw Unsound(text: "is signed by an algorithm that is not known here")
    }
    (at, digest, signed, signature) = (info.at, info.digest, found.attributes, found.signature)
    self.algorithm = algorithm
    // Chains are searched through all of them, which takes time without bound.
    guard data.certificates.count <= Self.certificatesMax else { throw Unsound(text: "brings too many certificates") }
    // A certificate that cannot be read may be one that the signature does not need.
    certificates = data.certificates.compactMap { try? Certificate(derEncoded: $0) }
    signer = try data.certificates.first { Self.digest(of: $0, by: found.certificateHash) == found.certificateDigest }
      .map { try Certificate(derEncoded: $0) }
  }

  /// - Returns: the token of an answer that grants it (section 2.4.2).
  private static func token(of answer: [UInt8]) throws -> ASN1Node {
    try BER.sequence(BER.parse(answer), identifier: .sequence) { nodes in
      let status = try BER.sequence(nodes.part(), identifier: .sequence) { parts in
        let status = try Int(berEncoded: &parts)
        while parts.next() != nil {}
        return status
      }
      guard (0...1).contains(status) else { throw Unsound(text: "was not granted") }
      return try nodes.part()
    }
  }

  static let certificatesMax = 10

  /// SHA-256, SHA-384 and SHA-512.
  static let hashes: [ASN1ObjectIdentifier] = (1...3).map { [2, 16, 840, 1, 101, 3, 4, 2, $0] }
  static let sha1: ASN1ObjectIdentifier = [1, 3, 14, 3, 2, 26]

  static func digest(of bytes: [UInt8], by hash: ASN1ObjectIdentifier) -> [UInt8]? {
    switch hash {
    case hashes[0]: Array(SHA256.hash(data: bytes))
    case hashes[1]: Array(SHA384.hash(data: bytes))
    case hashes[2]: Array(SHA512.hash(data: bytes))
    // Which certificate signed is named so in older stamps (RFC 2634), and nothing else.
    case sha1: Array(Insecure.SHA1.hash(data: bytes))
    default: nil
    }
  }

  private static func algorithm(
    _ signature: ASN1ObjectIdentifier, over hash: ASN1ObjectIdentifier
  ) -> Certificate.SignatureAlgorithm? {
    guard let at = hashes.firstIndex(of: hash) else { return nil }
    let rsa = [ASN1ObjectIdentifier.AlgorithmIdentifier.rsaEncryption, [1, 2, 840, 113549, 1, 1, UInt(11 + at)]]
    if rsa.contains(signature) {
      return [.sha256WithRSAEncryption, .sha384WithRSAEncryption, .sha512WithRSAEncryption][at]
    }
    guard signature == [1, 2, 840, 10045, 4, 3, UInt(2 + at)] else { return nil }
    return [.ecdsaWithSHA256, .ecdsaWithSHA384, .ecdsaWithSHA512][at]
  }
}

/// The parts of `SignedData` (RFC 5652, section 5.1) that a stamp has.
private struct SignedContent {
  static let timestampInfo: ASN1ObjectIdentifier = [1, 2, 840, 113549, 1, 9, 16, 1, 4]
  private static let signedData: ASN1ObjectIdentifier = [1, 2, 840, 113549, 1, 7, 2]

  /// `TSTInfo`, as it was signed.
  let content: [UInt8]
  /// In DER.
  let certificates: [[UInt8]]
  let signer: ASN1Node

  init(_ token: ASN1Node) throws {
    let data = try Self.content(of: token, type: Self.signedData) { $0 }
    self = try BER.sequence(data, identifier: .sequence) { nodes in
      _ = try Int(berEncoded: &nodes)
      _ = try nodes.part()
      let content = try Self.content(of: nodes.part(), type: Self.timestampInfo) {
        try Array(ASN1OctetString(berEncoded: $0).bytes)
      }
      let certificates = try BER.optionalImplicitlyTagged(&nodes, tagNumber: 0, tagClass: .contextSpecific) {
        try $0.parts().map { Array($0.encodedBytes) }
      }
      _ = BER.optionalImplicitlyTagged(&nodes, tagNumber: 1, tagClass: .contextSpecific) { _ in }
      let signers = try nodes.part().parts()
      // Section 2.4.2 of RFC 3161: no signature but the authority's.
      guard signers.count == 1 else {
        throw Timestamp.Unsound(text: "has \(signers.count.counted("signature", "signatures"))")
      }
      return SignedContent(content: content, certificates: certificates ?? [], signer: signers[0])
    }
  }

  private init(content: [UInt8], certificates: [[UInt8]], signer: ASN1Node) {
    (self.content, self.certificates, self.signer) = (content, certificates, signer)
  }

  /// A type, and what is of it.
  private static func content<T>(
    of node: ASN1Node, type: ASN1ObjectIdentifier, _ read: (ASN1Node) throws -> T
  ) throws -> T {
    try BER.sequence(node, identifier: .sequence) { parts in
      guard try ASN1ObjectIdentifier(berEncoded: &parts) == type else {
        throw Timestamp.Unsound(text: "is no time stamp")
      }
      return try BER.explicitlyTagged(&parts, tagNumber: 0, tagClass: .contextSpecific, read)
    }
  }
}

/// What an authority says (`TSTInfo`, section 2.4.2).
private struct Info {
  let hash: ASN1ObjectIdentifier
  let digest: Data
  let at: Instant

  init(_ content: [UInt8]) throws {
    self = try DER.sequence(DER.parse(content), identifier: .sequence) { nodes in
      guard try Int(derEncoded: &nodes) == 1 else { throw Timestamp.Unsound(text: "is of another version") }
      _ = try ASN1ObjectIdentifier(derEncoded: &nodes)
      let (hash, digest) = try DER.sequence(nodes.part(), identifier: .sequence) { parts in
        (try parts.algorithm(), try ASN1OctetString(derEncoded: &parts))
      }
      _ = try nodes.part()
      let time = try GeneralizedTime(derEncoded: &nodes)
      while nodes.next() != nil {}
      let text = String(
        format: "%04d-%02d-%02dT%02d:%02d:%02dZ", time.year, time.month, time.day, time.hours, time.minutes,
        time.seconds)
      guard let at = Instant(rfc3339: text) else { throw Timestamp.Unsound(text: "has no time") }
      return Info(hash: hash, digest: Data(digest.bytes), at: at)
    }
  }

  private init(hash: ASN1ObjectIdentifier, digest: Data, at: Instant) {
    (self.hash, self.digest, self.at) = (hash, digest, at)
  }
}

/// A signature and what it covers (`SignerInfo`, RFC 5652, section 5.3).
private struct SignerInfo {
  let hash: ASN1ObjectIdentifier
  let algorithm: ASN1ObjectIdentifier
  let signature: [UInt8]
  /// The set of attributes in DER, as it was signed.
  let attributes: [UInt8]
  private(set) var contentType: ASN1ObjectIdentifier?
  private(set) var messageDigest: [UInt8]?
  /// Of the certificate that signed (RFC 2634, RFC 5035).
  private(set) var certificateHash = Timestamp.hashes[0]
  private(set) var certificateDigest: [UInt8]?

  init(_ node: ASN1Node) throws {
    (hash, algorithm, signature, attributes) = try BER.sequence(node, identifier: .sequence) { nodes in
      _ = try Int(berEncoded: &nodes)
      // Issuer and serial number can be exchanged; the digest of the certificate is signed.
      _ = try nodes.part()
      let hash = try nodes.algorithm()
      let attributes = BER.optionalImplicitlyTagged(&nodes, tagNumber: 0, tagClass: .contextSpecific) {
        [0x31] + $0.encodedBytes.dropFirst()
      }
      let algorithm = try nodes.algorithm()
      let signature = try ASN1OctetString(berEncoded: &nodes)
      while nodes.next() != nil {}
      guard let attributes else { throw Timestamp.Unsound(text: "has a signature without attributes") }
      return (hash, algorithm, Array(signature.bytes), attributes)
    }
    var seen: Set<ASN1ObjectIdentifier> = []
    for attribute in try DER.parse(attributes).parts() {
      let (type, value) = try DER.sequence(attribute, identifier: .sequence) { parts in
        let type = try ASN1ObjectIdentifier(derEncoded: &parts)
        return (type, try parts.part().parts())
      }
      guard value.count == 1, seen.insert(type).inserted else {
        throw Timestamp.Unsound(text: "has an attribute twice")
      }
      try note(type, value[0])
    }
  }

  private mutating func note(_ type: ASN1ObjectIdentifier, _ value: ASN1Node) throws {
    switch type {
    case [1, 2, 840, 113549, 1, 9, 3]: contentType = try ASN1ObjectIdentifier(derEncoded: value)
    case [1, 2, 840, 113549, 1, 9, 4]: messageDigest = try Array(ASN1OctetString(derEncoded: value).bytes)
    case [1, 2, 840, 113549, 1, 9, 16, 2, 12], [1, 2, 840, 113549, 1, 9, 16, 2, 47]:
      // A sequence of certificates, of which the first is the signer's: its hash's algorithm unless that is the
      // default, SHA-1 (2.12) or SHA-256 (2.47), then its digest.
      var parts = try value.first().first().parts().makeIterator()
      var node = try parts.part()
      certificateHash = type.oidComponents.last == 12 ? Timestamp.sha1 : Timestamp.hashes[0]
      if node.identifier == .sequence {
        certificateHash = try ASN1ObjectIdentifier(derEncoded: node.first())
        node = try parts.part()
      }
      certificateDigest = try Array(ASN1OctetString(derEncoded: node).bytes)
    default: break
    }
  }
}

extension ASN1Node {
  /// What a constructed value consists of.
  fileprivate func parts() throws -> [ASN1Node] {
    guard case .constructed(let nodes) = content else { throw Timestamp.Unsound(text: "cannot be read") }
    return Array(nodes)
  }

  fileprivate func first() throws -> ASN1Node {
    var parts = try parts().makeIterator()
    return try parts.part()
  }
}

extension IteratorProtocol<ASN1Node> {
  fileprivate mutating func part() throws -> ASN1Node {
    guard let node = next() else { throw Timestamp.Unsound(text: "cannot be read") }
    return node
  }

  /// The identifier of an algorithm, without its parameters.
  fileprivate mutating func algorithm() throws -> ASN1ObjectIdentifier {
    try BER.sequence(part(), identifier: .sequence) { parts in
      let identifier = try ASN1ObjectIdentifier(berEncoded: &parts)
      _ = parts.next()
      return identifier
    }
  }
}
