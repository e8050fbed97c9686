// SPDX-License-Identifier: Apache-2.0

import Kit
import TestSupport
import Testing

@testable import Delivery

@Suite("Messaging: the words", .storeless)
struct MessageTextsTests {
  private func sender() throws -> MessageSender {
    try MessageSender(name: "Bank of Utopia", names: ["ar": "بنك اليوتوبيا"], host: "bank.example")
  }

  @Test("every notice exists for each of its channels in every language, and names what it may")
  func complete() throws {
    var count = 0
    for kind in Notice.Kind.allCases {
      for channel in kind.channels {
        for language in MessageTexts.languages {
          let key = MessageTexts.Key(kind, channel, language)
          let text = try #require(MessageTexts.standard[key])
          #expect(throws: Never.self) { try MessageTexts.check(text, for: key) }
          let message = try MessageTexts.standardTexts.preview(key)
          #expect(message.locale == language && message.template == "\(key.name).v1")
          #expect((message.html != nil) == (channel == .email))
          count += 1
        }
      }
    }
    #expect(MessageTexts.standard.count == count, "every text is sent by some notice")
  }

  @Test("a code by SMS says who, what for and not to share, and ends with the line for autofill")
  func smsCode() throws {
    let message = try MessageTexts.standardTexts.message(
      .confirmContact(code: "012345", minutes: 5), by: .sms, to: "+96550001234", from: sender(), locale: "en-GB")
    #expect(
      message.body == """
        Bank of Utopia: 012345 confirms your phone number. Valid 5 min. Never share it, not even with us.

        @bank.example #012345
        """)
    #expect(message.body.utf8.count <= 160, "one SMS, not two")
    #expect(message.subject == nil && message.locale == "en")
  }

  @Test("in Arabic the name is Arabic and the last line is not", arguments: ["ar", "ar-KW", "AR_EG"])
  func arabic(locale: String) throws {
    let message = try MessageTexts.standardTexts.message(
      .confirmContact(code: "012345", minutes: 5), by: .sms, to: "+96550001234", from: sender(), locale: locale)
    #expect(message.locale == "ar")
    #expect(message.body.hasPrefix("\u{2068}بنك اليوتوبيا\u{2069}: \u{2068}012345\u{2069} "))
    #expect(message.body.split(separator: "\n").last == "@bank.example #012345")
  }

  @Test("a language that is not there becomes English")
  func fallback() throws {
    let message = try MessageTexts.standardTexts.message(
      .applicationCompleted, by: .email, to: "a@example.com", from: sender(), locale: "de")
    #expect(message.locale == "en")
    #expect(message.subject == "Welcome to Bank of Utopia")
  }

  @Test("the subject of a mail never shows the code")
  func subject() throws {
    let message = try MessageTexts.standardTexts.message(
      .confirmContact(code: "012345", minutes: 10), by: .email, to: "a@example.com", from: sender(), locale: "en")
    #expect(message.subject == "Confirm your e-mail address for Bank of Utopia")
    #expect(message.body.contains("\n012345\n") && message.body.contains("10 minutes"))
  }

  @Test("a replacement is used when it names its values and refused when it does not")
  func replacements() throws {
    let key = MessageTexts.Key(.confirmContact, .sms, "en")
    let texts = try MessageTexts(replacing: [key: .init(body: "{house} {code}")])
    let message = try texts.message(
      .confirmContact(code: "012345", minutes: 5), by: .sms, to: "+96550001234", from: sender(), locale: "en")
    #expect(message.body == "Bank of Utopia 012345")
    for body in ["no code", "{code} {amount}"] {
      #expect(throws: MessageTextsError.self) { try MessageTexts(replacing: [key: .init(body: body)]) }
    }
    #expect(throws: MessageTextsError.self) { try MessageTexts(replacing: [key: .init(subject: "x", body: "{code}")]) }
    #expect(throws: MessageTextsError.self) {
      try MessageTexts(replacing: [.init(.confirmContact, .email, "en"): .init(subject: "{code}", body: "{code}")])
    }
  }

  @Test("a template takes exactly the values that it names")
  func strict() throws {
    let template = TextTemplate("{one} and {two}, {\"json\": {not a hole} {} {Three} {one")
    #expect(template.names == ["one", "two"])
    #expect(try template.fill(["one": "1", "two": "{one}"]) == "1 and {one}, {\"json\": {not a hole} {} {Three} {one")
    #expect(throws: TextTemplateError.missing("two")) { try template.fill(["one": "1"]) }
    #expect(throws: TextTemplateError.unused("three")) { try template.fill(["one": "", "two": "", "three": ""]) }
  }

  @Test(
    "a house whose name or host could break the last line is refused",
    arguments: [
      ("Bank\n@evil.example #1", "bank.example"), ("", "bank.example"), ("Bank", "bank"), ("Bank", "b.example #1"),
    ])
  func app(name: String, host: String) {
    #expect(throws: MessageSenderError.self) { try MessageSender(name: name, host: host) }
  }
}
