// SPDX-License-Identifier: Apache-2.0

import Delivery
import Foundation
import Kit
import Storage
import TestSupport
import Testing

@testable import Console
@testable import GatehouseApp
@testable import RubixFlow

@Suite("Console: what the person of a case was sent")
struct ConsoleMessageTests {
  private static func sent(_ console: ConsoleTestApp) async throws -> (path: String, id: RubixFlow.Application.ID) {
    let path = try await ConsoleCaseTests.openHostile(console)
    return (path, try await send(toPersonOf: path, console))
  }

  /// Sends a code in the words of the catalogue to the customer of a case.
  @discardableResult
  static func send(
    toPersonOf path: String, _ console: ConsoleTestApp
  ) async throws -> RubixFlow.Application.ID {
    let item = String(path.split(separator: "/").last ?? "")
    let subject = try await console.app.database.read {
      try $0.first("SELECT subject_id FROM casework_case WHERE id = \(item)")?.get("subject_id", as: String.self)
    }
    let id = RubixFlow.Application.ID(rawValue: try #require(subject))
    var message = try MessageTexts.standardTexts.message(
      .confirmContact(code: "493817", minutes: 5), by: .email, to: "erika@example.com",
      from: MessageSender(name: "Bank", host: "bank.example"), locale: "fr")
    (message.id, message.about) = ("m1", id.rawValue)
    try await console.app.messenger.send(message)
    return id
  }

  @Test(
    "the case says what went where, when and how it ended, in the reader's language, and never the code", .onOneEngine)
  func page() async throws {
    try await ConsoleTestApp.run { console in
      let (path, id) = try await Self.sent(console)
      let english = try await ConsoleCaseTests.page(path, in: .english, console)
      for words in [
        "Messages sent", "Code to confirm a contact", "E-mail", "e•••@example.com", "Français", "Handed over",
      ] { #expect(english.contains(words), "\(words)") }
      let french = try await ConsoleCaseTests.page(path, in: .french, console)
      #expect(french.contains("Messages envoyés") && french.contains("Code de confirmation d’un contact"))
      let arabic = try await ConsoleCaseTests.page(path, in: .arabic, console)
      #expect(arabic.contains("الرسائل المرسلة") && arabic.contains("رمز تأكيد وسيلة الاتصال"))
      // The applicant's own address stands among the facts; the code stands nowhere.
      for html in [english, french, arabic] { #expect(!html.contains("493817")) }

      // What others wrote into a name of a text is text.
      var hostile = Message(.email, to: "erika@example.com", subject: "s", body: "b", locale: "<b>")
      (hostile.about, hostile.template) = (id.rawValue, "<script>alert(1)</script>")
      try await console.app.messenger.send(hostile)
      let page = try await ConsoleCaseTests.page(path, in: .english, console)
      #expect(!page.contains("<script>alert(1)") && !page.contains("<td><b>"))
    }
  }

  @Test("the person's export holds it, and an erasure takes it away")
  func rights() async throws {
    try await ConsoleTestApp.run { console in
      let (app, id) = (console.app, try await Self.sent(console).id)
      let (export, _) = try await app.rubix.exporter(devOutbox: app.devOutbox).export(id, of: .default, by: "operator")
      let sent = try JSONSerialization.jsonObject(with: JSONEncoder().encode(export.sentMessages)) as? [[String: Any]]
      #expect(sent?.count == 1 && sent?.first?["kind"] as? String == "confirm-contact")
      #expect(sent?.first?["recipient"] as? String == "e•••@example.com")
      #expect(sent?.first?["state"] as? String == "accepted")
      _ = try await app.customerErasure.erase(
        id, of: .default, for: .retention, by: "operator", despiteDuty: true)
      #expect(try await MessageLog(app.core).list(about: id.rawValue).isEmpty)
    }
  }
}
