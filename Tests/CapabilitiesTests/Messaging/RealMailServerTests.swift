// SPDX-License-Identifier: Apache-2.0

import CryptoExtras
import Delivery
import Foundation
import Kit
import TestSupport
import Testing

@Suite(
  "Messaging: mail at a real SMTP server", .storeless,
  .enabled(if: RealMailServer.isInstalled, "\(RealMailServer.missing)"))
struct RealMailServerTests {
  @Test("every mail in every language arrives whole, and another mail library reads what we wrote")
  func texts() async throws {
    let server = try RealMailServer()
    defer { server.stop() }
    let address = try #require(EmailAddress("no-reply@bank.example"))
    let sender = MailSender(name: "بنك d’Utopie \"X\"", address: address)
    let settings = try SMTPSettings(host: "127.0.0.1", port: server.port, security: .off, sender: sender)
    let gateway = MailGateway.smtp(
      settings, world: MovableClock().world, threads: BlockingThreadPool("mail", width: 1))
    let texts = MessageTexts.standardTexts
    let keys = texts.list.map(\.key).filter { $0.channel == .email }
    #expect(keys.count >= 15)
    for (number, key) in keys.enumerated() {
      var message = try texts.preview(key)
      message.id = "id-\(number)"
      try await gateway.send(message)
      let received = try server.next()
      #expect(received.from == "no-reply@bank.example" && received.to == [message.recipient])
      #expect(received.subject == message.subject && received.languages == key.language)
      #expect(received.author.contains("<no-reply@bank.example>") && received.recipients.contains(message.recipient))
      #expect(received.date == "2026-11-21T06:00:00+00:00" && received.id == "<id-\(number)@bank.example>")
      #expect(received.types == ["text/plain", "text/html"])
      func trimmed(_ text: String?) -> String? { text?.trimmingCharacters(in: .newlines) }
      #expect(received.bodies.map(trimmed) == [trimmed(message.body), trimmed(message.html)])
      #expect(received.defects.isEmpty && received.lineMax <= 998)
      // A signature covers each of these, and a second one would be a way around it (RFC 6376 §8.15).
      #expect(Set(received.counts.values) == [1])
    }
  }

  @Test(
    "another library takes our signature (DKIM), and no other key's",
    .enabled(if: RealMailServer.checksSignatures, "\(RealMailServer.missing)"))
  func signed() async throws {
    let (key, other) = (
      try _RSA.Signing.PrivateKey(keySize: .bits2048), try _RSA.Signing.PrivateKey(keySize: .bits2048)
    )
    let sender = try #require(EmailAddress("no-reply@bank.example"))
    for (published, isGenuine) in [(key, true), (other, false)] {
      let record = "v=DKIM1; k=rsa; p=\(published.publicKey.derRepresentation.base64EncodedString())"
      let server = try RealMailServer(record: record)
      defer { server.stop() }
      var settings = try SMTPSettings(
        host: "127.0.0.1", port: server.port, security: .off, sender: MailSender(name: "Bank", address: sender))
      settings.signer = try DKIMSigner(
        domain: "bank.example", selector: "s1", pem: key.pemRepresentation, sender: sender)
      let gateway = MailGateway.smtp(
        settings, world: MovableClock().world, threads: BlockingThreadPool("mail", width: 1))
      for name in ["reset-password.email.ar", "sign-in-code.email.en"] {
        let texts = MessageTexts.standardTexts
        let text = try #require(texts.list.map(\.key).first { $0.name == name })
        try await gateway.send(texts.preview(text))
        #expect(try server.next().isSigned == isGenuine)
      }
    }
  }
}
