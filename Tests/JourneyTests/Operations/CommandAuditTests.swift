// SPDX-License-Identifier: Apache-2.0

import Activations
import ArgumentParser
import Foundation
import TestSupport
import Testing

@testable import GatehouseApp
@testable import Kit
@testable import gatehouse

@Suite("Operations: what commands leave in the audit log (issue 24)", .ownFile)
struct CommandAuditTests {
  private let made: BackupTestApp

  init() async throws { made = try await BackupTestApp() }

  private func run(_ line: String) async throws -> (any Error)? {
    let words = line.split(separator: " ").map(String.init)
    let options = ["--data", made.settings.dataFolder, "--log", "critical"]
    let parsed = try DocumentedCommandTests.parse(words + options)
    var command = try #require(parsed as? any AsyncParsableCommand, "\(line)")
    do { try await command.run() } catch { return error }
    return nil
  }

  /// Actions of a chain, without who did them: that is this machine's user.
  private func actions(_ chain: String) async throws -> [String] {
    let lines = try await made.app.database.read { try AuditStore($0).lines(of: chain) }
    #expect(lines.allSatisfy { $0.actor == OperatorOptions.machineUser }, "\(lines.map(\.actor))")
    return lines.map { ([$0.action] + $0.facts.sorted { $0.key < $1.key }.map(\.value)).joined(separator: " ") }
  }

  private func giveUp(_ topics: [String]) async throws -> [OutboxItem.ID] {
    let (core, later) = (made.app.core, made.clock.now + .seconds(1))
    return try await core.database.write { tx in
      for topic in topics { try core.outbox.enqueue(topic, subject: "s", payload: "p", in: tx) }
      let others = try OutboxStore(tx).pending().map(\.topic).filter { !topics.contains($0) }
      _ = try OutboxStore(tx).deadLetterOrphans(besides: others + ["test.other"], dueBefore: later)
      return try OutboxStore(tx).deadLetters().map(\.id)
    }
  }

  @Test("effects that are let run again or dropped leave a line each, and what is no dead letter leaves none")
  func deadLetters() async throws {
    let letters = try await giveUp(["test.a", "test.b"])
    try #require(letters.count == 2)
    #expect(try await run("outbox release \(letters[0])") == nil)
    #expect(try await run("outbox drop \(letters[1]) --yes") == nil)
    for letter in letters { #expect(try await run("outbox drop \(letter) --yes") is ExitCode) }
    #expect(try await actions("outbox-\(letters[0])") == ["outbox.released"])
    #expect(try await actions("outbox-\(letters[1])") == ["outbox.dropped"])

    _ = try await giveUp(["test.c", "test.c", "test.d"])
    for which in ["--topic test.c", "--topic test.c", "--all"] {
      #expect(try await run("outbox release \(which)") == nil)
    }
    let lines = try await actions("outbox")
    #expect(lines.first == "outbox.released 2 test.c" && lines.count == 2 && lines.last?.hasSuffix(" all") == true)
  }

  @Test("who looks at devices is in the log of the tenant, and not in the history of the device")
  func devices() async throws {
    let activations = made.app.activations
    let release = try await activations.applications.add("Bank", tenant: "default", by: .init("operator"))
    let started = try await activations.initiate(
      InitiateActivation(application: release.application.id, user: "ada"), by: .init("operator"))
    let id = started.activation.id
    #expect(try await run("powerauth activation list --user ada") == nil)
    #expect(try await run("powerauth activation show \(id)") == nil)
    #expect(try await run("powerauth activation show 01a22a50-a65e-7897-938e-e737e35f9909") != nil)
    #expect(try await actions("powerauth-default") == ["activations.listed list", "activation.seen \(id) direct"])
    #expect(try await activations.history(id).map(\.action) == ["activation.initiated"])
  }

  @Test("who told of a backup by other means is in the log, with its instant")
  func toldBackup() async throws {
    #expect(try await run("record-backup --at 2026-11-20T02:30:00Z") == nil)
    #expect(try await actions("backups").map { $0.prefix(35) } == ["backup.recorded 2026-11-20T02:30:00"])
    #expect(try BackupRecord.read(of: made.settings)?.instant == Instant(rfc3339: "2026-11-20T02:30:00Z"))
  }

  @Test("a backup that is whole is no failure because its time cannot be kept")
  func unrecorded() async throws {
    let record = made.settings.dataFolder + "/" + BackupRecord.name
    try FileManager.default.createDirectory(atPath: record + "/kept", withIntermediateDirectories: true)
    let backup = made.folder.file("backup")
    #expect(try await run("backup --to \(backup)") == nil)
    #expect(FileManager.default.fileExists(atPath: "\(backup)/\(BackupManifest.name)"))
  }

  @Test("who turns over a ring whose keys another node has wrapped anew is in the log too")
  func ringAlone() async throws {
    let path = made.settings.keyringPath
    #expect(try await run("keys prepare") == nil)
    let prepared = try Data(contentsOf: URL(fileURLWithPath: path))
    #expect(try await run("keys rewrap") == nil)
    try prepared.write(to: URL(fileURLWithPath: path))
    #expect(try await run("keys rewrap") == nil)
    #expect(try await run("keys rewrap") != nil)
    let key = try Keyring(at: path).current
    #expect(try await actions("keys") == ["keys.rewrapped \(key)", "keys.ring_turned_over \(key)"])
  }

  @Test("who put another epoch key in the place of one that left is in the log, and nothing begins unprepared")
  func epochKey() async throws {
    #expect(try await run("keys replace-epoch-key") != nil)
    #expect(try await run("keys replace-epoch-key --prepare") == nil)
    #expect(try await run("keys replace-epoch-key --prepare") != nil)
    #expect(try await actions("keys") == [])
    #expect(try await run("keys replace-epoch-key") == nil)
    #expect(try await run("keys replace-epoch-key") != nil)
    #expect(try await actions("keys") == ["keys.epoch_key_replaced 2"])
  }

  @Test("who turns keys over is in the log, once for each time, and the log is sound after it")
  func keys() async throws {
    for line in ["rotate", "prepare", "rewrap", "advance"] { #expect(try await run("keys \(line)") == nil, "\(line)") }
    #expect(try await run("keys rewrap") != nil)
    let ring = try Keyring(at: made.settings.keyringPath).current
    #expect(try await actions("keys") == ["keys.rotated", "keys.rewrapped \(ring)", "keys.advanced 2"])
    // Before ten minutes are over no key is destroyed, which the log does not claim.
    for last in ["keys.destruction_requested", "keys.destroyed 2"] {
      #expect(try await run("keys advance --destroy --yes") == nil)
      #expect(try await actions("keys").last == last)
      _ = try await made.app.database.write {
        try $0.execute("UPDATE subject_key_epoch SET began_at = 0 WHERE number = 2")
      }
    }
    #expect(try await actions("keys").count == 6)
    let report = try await made.app.database.read { [made] in try AuditStore($0).verify(by: made.app.vault) }
    #expect(report.isSound, "\(report.faults)")
  }
}
