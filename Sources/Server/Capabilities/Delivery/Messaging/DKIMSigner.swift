// SPDX-License-Identifier: Apache-2.0

import Crypto
import CryptoExtras
import Foundation
import Kit

/// Signs mail in the name of its sender's domain (DKIM, RFC 6376; Ed25519 by RFC 8463): relaxed/relaxed, so that relays
/// which fold lines anew or trim them break nothing.
package struct DKIMSigner: Sendable {
  enum Key: Sendable {
    case rsa(_RSA.Signing.PrivateKey)
    case ed25519(Curve25519.Signing.PrivateKey)
  }

  /// A field of a mail's head, folded as it is sent.
  typealias Field = (name: String, value: String)

  /// Where the public key is found: `<selector>._domainkey.<domain>`.
  let domain: String
  let selector: String
  private let key: Key

  init(domain: String, selector: String, key: Key) { (self.domain, self.selector, self.key) = (domain, selector, key) }

  /// - Parameters:
  ///   - sender: its domain, or one above it, is the one that signs: otherwise the signature says nothing (RFC 7489
  ///     §3.1.1).
  ///   - pem: a private key of RSA, of 2048 bits at least (RFC 8301 §3.2), or of Ed25519 in PKCS #8.
  /// - Throws: `DKIMError`.
  package init(domain: String, selector: String, pem: String, sender: EmailAddress) throws {
    let domain = domain.lowercased()
    guard EmailAddress.isHostName(domain[...]) else { throw DKIMError.domain }
    let its = sender.domain.lowercased()
    guard its == domain || its.hasSuffix("." + domain) else { throw DKIMError.domain }
    guard selector.wholeMatch(of: /[A-Za-z0-9]([A-Za-z0-9-]{0,61}[A-Za-z0-9])?/) != nil else {
      throw DKIMError.selector
    }
    if let seed = Self.ed25519Seed(pem), let key = try? Curve25519.Signing.PrivateKey(rawRepresentation: seed) {
      self.init(domain: domain, selector: selector, key: .ed25519(key))
    } else if let key = try? _RSA.Signing.PrivateKey(pemRepresentation: pem) {
      self.init(domain: domain, selector: selector, key: .rsa(key))
    } else {
      throw DKIMError.key
    }
  }

  // MARK: Signing

  /// Signed once more than they are there: one that is put in later breaks the signature (RFC 6376 §8.15).
  private static let guarded = ["From", "To", "Subject", "Date", "Message-ID", "MIME-Version", "Content-Type"]

  /// The field to put before all others.
  func field(for fields: [Field], body: Data, at now: Instant) throws -> Field {
    let names = (fields.map(\.name) + Self.guarded).map { $0.lowercased() }
    // A line is 78 characters at most (RFC 5322 §2.1.1); white space may stand at each colon of the names.
    let listed = Self.folded(names.enumerated().map { $0.offset == 0 ? $0.element : ":" + $0.element })
    let stub =
      "v=1; a=\(algorithm); c=relaxed/relaxed; d=\(domain);\r\n s=\(selector); t=\(now.seconds);\r\n h=\(listed);\r\n"
      + " bh=\(Self.bodyHash(body));\r\n b="
    let signature = try signature(over: fields, named: names, stub: stub).base64EncodedString()
    return ("DKIM-Signature", stub + Self.folded(signature.chunks(of: 64)))
  }

  private var algorithm: String {
    switch key {
    case .rsa: "rsa-sha256"
    case .ed25519: "ed25519-sha256"
    }
  }

  /// - Parameters:
  ///   - names: of several fields of one name, the last one comes first; one that is not there counts as nothing.
  ///   - stub: of the signature's own field, with nothing after `b=`.
  func signature(over fields: [Field], named names: [String], stub: String) throws -> Data {
    var left = Dictionary(grouping: fields) { $0.name.lowercased() }
    var signed = Data()
    for name in names {
      guard let field = left[name.lowercased()]?.popLast() else { continue }
      signed += Data("\(Self.relaxed(field))\r\n".utf8)
    }
    signed += Data(Self.relaxed(("DKIM-Signature", stub)).utf8)
    let digest = SHA256.hash(data: signed)
    return switch key {
    case .rsa(let key): try key.signature(for: digest, padding: .insecurePKCS1v1_5).rawRepresentation
    case .ed25519(let key): try key.signature(for: Data(digest))
    }
  }

  // MARK: Canonical forms

  /// §3.4.2: the name in lower case, lines unfolded, white space in one space, none at the ends or at the colon.
  static func relaxed(_ field: Field) -> String {
    let value = field.value.split { $0.isNewline || $0 == " " || $0 == "\t" }.joined(separator: " ")
    return "\(field.name.lowercased()):\(value)"
  }

  /// §3.4.4, hashed: white space in one space, none at a line's end, no empty lines at the body's end.
  static func bodyHash(_ body: Data) -> String {
    var hash = SHA256()
    var emptyLines = 0
    for line in body.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false) {
      let bytes = line.last == UInt8(ascii: "\r") ? line.dropLast() : line
      var relaxed = Data()
      var hasSpace = false
      for byte in bytes {
        let isSpace = byte == UInt8(ascii: " ") || byte == UInt8(ascii: "\t")
        if !isSpace {
          if hasSpace { relaxed.append(UInt8(ascii: " ")) }
          relaxed.append(byte)
        }
        hasSpace = isSpace
      }
      guard !relaxed.isEmpty else {
        emptyLines += 1
        continue
      }
      for _ in 0..<emptyLines { hash.update(data: Data("\r\n".utf8)) }
      hash.update(data: relaxed + Data("\r\n".utf8))
      emptyLines = 0
    }
    return Data(hash.finalize()).base64EncodedString()
  }

  private static func folded(_ words: [String]) -> String {
    var (lines, line) = ([String](), "")
    for word in words {
      if !line.isEmpty, line.utf8.count + word.utf8.count > 70 {
        lines.append(line)
        line = ""
      }
      line += word
    }
    return (lines + [line]).joined(separator: "\r\n ")
  }

  /// RFC 8410 §7: an OCTET STRING of 32 bytes after what is the same for every key.
  private static func ed25519Seed(_ pem: String) -> Data? {
    let prefix = Data([0x30, 0x2e, 0x02, 0x01, 0x00, 0x30, 0x05, 0x06, 0x03, 0x2b, 0x65, 0x70, 0x04, 0x22, 0x04, 0x20])
    let lines = pem.split(whereSeparator: \.isNewline).map(String.init)
    guard lines.first == "-----BEGIN PRIVATE KEY-----", lines.last == "-----END PRIVATE KEY-----",
      let der = Data(base64Encoded: lines.dropFirst().dropLast().joined()), der.count == 48, der.starts(with: prefix)
    else { return nil }
    return Data(der.dropFirst(prefix.count))
  }
}

package enum DKIMError: Error, Sendable, Equatable {
  /// No host name, or not the sender's.
  case domain
  case selector, key
}

extension String {
  fileprivate func chunks(of length: Int) -> [String] {
    var (chunks, rest) = ([String](), self[...])
    while !rest.isEmpty {
      chunks.append(String(rest.prefix(length)))
      rest = rest.dropFirst(length)
    }
    return chunks
  }
}
