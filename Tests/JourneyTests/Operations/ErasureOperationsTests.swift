// SPDX-License-Identifier: Apache-2.0

import Foundation
import Kit
import Storage
import Testing
import TestSupport

@testable import RubixFlow
@testable import GatehouseApp

@Suite("Operations: keys of persons, and what an erasure leaves in copies", .ownFile)
struct ErasureOperationsTests {
  @Test("an epoch key that is not of the data is refused, and so is a missing one; one in place is not set back")
  func epochKeys() async throws {
    let (source, other) = (try await BackupTestApp(), try await BackupTestApp(seed: 2))
    let customer = try await source.customer(1)
    let target = source.folder.file("backup")
    _ = try await source.backup.take(to: target, withKeyring: true)
    let settings = BackupTestApp.settings("restored", in: source.folder)
    let restore = Restore(settings: settings, world: source.clock.world)
    for key in [other.settings.epochKeyPath, source.folder.file("nowhere.json")] {
      await #expect(throws: BackupError.self) {
        try await restore.run(from: target, keyring: nil, epochKey: key, force: false)
      }
    }
    #expect(!FileManager.default.fileExists(atPath: settings.databasePath))

    // Meanwhile the installation has gone on by so many epochs that the backup's are destroyed.
    let file = EpochKeyFile(settings.epochKeyPath)
    let later = try EpochKeyFile(source.settings.epochKeyPath).read().key(of: 9)
    try FileManager.default.createDirectory(
      atPath: "\(settings.dataFolder)/keys", withIntermediateDirectories: true)
    try FileManager.default.copyItem(atPath: source.settings.epochKeyPath, toPath: file.path)
    try file.replace(by: later)
    let report = try await restore.run(from: target, keyring: nil, force: false)
    #expect(report.unreadable == 1)
    #expect(try file.read() == later)
    let restored = try await BackupTestApp.open(settings, source.clock)
    await #expect(throws: VaultError.erased) { try await BackupTestApp.contents(of: restored) }
    // Erased once more, as after any restore, what is left of the customer goes as well.
    let outcome = try await restored.customerErasure.erase(
      customer, of: .default, for: .ended, by: "operator", despiteDuty: true)
    #expect(outcome == .erased(images: 1, related: []))
    #expect(try await BackupTestApp.contents(of: restored).isEmpty)
  }

  @Test("a backup with the keys is refused where the epoch key in place is not the data's, or is missing")
  func epochKeyOfBackup() async throws {
    let (source, other) = (try await BackupTestApp(), try await BackupTestApp(seed: 2))
    _ = try await source.customer(1)
    let (path, own) = (source.settings.epochKeyPath, source.folder.file("own.json"))
    let target = source.folder.file("backup")
    try FileManager.default.moveItem(atPath: path, toPath: own)
    await #expect(throws: EpochKeyError.missing(path: path)) {
      try await source.backup.take(to: target, withKeyring: true)
    }
    try FileManager.default.copyItem(atPath: other.settings.epochKeyPath, toPath: path)
    await #expect(throws: EpochKeyError.self) { try await source.backup.take(to: target, withKeyring: true) }
    #expect(!FileManager.default.fileExists(atPath: target))
    // The data alone is copied whatever the key is.
    _ = try await source.backup.take(to: source.folder.file("data-alone"), withKeyring: false)
    try FileManager.default.removeItem(atPath: path)
    try FileManager.default.moveItem(atPath: own, toPath: path)
    _ = try await source.backup.take(to: target, withKeyring: true)
    #expect(FileManager.default.fileExists(atPath: "\(target)/\(BackupManifest.epochKeyName)"))
  }

  @Test("a proof shows what was destroyed, and on each backup whether anything can still be opened")
  func proof() async throws {
    let source = try await BackupTestApp()
    let (gone, stays) = (try await source.customer(1), try await source.customer(2))
    let (open, closed) = (source.folder.file("open"), source.folder.file("closed"))
    _ = try await source.backup.take(to: open, withKeyring: true)
    _ = try await source.backup.take(to: closed, withKeyring: false)
    let reason = try #require(ErasureReason(rawValue: "art-17-request"))
    _ = try await source.erasure.erase(gone, of: .default, for: reason, by: "operator")
    try await source.settle()

    let subject = DataSubject(gone.rawValue, of: "default", by: "operator")
    let rubix = try source.app.module(named: RubixModule.name)
    let document = try #require(try await source.app.erasureProof(of: subject, from: rubix))
    #expect(document.range(of: Data(gone.rawValue.utf8)) == nil, "a proof names no person")
    let proof = try ErasureProof(document, by: source.app.vault)
    #expect(proof.reason == "art-17-request" && proof.parts.map(\.tenant) == ["rubix/default"])
    #expect(proof.keys.count == 1)
    #expect(proof.values == ["rubix_application.applicant": 1] && proof.objects == 1)
    let body = try #require(document.firstIndex(of: UInt8(ascii: "\n")))
    for index in stride(from: 0, to: body, by: 7) {
      var changed = document
      changed[index] ^= 1
      let forged = changed
      #expect(throws: Problem.self) { try ErasureProof(forged, by: source.app.vault) }
    }
    let other = DataSubject(stays.rawValue, of: "default", by: "operator")
    #expect(try await source.app.erasureProof(of: other, from: rubix) == nil)

    let check = BackupErasureCheck(settings: source.settings, world: source.clock.world)
    func left(in backup: String) async throws -> ErasureCheck.Report {
      try await check.run(proof, on: backup, keyring: nil, epochKey: nil)
    }
    #expect(try await source.app.checkErasure(proof) == .init())
    // For some weeks the key in place still opens the copy, and the check says it.
    var readable = ErasureCheck.Report()
    (readable.hasKey, readable.keyOpens, readable.values, readable.objects) = (true, true, 1, 1)
    #expect(try await left(in: closed) == readable)
    let epochs = try #require(
      SubjectKeyEpochs(source.app.database, vault: source.app.vault, world: source.clock.world))
    for period in [SubjectKeys.epochLength, SubjectKeys.epochKept] {
      source.clock.advance(by: period)
      try await epochs.run()
    }
    readable.keyOpens = false
    #expect(try await left(in: closed) == readable)
    #expect(!readable.isReadable)
    // A backup that holds the epoch key itself is never reached.
    #expect(try await left(in: open).isReadable)
    let folders = try FileManager.default.contentsOfDirectory(atPath: source.settings.dataFolder)
    #expect(!folders.contains { $0.hasPrefix("checking") })
  }

  @Test("a backup that was changed since it was taken shows nothing of an erasure, and is refused")
  func changedBackup() async throws {
    let source = try await BackupTestApp()
    let gone = try await source.customer(1)
    let backup = source.folder.file("backup")
    _ = try await source.backup.take(to: backup, withKeyring: true)
    let reason = try #require(ErasureReason(rawValue: "art-17-request"))
    _ = try await source.erasure.erase(gone, of: .default, for: reason, by: "operator")
    let subject = DataSubject(gone.rawValue, of: "default", by: "operator")
    let rubix = try source.app.module(named: RubixModule.name)
    let document = try #require(try await source.app.erasureProof(of: subject, from: rubix))
    let proof = try ErasureProof(document, by: source.app.vault)
    let check = BackupErasureCheck(settings: source.settings, world: source.clock.world)
    #expect(try await check.run(proof, on: backup, keyring: nil, epochKey: nil).isReadable)

    for name in ["keys/epoch-key.json", "keys/keyring.json", "gatehouse.sqlite"] {
      let file = URL(fileURLWithPath: "\(backup)/\(name)")
      let whole = try Data(contentsOf: file)
      try (whole + Data("\n".utf8)).write(to: file)
      let error = await #expect(throws: BackupError.self) {
        try await check.run(proof, on: backup, keyring: nil, epochKey: nil)
      }
      #expect(error?.description == "\(name) was changed since the backup was taken")
      try whole.write(to: file)
    }
    #expect(try await check.run(proof, on: backup, keyring: nil, epochKey: nil).isReadable)
    let folders = try FileManager.default.contentsOfDirectory(atPath: source.settings.dataFolder)
    #expect(!folders.contains { $0.hasPrefix("checking") })
  }

  @Test("a backup whose epochs are destroyed opens with a newer one's keys of persons, except who was erased since")
  func newerKeys() async throws {
    let source = try await BackupTestApp()
    let (gone, _) = (try await source.customer(1), try await source.customer(2))
    let (old, newer) = (source.folder.file("old"), source.folder.file("newer"))
    _ = try await source.backup.take(to: old, withKeyring: true)
    let reason = try #require(ErasureReason(rawValue: "art-17-request"))
    _ = try await source.erasure.erase(gone, of: .default, for: reason, by: "operator")
    let epochs = try #require(
      SubjectKeyEpochs(source.app.database, vault: source.app.vault, world: source.clock.world))
    for _ in 1...6 {
      source.clock.advance(by: SubjectKeys.epochLength)
      try await epochs.run()
    }
    _ = try await source.backup.take(to: newer, withKeyring: false)
    let before = try SHA256Folder.digests(newer)

    func restore(_ name: String, from folder: String, keys: String?) async throws -> (Restore.Report, Settings) {
      let settings = BackupTestApp.settings(name, in: source.folder)
      try FileManager.default.createDirectory(
        atPath: "\(settings.dataFolder)/keys", withIntermediateDirectories: true)
      try FileManager.default.copyItem(atPath: source.settings.epochKeyPath, toPath: settings.epochKeyPath)
      try FileManager.default.copyItem(atPath: source.settings.keyringPath, toPath: settings.keyringPath)
      let restore = Restore(settings: settings, world: source.clock.world)
      return (try await restore.run(from: folder, keyring: nil, subjectKeys: keys, force: false), settings)
    }
    let alone = try await restore("alone", from: old, keys: nil)
    #expect(alone.0.unreadable == 2 && alone.0.keys == nil)
    let (report, settings) = try await restore("restored", from: old, keys: newer)
    #expect(report.keys == .init(taken: 1, erased: 1) && report.unreadable == 0)
    #expect(try SHA256Folder.digests(newer) == before, "the newer backup is only read")
    let restored = try await BackupTestApp.open(settings, source.clock)
    await #expect(throws: VaultError.erased) { try await BackupTestApp.contents(of: restored) }
    _ = try await restored.customerErasure.erase(
      gone, of: .default, for: .ended, by: "operator", despiteDuty: true)
    #expect(try await BackupTestApp.contents(of: restored) == [BackupTestApp.email(2): [BackupTestApp.picture(2)]])

    // Keys of an older one, of the same one and of another installation are refused, and nothing is put in place.
    let other = try await BackupTestApp("other", in: source.folder, seed: 2)
    _ = try await other.customer(3)
    other.clock.advance(by: .days(60))
    let foreign = source.folder.file("foreign")
    _ = try await other.backup.take(to: foreign, withKeyring: true)
    for (number, (folder, keys)) in [(newer, old), (old, old), (old, foreign)].enumerated() {
      await #expect(throws: BackupError.self) { try await restore("refused-\(number)", from: folder, keys: keys) }
      let database = BackupTestApp.settings("refused-\(number)", in: source.folder).databasePath
      #expect(!FileManager.default.fileExists(atPath: database))
    }
  }
}

/// What is in a folder, by path.
private enum SHA256Folder {
  static func digests(_ folder: String) throws -> [String: String] {
    try FileManager.default.subpathsOfDirectory(atPath: folder).reduce(into: [:]) { digests, path in
      digests[path] = FileManager.default.contents(atPath: "\(folder)/\(path)")?.sha256Hex ?? "folder"
    }
  }
}
