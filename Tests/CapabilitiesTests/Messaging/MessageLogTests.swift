// SPDX-License-Identifier: Apache-2.0

import Foundation
import Kit
import Logging
import Storage
import Synchronization
import Testing
import TestSupport

@testable import Delivery

@Suite("Messaging: what was sent to a customer is known, and not what it said")
struct MessageLogTests {
  private final class Gateway: Sendable {
    /// What the gateway throws next; takes the message when nothing is left.
    let faults = Mutex<[any Error]>([])

    var messenger: Messenger {
      let send: @Sendable (Message) async throws -> Void = { [self] _ in
        if let fault = faults.withLock({ $0.isEmpty ? nil : $0.removeFirst() }) { throw fault }
      }
      return Messenger(sms: SMSGateway(send: send), mail: MailGateway(send: send))
    }
  }

  private struct TestApp {
    let folder: TestFolder
    let store: TestDatabase
    let clock = MovableClock()
    let core: CoreDependencies
    let log: MessageLog
    let gateway = Gateway()
    var messenger: Messenger { gateway.messenger.recorded(in: log) }

    /// - Parameter begun: whether keys of persons seal.
    init(on engine: Engine, begun: Bool = true) async throws {
      folder = try TestFolder()
      store = try await TestDatabase.make(engine, TestDatabase.migrations(of: DeliveryModule.self))
      let database = store.database
      let vault = try await TestVault.openWithSubjectKeys(database, clock.world, in: folder, begun: begun)
      core = CoreDependencies(
        database: database, world: clock.world, vault: vault, blobs: MemoryBlobs(clock.world).blobs)
      log = MessageLog(core)
      try await database.write { tx in
        for person in ["person-1", "person-2"] {
          _ = try vault.seal("x", as: "test", of: KeySubject(person, of: TenantID("rubix", "bank")), in: tx)
        }
      }
    }
  }

  private func code(_ id: String? = "m1", about subject: String? = "person-1") throws -> Message {
    var message = try MessageTexts.standardTexts.message(
      .confirmContact(code: "493817", minutes: 5), by: .sms, to: "+96550001234",
      from: MessageSender(name: "Bank", host: "bank.example"), locale: "fr-FR")
    (message.id, message.about) = (id, subject)
    return message
  }

  @Test(
    "each attempt is counted, its end is known, and neither code nor address can be read", arguments: Engine.available)
  func attempts(engine: Engine) async throws {
    let app = try await TestApp(on: engine)
    app.gateway.faults.withLock { $0 = [MessageUndelivered(.timedOut)] }
    await #expect(throws: MessageUndelivered.self) { try await app.messenger.send(code()) }
    let first = try #require(try await app.log.list(about: "person-1").first)
    #expect(first.state == .failed && first.attempts == 1 && first.firstAt == first.lastAt)
    app.clock.advance(.seconds(60))
    try await app.messenger.send(code())
    let kept = try await app.log.list(about: "person-1")
    let sent = try #require(kept.first)
    #expect(kept.count == 1 && sent.state == .accepted && sent.attempts == 2)
    #expect(sent.firstAt == first.firstAt && sent.lastAt == first.firstAt + .seconds(60))
    #expect(sent.kind == "confirm-contact" && sent.channel == .sms && sent.language == "fr")
    #expect(sent.recipient == "+9655•••1234")
    let rows = try await app.core.database.read { tx in
      try tx.query("SELECT id, subject_id, channel, kind, language, state, sealed FROM sent_message").map { row in
        let texts = try ["id", "subject_id", "channel", "kind", "language", "state"].map { name in
          try row.get(name, as: String.self)
        }
        return (texts.joined(separator: " "), try row.get("sealed", as: Data.self))
      }
    }
    let (text, sealed) = try #require(rows.first)
    for secret in ["493817", "1234", "9655"] {
      #expect(!text.contains(secret) && sealed.range(of: Data(secret.utf8)) == nil)
    }
  }

  @Test("the log tells why a message did not go, in one word that holds nothing of it", .storeless)
  func reasons() {
    let told = [
      (MessageUndelivered(.unreachable) as any Error, "MessageUndelivered.unreachable"),
      (MessageUndelivered(.byGateway(status: 503)), "MessageUndelivered.byGateway.503"),
      (MessageUndelivered(.loginRefused), "MessageUndelivered.loginRefused"),
      (MessageRefused(.overBudget), "MessageRefused.overBudget"),
      (MessageRefused(.byGateway(status: 422)), "MessageRefused.byGateway.422"),
    ]
    for (error, name) in told { #expect(Logger.Metadata.error(error) == ["error": "\(name)"]) }
  }

  @Test("a message that is refused for good has that state, and who is no customer is not written down")
  func others() async throws {
    let app = try await TestApp(on: .current)
    app.gateway.faults.withLock { $0 = [MessageRefused(.notServed)] }
    await #expect(throws: MessageRefused.self) { try await app.messenger.send(code()) }
    #expect(try await app.log.list(about: "person-1").map(\.state) == [.refused])
    try await app.messenger.send(code("m2", about: nil))
    // To an address of the institution, about a customer: no text of the catalogue.
    var alert = Message(.email, to: "desk@bank.example", subject: "A hit", body: "It waits.", locale: "en")
    alert.about = "person-1"
    try await app.messenger.send(alert)
    // Who has no key was erased meanwhile.
    try await app.messenger.send(code("m3", about: "person-3"))
    let all = try await app.core.database.read { try $0.query("SELECT id FROM sent_message").count }
    #expect(all == 1)
  }

  @Test("before keys of persons have begun it is written down, too", arguments: Engine.available)
  func withoutKeys(engine: Engine) async throws {
    let app = try await TestApp(on: engine, begun: false)
    try await app.messenger.send(code())
    #expect(try await app.log.list(about: "person-1").map(\.recipient) == ["+9655•••1234"])
  }

  @Test("what a gateway took stays accepted when a repetition fails", arguments: Engine.available)
  func repeated(engine: Engine) async throws {
    let app = try await TestApp(on: engine)
    try await app.messenger.send(code())
    app.gateway.faults.withLock { $0 = [MessageUndelivered(.timedOut)] }
    await #expect(throws: MessageUndelivered.self) { try await app.messenger.send(code()) }
    let sent = try #require(try await app.log.list(about: "person-1").first)
    #expect(sent.state == .accepted && sent.attempts == 2)
  }

  @Test("mail has the masked address, a text of one tenant the same kind, and the newest comes first")
  func mail() async throws {
    let app = try await TestApp(on: .current)
    try await app.messenger.send(code("m1"))
    app.clock.advance(.seconds(1))
    var mail = Message(.email, to: "erika@example.com", subject: "s", body: "b", locale: "ar")
    (mail.about, mail.template) = ("person-1", "rubix:bank/call-reminder.email.ar.v3")
    try await app.messenger.send(mail)
    let kept = try await app.log.list(about: "person-1")
    #expect(kept.map(\.kind) == ["call-reminder", "confirm-contact"])
    #expect(kept.first?.recipient == "e•••@example.com" && kept.first?.language == "ar")
  }

  @Test("an erasure takes it away, and after half a year so does the sweep")
  func forgotten() async throws {
    let app = try await TestApp(on: .current)
    try await app.messenger.send(code("m1"))
    try await app.messenger.send(code("m2", about: "person-2"))
    try await app.core.database.write { tx in
      try MessageLog.forget(about: "person-1", vault: app.core.vault, in: tx)
    }
    #expect(try await app.log.list(about: "person-1").isEmpty)
    #expect(try await app.log.list(about: "person-2").count == 1)
    app.clock.advance(MessageLog.kept + .seconds(1))
    let now = app.clock.world.now()
    let gone = try await app.core.database.write { tx in
      try SentMessageStore.sweep(before: now - MessageLog.kept, limit: 10, in: tx)
    }
    #expect(gone == 1)
  }

  @Test("a record that cannot be written does not have the message sent again")
  func unkept() async throws {
    let app = try await TestApp(on: .current)
    let told = Mutex(0)
    let log = MessageLog(app.core) { _ in told.withLock { $0 += 1 } }
    try await app.core.database.write { _ = try $0.execute("DROP TABLE sent_message") }
    try await app.gateway.messenger.recorded(in: log).send(code())
    #expect(told.withLock { $0 } == 1)
  }
}
