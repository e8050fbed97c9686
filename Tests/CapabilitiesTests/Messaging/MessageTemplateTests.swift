// SPDX-License-Identifier: Apache-2.0

import Foundation
import Kit
import TestSupport
import Testing

@testable import Delivery

@Suite("Messaging: an institution's own words are strict", .storeless)
struct MessageTemplateTests {
  private static let rounds = 2000

  @Test("whatever values a text names, it is taken exactly when they are its notice's and the code is there")
  func property() throws {
    var generator = SeededGenerator(seed: 3)
    let words = ["code", "minutes", "house", "host", "link", "amount", "codes", "x"]
    var (taken, refused) = (0, 0)
    for _ in 0..<Self.rounds {
      let kind = Notice.Kind.allCases[Int(generator.next() % UInt64(Notice.Kind.allCases.count))]
      let channel = kind.channels[Int(generator.next() % UInt64(kind.channels.count))]
      let named = words.filter { _ in generator.next() % 4 == 0 }
      let loose = ["", "", "", "{", "}", "{Code}", "{co de}", "{}"][Int(generator.next() % 8)]
      let body = named.map { "{\($0)}" }.joined(separator: " and ") + " words " + loose
      let key = MessageTexts.Key(kind, channel, "en")
      let text = MessageTexts.Text(subject: channel == .sms ? nil : "About {house}", body: body)
      let allowed = kind.names.union(kind.hasHost ? ["house", "host"] : ["house"])
      let isRight = Set(named).isSubset(of: allowed) && kind.needed.isSubset(of: named) && loose.isEmpty
      do {
        let texts = try MessageTexts(replacing: [key: text])
        #expect(isRight, "\(body)")
        let message = try texts.preview(key)
        #expect(!message.body.contains("{") && message.html?.contains("{") != true)
        taken += 1
      } catch is MessageTextsError {
        #expect(!isRight, "\(kind) \(body)")
        refused += 1
      }
    }
    #expect(taken > 50 && refused > 50)
  }

  @Test("a file that is no text's, lacks a field, has one too many or breaks a rule stops the start")
  func files() throws {
    let right = "version: 2\n\n{house}: {code}!"
    func load(_ name: String, _ content: String) throws -> MessageTexts {
      let folder = try TestFolder()
      try Data(content.utf8).write(to: URL(fileURLWithPath: folder.file(name)))
      return try MessageTexts(folder: folder.path)
    }
    let texts = try load("sign-in-code.sms.en.txt", right)
    let message = try texts.preview(.init(.signInCode, .sms, "en"))
    #expect(message.body == "Bank of Utopia: 012345!" && message.template == "sign-in-code.sms.en.v2")
    #expect(try load("sign-in-code.sms.de.txt", right).preview(.init(.signInCode, .sms, "de")).locale == "de")
    for (name, content) in [
      ("sign-in-code.sms.txt", right), ("sign-in-code.fax.en.txt", right), ("code.sms.en.txt", right),
      ("sign-in-code.push.en.txt", right), ("sign-in-code.sms.english.txt", right), ("sign-in-code.sms.en.md", right),
      ("sign-in-code.sms.en.txt", ""), ("sign-in-code.sms.en.txt", "{house}: {code}"),
      ("sign-in-code.sms.en.txt", "version: 0\n\n{code}"), ("sign-in-code.sms.en.txt", "version: x\n\n{code}"),
      ("sign-in-code.sms.en.txt", "version: 1\nversion: 1\n\n{code}"),
      ("sign-in-code.sms.en.txt", "version: 1\nfrom: us\n\n{code}"),
      ("sign-in-code.sms.en.txt", "version: 1\nsubject: x\n\n{code}"),
      ("sign-in-code.email.en.txt", "version: 1\n\n{code}"),
      ("sign-in-code.email.en.txt", "version: 1\nsubject: {code}\n\n{code}"),
      ("sign-in-code.sms.en.txt", "version: 1\n\n{code} {link}"), ("sign-in-code.sms.en.txt", "version: 1\n\n{Code}"),
    ] {
      #expect(throws: MessageTextsError.self, "\(name): \(content)") { try load(name, content) }
    }
    #expect(throws: MessageTextsError.self) { try MessageTexts(folder: "/nowhere") }
  }

  @Test("a tenant's own words are that tenant's only, the others are everybody's, and a record says whose")
  func tenants() throws {
    let folder = try TestFolder()
    func write(_ name: String, _ content: String) throws {
      let file = URL(fileURLWithPath: folder.file(name))
      try FileManager.default.createDirectory(
        at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
      try Data(content.utf8).write(to: file)
    }
    try write("sign-in-code.sms.en.txt", "version: 2\n\n{house}: {code}!")
    try write("sign-in-code.sms.fr.txt", "version: 3\n\n{house} : {code}")
    try write("finaptic/8/sign-in-code.sms.en.txt", "version: 7\n\nYour {house} code: {code}")
    let texts = try MessageTexts(folder: folder.path)
    #expect(texts.tenants == [TenantID("finaptic", "8")])
    func written(_ tenant: TenantID, _ language: String) throws -> [String?] {
      let message = try texts.of(tenant).preview(.init(.signInCode, .sms, language))
      return [message.body, message.template]
    }
    #expect(
      try written(TenantID("finaptic", "8"), "en")
        == ["Your Bank of Utopia code: 012345", "finaptic/8/sign-in-code.sms.en.v7"])
    #expect(try written(TenantID("finaptic", "8"), "fr") == ["Bank of Utopia : 012345", "sign-in-code.sms.fr.v3"])
    for other in [TenantID("finaptic", "9"), TenantID("rubix", "8")] {
      #expect(try written(other, "en") == ["Bank of Utopia: 012345!", "sign-in-code.sms.en.v2"])
    }
    for (name, content) in [
      ("finaptic/8/sign-in-code.sms.en.txt", "version: 1\n\n{code} {link}"),
      ("finaptic/8/sign-in-code.txt", "version: 1\n\n{code}"), ("finaptic/a b/x", ""), ("finaptic/x", ""),
      ("finaptic/8/9/x", ""), ("nobody/8/sign-in-code.sms.en.txt", "version: 1\n\n{code}"), ("rubix", ""),
    ] {
      try write(name, content)
      #expect(throws: MessageTextsError.self, "\(name)") { try MessageTexts(folder: folder.path) }
      let top = name.split(separator: "/").prefix(name.hasPrefix("finaptic/8") ? 3 : name.hasPrefix("fin") ? 2 : 1)
      try FileManager.default.removeItem(atPath: folder.file(top.joined(separator: "/")))
    }
    #expect(try MessageTexts(folder: folder.path).tenants == [TenantID("finaptic", "8")])
  }

  @Test("bytes of any kind are a text or refused, never a crash")
  func fuzz() {
    var generator = SeededGenerator(seed: 9)
    let alphabet = Array("{}:\n\r version1subject codehouse\u{0}é🦊".unicodeScalars)
    for _ in 0..<Self.rounds {
      let length = Int(generator.next() % 60)
      let scalars = (0..<length).map { _ in alphabet[Int(generator.next() % UInt64(alphabet.count))] }
      let content = String(String.UnicodeScalarView(scalars))
      do {
        let text = try MessageTexts.Text(file: content, "x")
        _ = try MessageTexts(replacing: [.init(.transactionCreated, .push, "en"): text])
      } catch {
        #expect(error is MessageTextsError)
      }
    }
  }

  @Test("in Arabic every value is set apart, no value ends that, and the line for machines has none of it")
  func direction() throws {
    let arabic = TextDirection(language: "ar")
    let template = TextTemplate("مرحبًا {name}، {amount}.\n\n@{host} #{code}")
    let filled = try arabic.fill(
      template, from: ["name": "A\u{2069}\u{202E}B", "amount": "12.30", "host": "bank.example", "code": "012345"])
    #expect(filled == "مرحبًا \u{2068}AB\u{2069}، \u{2068}12.30\u{2069}.\n\n@bank.example #012345")
    let alone = TextTemplate("افتح:\n\n{link}\n\n{house}")
    #expect(
      try arabic.fill(alone, from: ["link": "https://bank.example/a", "house": "Bank"])
        == "افتح:\n\nhttps://bank.example/a\n\nBank")
    let english = TextDirection(language: "en")
    #expect(try english.fill(TextTemplate("Hi {name}."), from: ["name": "Ada"]) == "Hi Ada.")
    #expect(try english.fill(TextTemplate("Hi {name}."), from: ["name": "آدا"]) == "Hi \u{2068}آدا\u{2069}.")
    for language in ["ar", "he", "fa", "ur"] { #expect(TextDirection(language: language) == .rightToLeft) }
    for language in ["en", "fr", "de"] { #expect(TextDirection(language: language) == .leftToRight) }
  }

  @Test("text messages in Latin script keep to the alphabet of one message (GSM 03.38)")
  func alphabet() throws {
    let basic = Set(
      "@£$¥èéùìòÇ\nØøÅåΔ_ΦΓΛΩΠΨΣΘΞÆæßÉ !\"#¤%&'()*+,-./0123456789:;<=>?¡ABCDEFGHIJKLMNOPQRSTUVWXYZÄÖÑÜ§¿abcdefghijklm"
        + "nopqrstuvwxyzäöñüà")
    let keys = MessageTexts.standardTexts.list.map(\.key).filter { $0.channel == .sms && $0.language != "ar" }
    #expect(!keys.isEmpty)
    for key in keys {
      for piece in try #require(MessageTexts.standard[key]).body.pieces {
        guard case .text(let text) = piece else { continue }
        #expect(Set(text).isSubset(of: basic), "\(key.name): \(Set(text).subtracting(basic))")
      }
    }
  }

  @Test("a mail's page says its language and direction, and a value is never markup")
  func page() throws {
    let page = try MailPage(
      TextTemplate("Dear {name},\n\n{code}\n\nline one\nline <two>\n\n{link}"),
      ["name": "<script>\"&'", "code": "012345", "link": "https://bank.example/?a=1&b=\"2\""],
      .rightToLeft, language: "ar"
    ).html
    #expect(page.contains(#"<html lang="ar" dir="rtl">"#) && page.contains(#"<body dir="rtl""#))
    #expect(page.contains("<p>Dear <bdi>&lt;script&gt;&quot;&amp;&#39;</bdi>,</p>"))
    #expect(page.contains(#"<bdi dir="ltr">012345</bdi>"#))
    #expect(page.contains("<p>line one<br>\nline &lt;two&gt;</p>"))
    #expect(page.contains(#"<a href="https://bank.example/?a=1&amp;b=&quot;2&quot;" dir="ltr">"#))
    let odd = try MailPage(
      TextTemplate("{link}"), ["link": "javascript:alert(1)"], .leftToRight, language: "en"
    ).html
    #expect(!odd.contains("href"))
  }
}
