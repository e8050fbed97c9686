// SPDX-License-Identifier: Apache-2.0

import Delivery
import Foundation
import Kit
import Storage
import Testing
import TestSupport

@Suite("Messaging: the development outbox")
struct DevOutboxTests {
  private struct TestApp {
    let store: TestDatabase
    let outbox: DevOutbox
  }

  private func open(_ clock: MovableClock) async throws -> TestApp {
    let store = try await TestDatabase.make(
      .current,
      [
        DataKeyStore.migration, DevMessageStore.migration, DevMessageStore.subjectMigration,
        DevMessageStore.pushMigration,
      ])
    let database = store.database
    let vault = try await Vault.open(database, keyring: Keyring(world: clock.world), world: clock.world)
    return TestApp(store: store, outbox: DevOutbox(database: database, vault: vault, world: clock.world))
  }

  @Test("messages of both channels are kept and listed newest first")
  func list() async throws {
    let clock = MovableClock()
    let app = try await open(clock)
    let messenger = app.outbox.messenger
    let first = Message(.sms, to: "+96550001234", body: "one", locale: "en")
    let second = Message(.email, to: "a@example.com", subject: "s", body: "two", locale: "ar")
    try await messenger.send(first)
    clock.advance(.seconds(1))
    try await messenger.send(second)
    let kept = try await app.outbox.list()
    #expect(kept.map(\.message) == [second, first])
    #expect(kept.map(\.sentAt) == [clock.now, clock.now - .seconds(1)])
    #expect(try await app.outbox.find(kept[1].id).message == first)
    #expect(try await app.outbox.list(limit: 1).map(\.message) == [second])
    await #expect(throws: Problem.notFound) { try await app.outbox.find(.init(rawValue: "none")) }
  }

  @Test("a push is kept with what the app would read, and without the device's token")
  func push() async throws {
    let clock = MovableClock()
    let app = try await open(clock)
    let push = PushMessage(
      .apple, to: "0a1b", title: "t", body: "b", data: ["connection_id": .number(1)], name: "2",
      expiresAt: clock.now + .minutes(1), locale: "ar")
    #expect(try await app.outbox.push.send(push) == .accepted)
    let kept = try #require(try await app.outbox.list().first?.message)
    #expect(kept.channel == .push && kept.recipient == "ios" && kept.subject == "t" && kept.body == "b")
    #expect(kept.data == ["connection_id": "1"] && kept.locale == "ar")
    #expect(!String(decoding: try JSONEncoder().encode(kept), as: UTF8.self).contains("0a1b"))
    await #expect(throws: MessageRefused(.malformed)) {
      try await app.outbox.messenger.send(kept)
    }
  }

  @Test("older messages make room")
  func trimmed() async throws {
    let clock = MovableClock()
    let app = try await open(clock)
    for number in 0..<(DevOutbox.messagesMax + 3) {
      clock.advance(.milliseconds(1))
      try await app.outbox.messenger.send(Message(.sms, to: "+96550001234", body: "\(number)", locale: "en"))
    }
    let count: Int = try await app.store.database.read {
      try $0.first("SELECT COUNT(*) AS n FROM dev_message")?.get("n") ?? 0
    }
    #expect(count == DevOutbox.messagesMax)
    #expect(try await app.outbox.list(limit: 1).first?.message.body == "\(DevOutbox.messagesMax + 2)")
  }

  @Test("neither text nor recipient is in the database's files")
  func sealed() async throws {
    let app = try await open(MovableClock())
    try await app.outbox.messenger.send(Message(.sms, to: "+96550001234", body: "your code is here", locale: "en"))
    let bytes = try await app.store.bytesOnDisk()
    #expect(bytes.range(of: Data("50001234".utf8)) == nil)
    #expect(bytes.range(of: Data("your code".utf8)) == nil)
  }
}
