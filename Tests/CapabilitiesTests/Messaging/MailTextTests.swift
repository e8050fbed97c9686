// SPDX-License-Identifier: Apache-2.0

import Foundation
import Kit
import TestSupport
import Testing

@testable import Delivery

@Suite("Messaging: the text of a mail", .storeless)
struct MailTextTests {
  private func text(
    subject: String = "Hello", body: String = "Hi", name: String = "Bank", locale: String = "en"
  ) throws -> String {
    let address = try #require(EmailAddress("no-reply@bank.example"))
    let mail = try MailText(
      Message(.email, to: "a@example.com", subject: subject, body: body, locale: locale),
      from: MailSender(name: name, address: address), to: try #require(EmailAddress("a@example.com")),
      at: Instant(milliseconds: 951_782_400_000), id: "id-1")
    return String(decoding: try mail.data(), as: UTF8.self)
  }

  @Test("it is ASCII, with lines of at most 78 characters that end in CR LF, whatever is written")
  func form() throws {
    let long = String(repeating: "تأكيد بريدك الإلكتروني ", count: 30)
    let text = try text(subject: long, body: long + "\n" + long, name: "بنك اليوتوبيا \"المركزي\"")
    #expect(text.utf8.allSatisfy { $0 < 0x80 })
    let lines = text.components(separatedBy: "\r\n")
    #expect(lines.allSatisfy { $0.utf8.count <= 78 && !$0.contains("\n") && !$0.contains("\r") })
    #expect(lines.last == "")
    #expect(lines.contains("Content-Transfer-Encoding: base64"))
    #expect(lines.contains("Date: Tue, 29 Feb 2000 00:00:00 +0000"))
    #expect(lines.contains("Message-ID: <id-1@bank.example>"))
  }

  @Test("encoded words of at most 75 characters give the subject back, no character cut")
  func encodedWords() throws {
    let subject = "Zugangscode für Ihr Konto 🦊 " + String(repeating: "ü🦊", count: 40)
    let lines = try text(subject: subject).components(separatedBy: "\r\n")
    let start = try #require(lines.firstIndex { $0.hasPrefix("Subject:") })
    let folded = [lines[start].dropFirst(8)] + lines[(start + 1)...].prefix { $0.hasPrefix(" ") }.map { $0[...] }
    let words = folded.map { $0.trimmingCharacters(in: .whitespaces) }
    #expect(words.allSatisfy { $0.count <= 75 && $0.hasPrefix("=?utf-8?B?") && $0.hasSuffix("?=") })
    let parts = words.map { word in
      Data(base64Encoded: String(word.dropFirst(10).dropLast(2))).flatMap { String(data: $0, encoding: .utf8) }
    }
    #expect(parts.map { $0 ?? "(broken)" }.joined() == subject)
  }

  @Test("a body in any script comes back as it was")
  func body() throws {
    let body = "رمزك هو 123456\n.\nFrom here\n"
    let text = try text(body: body, locale: "ar")
    let encoded = try #require(text.range(of: "\r\n\r\n")).upperBound
    let data = try #require(Data(base64Encoded: String(text[encoded...]), options: .ignoreUnknownCharacters))
    #expect(String(decoding: data, as: UTF8.self) == body.replacing("\n", with: "\r\n"))
    #expect(text.contains("Content-Language: ar\r\n"))
  }

  @Test("a text that looks like an encoded word is encoded, and quotes in a name are escaped")
  func lookalikes() throws {
    #expect(try !text(subject: "=?utf-8?Q?=0D=0ABcc:?=").contains("=0D=0A"))
    #expect(try text(name: "The \"Bank\"").contains("From: \"The \\\"Bank\\\"\" <no-reply@bank.example>"))
  }

  @Test(
    "a control character in a header is refused",
    arguments: ["a\r\nBcc: b@example.com", "a\nb", "a\rb", "a\u{0}b", "a\u{7f}b", "a\u{85}b", "a\u{2028}b"])
  func injection(text value: String) {
    #expect(throws: MessageRefused(.malformed)) { try text(subject: value) }
    #expect(throws: MessageRefused(.malformed)) { try text(name: value) }
    #expect(throws: MessageRefused(.malformed)) { try text(locale: value) }
  }

  @Test("a body beyond the maximum is refused")
  func tooLong() {
    #expect(throws: MessageRefused(.tooLong)) { try text(body: String(repeating: "x", count: 256 * 1024 + 1)) }
  }

  @Test("with a page it is two parts that say the same, the page last, with bytes that a repetition has, too")
  func alternative() throws {
    let address = try #require(EmailAddress("no-reply@bank.example"))
    let key = MessageTexts.Key(.resetPassword, .email, "ar")
    let message = try MessageTexts.standardTexts.preview(key)
    func data() throws -> Data {
      try MailText(
        message, from: MailSender(name: "Bank", address: address), to: try #require(EmailAddress("a@example.com")),
        at: Instant(milliseconds: 951_782_400_000), id: "0193-abXy"
      ).data()
    }
    let text = String(decoding: try data(), as: UTF8.self)
    #expect(try data() == Data(text.utf8))
    let line = try #require(text.components(separatedBy: "\r\n").first { $0.hasPrefix("Content-Type: multipart") })
    let boundary = try #require(line.split(separator: "\"").dropFirst().first.map(String.init))
    #expect(boundary == "=_gatehouse_0193abXy")
    let parts = text.components(separatedBy: "--\(boundary)").dropFirst()
    #expect(parts.count == 3 && parts.last == "--\r\n")
    let bodies = try parts.dropLast().map { part in
      let start = try #require(part.range(of: "\r\n\r\n")).upperBound
      let data = try #require(Data(base64Encoded: String(part[start...]), options: .ignoreUnknownCharacters))
      return String(decoding: data, as: UTF8.self).replacing("\r\n", with: "\n")
    }
    #expect(bodies == [message.body, message.html])
    #expect(parts.dropFirst(0).first?.contains("Content-Type: text/plain; charset=utf-8") == true)
    #expect(parts.dropFirst(1).first?.contains("Content-Type: text/html; charset=utf-8") == true)
  }
}
