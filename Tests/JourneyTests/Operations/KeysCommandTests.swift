// SPDX-License-Identifier: Apache-2.0

import Foundation
import HTTP
import Kit
import TestSupport
import Testing

@testable import GatehouseApp
@testable import gatehouse

@Suite("Operations: keys on several machines", .ownFile)
struct KeysCommandTests {
  private let folder: TestFolder
  private let settings: Settings

  init() throws {
    folder = try TestFolder()
    settings = BackupTestApp.settings("data", in: folder)
  }

  private func rewrap() async throws { try await KeysCommand.Rewrap.parse(["--data", settings.dataFolder]).run() }
  private func prepare() async throws { try await KeysCommand.Prepare.parse(["--data", settings.dataFolder]).run() }

  /// Opens the installation as a machine does that has this file for its key ring.
  private func open(ring: String) async throws {
    var other = settings
    other.keyringFile = ring
    try await other.putSchema()
    let app = try await App.open(other, logger: settings.logger("keys"))
    try app.database.close()
  }

  @Test("a key is prepared, copied and then used; before that no machine needs it, and the same again changes nothing")
  func twoSteps() async throws {
    try await open(ring: settings.keyringPath)
    let (older, copied) = (folder.file("older.json"), folder.file("copied.json"))
    try FileManager.default.copyItem(atPath: settings.keyringPath, toPath: older)
    let first = try Keyring(at: older)

    let refusal = await #expect(throws: Problem.self) { try await rewrap() }
    #expect(refusal?.code == "no-key-prepared")
    try await prepare()
    let prepared = try Keyring(at: settings.keyringPath)
    #expect(prepared.current == first.current && prepared.next != nil)
    try await prepare()
    #expect(try Keyring(at: settings.keyringPath).next == prepared.next)
    try FileManager.default.copyItem(atPath: settings.keyringPath, toPath: copied)
    for ring in [older, copied] { try await open(ring: ring) }

    try await rewrap()
    #expect(try Keyring(at: settings.keyringPath).current == prepared.next)
    for ring in [copied, settings.keyringPath] { try await open(ring: ring) }
    let lost = await #expect(throws: KeyringError.self) { try await open(ring: older) }
    #expect(lost == prepared.next.map(KeyringError.unknownKey))
    await #expect(throws: Problem.self) { try await rewrap() }
  }

  @Test("killed after the ring was written and before the keys were, a repetition goes on")
  func interrupted() async throws {
    try await open(ring: settings.keyringPath)
    try await prepare()
    var ring = try Keyring(at: settings.keyringPath)
    _ = ring.turnOver()
    try ring.save(to: settings.keyringPath)
    try await open(ring: settings.keyringPath)
    try await rewrap()
    await #expect(throws: Problem.self) { try await rewrap() }
  }

  @Test("a ring that does not open the data is not given to others: nothing is added to it, nothing wrapped")
  func stale() async throws {
    try await open(ring: settings.keyringPath)
    let other = folder.file("other.json")
    let bytes = try Data(contentsOf: URL(filePath: settings.keyringPath))
    _ = try Keyring(path: other, world: .live)
    let config = folder.file("settings.json")
    try Data(#"{"keyring": "\#(other)"}"#.utf8).write(to: URL(filePath: config))
    let foreign = try Data(contentsOf: URL(filePath: other))
    let options = ["--data", settings.dataFolder, "--config", config]
    let expected = KeyringError.unknownKey(try Keyring(at: settings.keyringPath).current)
    await #expect(throws: expected) { try await KeysCommand.Prepare.parse(options).run() }
    await #expect(throws: expected) { try await KeysCommand.Rewrap.parse(options).run() }
    #expect(try Data(contentsOf: URL(filePath: other)) == foreign)
    #expect(try Data(contentsOf: URL(filePath: settings.keyringPath)) == bytes)
  }

  @Test("where there is no ring, none is made beside data that another one opens")
  func elsewhere() async throws {
    for command in [prepare, rewrap] {
      await #expect(throws: KeyringError.missing(path: settings.keyringPath)) { try await command() }
    }
    #expect(!FileManager.default.fileExists(atPath: settings.keyringPath))
    try await open(ring: settings.keyringPath)
    let nowhere = folder.file("elsewhere/keyring.json")
    await #expect(throws: KeyringError.missing(path: nowhere)) { try await open(ring: nowhere) }
    #expect(!FileManager.default.fileExists(atPath: nowhere))
  }
}
