// SPDX-License-Identifier: Apache-2.0

import Crypto
import CryptoExtras
import Foundation
import Kit
import TestSupport
import Testing

@testable import Delivery

@Suite("Messaging: mail signed by its sender's domain (DKIM)", .storeless)
struct DKIMTests {
  /// RFC 8463 appendix A.2 and A.3: one mail, signed with both algorithms.
  private enum Published {
    static let fields: [DKIMSigner.Field] = [
      ("From", "Joe SixPack <joe@football.example.com>"), ("To", "Suzie Q <suzie@shopping.example.net>"),
      ("Subject", "Is dinner ready?"), ("Date", "Fri, 11 Jul 2003 21:00:37 -0700 (PDT)"),
      ("Message-ID", "<20030712040037.46341.5F8J@football.example.com>"),
    ]
    static let body = Data("Hi.\r\n\r\nWe lost the game.  Are you hungry yet?\r\n\r\nJoe.\r\n".utf8)
    static let bodyHash = "2jUSOH9NhtVGCQWNr9BrIAPreKQjO6Sn7XIkfJVOzv8="
    static let names = ["from", "to", "subject", "date", "message-id", "from", "subject", "date"]
    static let ed25519Seed = "nWGxne/9WmC6hEr0kuwsxERJxWl7MmkZcDusAxyuf2A="
    static let ed25519Signature =
      "/gCrinpcQOoIfuHNQIbq4pgh9kyIK3AQUdt9OdqQehSwhEIug4D11BusFa3bT3FY5OsU7ZbnKELq+eXdp1Q1Dw=="
    static let rsaSignature =
      "F45dVWDfMbQDGHJFlXUNB2HKfbCeLRyhDXgFpEL8GwpsRe0IeIixNTe3DhCVlUrSjV4BwcVcOF6+FF3Zo9Rpo1tFOeS9mPYQTnGdaSGsgeefOs"
      + "k2JzdA+L10TeYt9BgDfQNZtKdN1WO//KgIqXP7OdEFE4LjFYNcUxZQ4FADY+8="
    /// Of 1024 bits, as in RFC 6376 appendix C: of no use for anything else.
    static let rsaKey = """
      -----BEGIN RSA PRIVATE KEY-----
      MIICXQIBAAKBgQDkHlOQoBTzWRiGs5V6NpP3idY6Wk08a5qhdR6wy5bdOKb2jLQi
      Y/J16JYi0Qvx/byYzCNb3W91y3FutACDfzwQ/BC/e/8uBsCR+yz1Lxj+PL6lHvqM
      KrM3rG4hstT5QjvHO9PzoxZyVYLzBfO2EeC3Ip3G+2kryOTIKT+l/K4w3QIDAQAB
      AoGAH0cxOhFZDgzXWhDhnAJDw5s4roOXN4OhjiXa8W7Y3rhX3FJqmJSPuC8N9vQm
      6SVbaLAE4SG5mLMueHlh4KXffEpuLEiNp9Ss3O4YfLiQpbRqE7Tm5SxKjvvQoZZe
      zHorimOaChRL2it47iuWxzxSiRMv4c+j70GiWdxXnxe4UoECQQDzJB/0U58W7RZy
      6enGVj2kWF732CoWFZWzi1FicudrBFoy63QwcowpoCazKtvZGMNlPWnC7x/6o8Gc
      uSe0ga2xAkEA8C7PipPm1/1fTRQvj1o/dDmZp243044ZNyxjg+/OPN0oWCbXIGxy
      WvmZbXriOWoSALJTjExEgraHEgnXssuk7QJBALl5ICsYMu6hMxO73gnfNayNgPxd
      WFV6Z7ULnKyV7HSVYF0hgYOHjeYe9gaMtiJYoo0zGN+L3AAtNP9huqkWlzECQE1a
      licIeVlo1e+qJ6Mgqr0Q7Aa7falZ448ccbSFYEPD6oFxiOl9Y9se9iYHZKKfIcst
      o7DUw1/hz2Ck4N5JrgUCQQCyKveNvjzkkd8HjYs0SwM0fPjK16//5qDZ2UiDGnOe
      uEzxBDAr518Z8VFbR41in3W4Y3yCDgQlLlcETrS+zYcL
      -----END RSA PRIVATE KEY-----
      """

    static func stub(_ algorithm: String, _ selector: String) -> String {
      "v=1; a=\(algorithm); c=relaxed/relaxed;\r\n d=football.example.com; i=@football.example.com;\r\n"
        + " q=dns/txt; s=\(selector); t=1528637909; h=from : to :\r\n"
        + " subject : date : message-id : from : subject : date;\r\n bh=\(bodyHash);\r\n b="
    }
  }

  private static let sender = "no-reply@mail.bank.example"

  @Test("the published mail gets the published signature, with Ed25519 and with RSA")
  func vector() throws {
    #expect(DKIMSigner.bodyHash(Published.body) == Published.bodyHash)
    let seed = try #require(Data(base64Encoded: Published.ed25519Seed))
    let small = DKIMSigner(
      domain: "football.example.com", selector: "brisbane",
      key: .ed25519(try Curve25519.Signing.PrivateKey(rawRepresentation: seed)))
    let rsa = DKIMSigner(
      domain: "football.example.com", selector: "test",
      key: .rsa(try _RSA.Signing.PrivateKey(unsafePEMRepresentation: Published.rsaKey)))
    for (signer, algorithm, selector, expected) in [
      (small, "ed25519-sha256", "brisbane", Published.ed25519Signature),
      (rsa, "rsa-sha256", "test", Published.rsaSignature),
    ] {
      let signature = try signer.signature(
        over: Published.fields, named: Published.names, stub: Published.stub(algorithm, selector))
      #expect(signature.base64EncodedString() == expected)
    }
  }

  @Test("white space at the ends of lines and empty lines at the end change nothing, any other byte does")
  func body() {
    func hash(_ text: String) -> String { DKIMSigner.bodyHash(Data(text.utf8)) }
    let whole = hash(" C \r\nD \t E\r\n")
    #expect(whole == hash(" C\r\nD E\r\n") && whole == hash("\tC\t\r\nD E \r\n \r\n\r\n"))
    #expect(whole != hash("C\r\nD E\r\n") && whole != hash(" C\r\n\r\nD E\r\n") && whole != hash(" C\r\nDE\r\n"))
    // RFC 6376 §3.4.4: of nothing.
    #expect(hash("") == "47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=" && hash("\r\n\r\n") == hash(""))
  }

  @Test("every mail of ours can be checked with the public key, and neither changed nor given another subject")
  func mails() throws {
    let key = Curve25519.Signing.PrivateKey()
    let signer = try DKIMSigner(
      domain: "bank.example", selector: "s2026", pem: Self.pem(key), sender: try #require(EmailAddress(Self.sender)))
    let texts = MessageTexts.standardTexts
    for name in texts.list.map(\.key) where name.channel == .email {
      let mail = try MailText(
        texts.preview(name), from: MailSender(name: "بنك \"X\"", address: try #require(EmailAddress(Self.sender))),
        to: try #require(EmailAddress("a@example.com")), at: TestWorld().now, id: "id-1"
      ).data(signedBy: signer)
      let text = String(decoding: mail, as: UTF8.self)
      #expect(text.hasPrefix("DKIM-Signature: v=1; a=ed25519-sha256; c=relaxed/relaxed; d=bank.example;\r\n s=s2026;"))
      let head = text.prefix(upTo: try #require(text.range(of: "\r\n\r\n")).lowerBound)
      #expect(head.components(separatedBy: "\r\n").allSatisfy { $0.utf8.count <= 78 })
      #expect(Self.accepts(text, key.publicKey))
      let folded = text.replacing("From: ", with: "FROM:\t ").replacing("\r\nTo: ", with: "\r\nTo:\r\n ")
      #expect(Self.accepts(folded, key.publicKey), "a relay may fold lines anew")
      #expect(!Self.accepts(text.replacing("a@example.com", with: "b@example.com"), key.publicKey))
      #expect(!Self.accepts(text + "more\r\n", key.publicKey))
      let second = text.replacing("\r\nSubject: ", with: "\r\nSubject: you won\r\nSubject: ")
      #expect(second != text && !Self.accepts(second, key.publicKey))
    }
  }

  @Test("a key that is invalid, too short, or of another domain than the sender's is refused")
  func settings() throws {
    let sender = try #require(EmailAddress(Self.sender))
    let pem = Self.pem(Curve25519.Signing.PrivateKey())
    let rsa = try _RSA.Signing.PrivateKey(keySize: .bits2048).pemRepresentation
    for key in [pem, rsa] {
      for domain in ["mail.bank.example", "BANK.example"] {
        _ = try DKIMSigner(domain: domain, selector: "a", pem: key, sender: sender)
      }
    }
    for domain in ["other.example", "ank.example", "x.mail.bank.example", "example", ""] {
      #expect(throws: DKIMError.domain) { try DKIMSigner(domain: domain, selector: "a", pem: pem, sender: sender) }
    }
    for selector in ["", "a b", "-a", "a;d=evil", "a\r\nX: y", "é"] {
      #expect(throws: DKIMError.selector) {
        try DKIMSigner(domain: "bank.example", selector: selector, pem: pem, sender: sender)
      }
    }
    for key in ["", "key", Published.rsaKey, String(pem.dropLast(30)), P256.Signing.PrivateKey().pemRepresentation] {
      #expect(throws: DKIMError.key) {
        try DKIMSigner(domain: "bank.example", selector: "a", pem: key, sender: sender)
      }
    }
  }

  // MARK: A receiver

  private static func pem(_ key: Curve25519.Signing.PrivateKey) -> String {
    let prefix = Data(base64Encoded: "MC4CAQAwBQYDK2VwBCIEIA==") ?? Data()
    return "-----BEGIN PRIVATE KEY-----\n\((prefix + key.rawRepresentation).base64EncodedString())\n"
      + "-----END PRIVATE KEY-----\n"
  }

  /// Checks a mail as a receiver does, by the tags of its signature only.
  private static func accepts(_ mail: String, _ key: Curve25519.Signing.PublicKey) -> Bool {
    guard let end = mail.range(of: "\r\n\r\n") else { return false }
    let body = Data(mail[end.upperBound...].utf8)
    let head = mail[..<end.lowerBound].replacing("\r\n ", with: " ").replacing("\r\n\t", with: " ")
    var fields: [(name: String, value: String)] = []
    for line in head.components(separatedBy: "\r\n") {
      guard let colon = line.firstIndex(of: ":") else { return false }
      let words = line[line.index(after: colon)...].components(separatedBy: .whitespaces).filter { !$0.isEmpty }
      fields.append((line[..<colon].lowercased(), words.joined(separator: " ")))
    }
    guard let signature = fields.first(where: { $0.name == "dkim-signature" })?.value else { return false }
    var tags: [String: String] = [:]
    for tag in signature.components(separatedBy: ";") {
      let parts = tag.split(separator: "=", maxSplits: 1).map(String.init)
      if parts.count == 2 {
        tags[parts[0].trimmingCharacters(in: .whitespaces)] = parts[1].filter { !$0.isWhitespace }
      }
    }
    guard let names = tags["h"]?.split(separator: ":").map(String.init), let hash = tags["bh"],
      let proof = tags["b"].flatMap({ Data(base64Encoded: $0) }), hash == DKIMSigner.bodyHash(body),
      let cut = signature.range(of: " b=")
    else { return false }
    var signed = ""
    for name in names {
      guard let index = fields.lastIndex(where: { $0.name == name }) else { continue }
      signed += "\(name):\(fields.remove(at: index).value)\r\n"
    }
    signed += "dkim-signature:\(signature[..<cut.upperBound])"
    return key.isValidSignature(proof, for: Data(SHA256.hash(data: Data(signed.utf8))))
  }
}
