import Capabilities
import Foundation
import Kit
import Storage
import Testing

@Suite("Messaging: the development outbox")
struct DevOutboxTests {
  private func open(_ path: String? = nil, _ clock: MovableClock) async throws -> (SQLite, DevOutbox) {
    let database = try path.map { try SQLite(path: $0) } ?? SQLite()
    try await database.migrate([DataKeyStore.migration, DevMessageStore.migration])
    let vault = try await Vault.open(database, keyring: Keyring(world: clock.world), world: clock.world)
    return (database, DevOutbox(database: database, vault: vault, world: clock.world))
  }

  @Test("messages of both channels are kept and listed newest first")
  func list() async throws {
    let clock = MovableClock()
    let (_, outbox) = try await open(nil, clock)
    let messenger = Messenger(sms: outbox.sms, mail: outbox.mail)
    let first = Message(.sms, to: "+96550001234", body: "one", locale: "en")
    let second = Message(.email, to: "a@example.com", subject: "s", body: "two", locale: "ar")
    try await messenger.send(first)
    clock.advance(.seconds(1))
    try await messenger.send(second)
    let kept = try await outbox.list()
    #expect(kept.map(\.message) == [second, first])
    #expect(kept.map(\.sentAt) == [clock.now, clock.now - .seconds(1)])
    #expect(try await outbox.find(kept[1].id).message == first)
    #expect(try await outbox.list(limit: 1).map(\.message) == [second])
    await #expect(throws: Problem.notFound) { try await outbox.find(.init(rawValue: "none")) }
  }

  @Test("older messages make room")
  func trimmed() async throws {
    let clock = MovableClock()
    let (database, outbox) = try await open(nil, clock)
    for number in 0..<(DevOutbox.messagesMax + 3) {
      clock.advance(.milliseconds(1))
      try await outbox.sms.send(Message(.sms, to: "+96550001234", body: "\(number)", locale: "en"))
    }
    let count: Int = try await database.read { try $0.first("SELECT COUNT(*) AS n FROM dev_message")?.get("n") ?? 0 }
    #expect(count == DevOutbox.messagesMax)
    #expect(try await outbox.list(limit: 1).first?.message.body == "\(DevOutbox.messagesMax + 2)")
  }

  @Test("neither text nor recipient is in the database file")
  func sealed() async throws {
    let folder = try TestFolder()
    let (_, outbox) = try await open(folder.file("dev.sqlite"), MovableClock())
    try await outbox.sms.send(Message(.sms, to: "+96550001234", body: "your code is here", locale: "en"))
    for name in try FileManager.default.contentsOfDirectory(atPath: folder.path) {
      let bytes = try Data(contentsOf: URL(filePath: folder.file(name)))
      #expect(bytes.range(of: Data("50001234".utf8)) == nil)
      #expect(bytes.range(of: Data("your code".utf8)) == nil)
    }
  }
}
