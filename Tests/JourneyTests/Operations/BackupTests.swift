// SPDX-License-Identifier: Apache-2.0

import Foundation
import Kit
import Storage
import Synchronization
import Testing
import TestSupport

@testable import RubixFlow
@testable import GatehouseApp

@Suite("Operations: backup and restore", .ownFile)
struct BackupTests {
  @Test("who commits while the database is copied is not held up, and is not in the copy")
  func overlap() async throws {
    let source = try await BackupTestApp()
    for number in 0..<5 { _ = try await source.customer(number) }
    let (begun, written) = (Notifier(), DispatchSemaphore(value: 0))
    var backup = source.backup
    let steps = Counter()
    let shares = Mutex<[Int?]>([])
    // The copy stands still after its first step, until the others have committed.
    backup.onStep = { [progress = backup.progress] in
      shares.withLock { $0.append(progress.part?.percent) }
      guard steps.next() == 1 else { return }
      begun.notify()
      written.wait()
    }
    let target = source.folder.file("backup")
    let manifest = try await withThrowingTaskGroup(of: BackupManifest?.self) { group in
      group.addTask { [backup] in try await backup.take(to: target, withKeyring: true) }
      group.addTask {
        await begun.wait()
        defer { written.signal() }
        for number in 5..<10 { _ = try await source.customer(number) }
        return nil
      }
      return try await group.reduce(nil) { $0 ?? $1 }
    }
    let told = shares.withLock { $0.compactMap(\.self) }
    #expect(told.count == steps.count && told == told.sorted() && told.last == 100, "the share only rises")
    #expect(steps.count > 1, "there was something left to copy when they committed")
    #expect(manifest?.auditChains == 6 && manifest?.auditFaults == [] && manifest?.missing == [])
    #expect(try await BackupTestApp.contents(of: source.app).count == 10)
    let settings = BackupTestApp.settings("restored", in: source.folder)
    _ = try await Restore(settings: settings, world: source.clock.world).run(from: target, keyring: nil, force: false)
    let contents = try await BackupTestApp.contents(of: try await BackupTestApp.open(settings, source.clock))
    #expect(Set(contents.keys) == Set((0..<5).map(BackupTestApp.email)))
    #expect((0..<5).allSatisfy { contents[BackupTestApp.email($0)] == [BackupTestApp.picture($0)] })
  }

  @Test("a backup taken while customers come in is of one instant, and its restoration opens every row and picture")
  func online() async throws {
    let source = try await BackupTestApp()
    for number in 0..<5 { _ = try await source.customer(number) }
    let target = source.folder.file("backup")
    let manifest = try await withThrowingTaskGroup(of: BackupManifest?.self) { group in
      group.addTask { try await source.backup.take(to: target, withKeyring: false) }
      group.addTask {
        for number in 5..<40 { _ = try await source.customer(number) }
        return nil
      }
      return try await group.reduce(nil) { $0 ?? $1 }
    }
    let made = try #require(manifest)
    #expect(made.missing == [] && made.auditFaults == [] && !made.includesKeyring)
    let checked = WorkProgress()
    _ = try Restore.verified(made, in: target, checked)
    #expect(checked.part == .init(name: "files to check", done: made.files, all: made.files))
    // The chain of the log itself is one more.
    let audit = try await source.app.database.read { try AuditStore($0).verify(by: source.app.vault) }
    #expect(audit.chains == 41)

    let settings = BackupTestApp.settings("restored", in: source.folder)
    let report = try await Restore(settings: settings, world: source.clock.world).run(
      from: target, keyring: source.settings.keyringPath, epochKey: source.settings.epochKeyPath, force: false)
    #expect(report.manifest == made && report.pendingMigrations == 0 && report.aside == nil)
    let contents = try await BackupTestApp.contents(of: try await BackupTestApp.open(settings, source.clock))
    #expect(contents.count == made.auditChains - 1 && contents.count >= 5)
    for number in 0..<contents.count {
      let pictures = try #require(contents[BackupTestApp.email(number)], "customers came in one after the other")
      // A row may have been copied before its picture's was written, never a picture's row without the picture.
      #expect(pictures == [BackupTestApp.picture(number)] || number == contents.count - 1 && pictures.isEmpty)
    }
    #expect(
      try FileManager.default.contentsOfDirectory(atPath: settings.dataFolder).contains { $0.hasPrefix("restoring") }
        == false)
  }

  @Test("a backup names the operator's own views and triggers, for which its restoration is refused")
  func foreignCode() async throws {
    let source = try await BackupTestApp()
    _ = try await source.customer(1)
    #expect(try await source.backup.take(to: source.folder.file("own"), withKeyring: true).foreignCode == [])
    try await source.app.database.write { tx in
      try tx.execute("CREATE VIEW \"my \u{1B}report\" AS SELECT scope FROM idempotency")
      try tx.execute("DROP TRIGGER ledger_entry_no_update")
    }
    let target = source.folder.file("backup")
    let manifest = try await source.backup.take(to: target, withKeyring: true)
    let told = ["ledger_entry_no_update is missing", "my ?report is not of this program"]
    #expect(manifest.foreignCode?.sorted() == told)
    #expect(try FileManager.default.contentsOfDirectory(atPath: target).contains { $0.hasPrefix("steps") } == false)
    let settings = BackupTestApp.settings("restored", in: source.folder)
    let refusal = await #expect(throws: BackupError.self) {
      try await Restore(settings: settings, world: source.clock.world).run(from: target, keyring: nil, force: false)
    }
    for name in told { #expect(refusal?.description.contains(name) == true) }
    // What a backup of an older program says of itself has no such member.
    let path = "\(target)/\(BackupManifest.name)"
    var members = try #require(
      try JSONSerialization.jsonObject(with: Data(contentsOf: URL(fileURLWithPath: path))) as? [String: Any])
    #expect(members.removeValue(forKey: "foreignCode") != nil)
    try JSONSerialization.data(withJSONObject: members).write(to: URL(fileURLWithPath: path))
    #expect(try BackupManifest.read(from: target).foreignCode == nil)
    // A file of others may have any number of them: some are named.
    try await source.app.database.write { tx in
      for number in 0..<30 {
        try tx.execute(SQL(stringLiteral: "CREATE VIEW v\(number) AS SELECT scope FROM idempotency"))
      }
    }
    let many = try await source.backup.take(to: source.folder.file("many"), withKeyring: true).foreignCode
    #expect(many?.count == 21 && many?.first == "ledger_entry_no_update is missing" && many?.last == "and others")
  }

  @Test("the list of files is in the form of sha256sum, and nothing of a customer is in clear in any file")
  func files() async throws {
    let source = try await BackupTestApp()
    _ = try await source.customer(1)
    let target = source.folder.file("backup")
    let manifest = try await source.backup.take(to: target, withKeyring: true)
    let names = try FileManager.default.subpathsOfDirectory(atPath: target).sorted()
    #expect(
      names.filter { !$0.hasPrefix("blobs") } == [
        "SHA256SUMS", "gatehouse.sqlite", "keys", "keys/epoch-key.json", "keys/keyring.json", "manifest.json",
      ])
    #expect(manifest.files == 4 && manifest.blobs == 1)
    for name in names {
      guard let file = FileManager.default.contents(atPath: "\(target)/\(name)") else { continue }
      for text in [BackupTestApp.email(1), "picture 1 "] { #expect(file.range(of: Data(text.utf8)) == nil, "\(name)") }
    }
    let check = ChildProcess()
    check.executableURL = URL(fileURLWithPath: "/usr/bin/sha256sum")
    check.arguments = ["--check", "--quiet", "--strict", "SHA256SUMS"]
    check.currentDirectoryURL = URL(fileURLWithPath: target)
    guard FileManager.default.isExecutableFile(atPath: "/usr/bin/sha256sum") else { return }
    try check.run()
    check.waitUntilExit()
    #expect(check.terminationStatus == 0)
  }

  @Test(
    "a backup in which anything was changed, removed or added to the list is refused, and nothing is put in place",
    arguments: [
      "database", "picture", "keyring", "list", "manifest", "no database", "no picture", "no list", "outside",
    ])
  func damaged(_ what: String) async throws {
    let source = try await BackupTestApp()
    _ = try await source.customer(1)
    let target = source.folder.file("backup")
    _ = try await source.backup.take(to: target, withKeyring: true)
    let picture = try #require(
      try FileManager.default.subpathsOfDirectory(atPath: target).first { $0.hasPrefix("blobs/") && $0.count > 20 })
    func flip(_ name: String) throws {
      var bytes = try Data(contentsOf: URL(fileURLWithPath: "\(target)/\(name)"))
      bytes[bytes.count / 2] ^= 1
      try bytes.write(to: URL(fileURLWithPath: "\(target)/\(name)"))
    }
    switch what {
    case "database": try flip("gatehouse.sqlite")
    case "picture": try flip(picture)
    case "keyring": try flip("keys/keyring.json")
    case "list": try flip("SHA256SUMS")
    case "manifest": try Data("{}".utf8).write(to: URL(fileURLWithPath: "\(target)/manifest.json"))
    case "no database": try FileManager.default.removeItem(atPath: "\(target)/gatehouse.sqlite")
    case "no picture": try FileManager.default.removeItem(atPath: "\(target)/\(picture)")
    case "no list": try FileManager.default.removeItem(atPath: "\(target)/SHA256SUMS")
    default: try Self.relist(target) { $0 + "\(Data().sha256Hex)  ../escaped\n" }
    }
    let settings = BackupTestApp.settings("restored", in: source.folder)
    let restore = Restore(settings: settings, world: source.clock.world)
    await #expect(throws: BackupError.self) { try await restore.run(from: target, keyring: nil, force: false) }
    #expect(restore.progress.part.map { $0.done < $0.all ?? 0 } ?? true, "what was refused is not told as done")
    let left = (try? FileManager.default.contentsOfDirectory(atPath: settings.dataFolder)) ?? []
    #expect(left == [])
  }

  /// Changes the list as an attacker would who can also write the manifest.
  private static func relist(_ target: String, _ change: (String) -> String) throws {
    let url = URL(fileURLWithPath: "\(target)/SHA256SUMS")
    let text = Data(change(try String(contentsOf: url, encoding: .utf8)).utf8)
    try text.write(to: url)
    var manifest = try BackupManifest.read(from: target)
    manifest.sums = text.sha256Hex
    manifest.files += 1
    try JSONEncoder().encode(manifest).write(to: URL(fileURLWithPath: "\(target)/manifest.json"))
  }

  @Test("a key ring that does not open the data is refused, and so is a missing one")
  func rings() async throws {
    let (source, other) = (try await BackupTestApp(), try await BackupTestApp(seed: 2))
    _ = try await source.customer(1)
    let target = source.folder.file("backup")
    _ = try await source.backup.take(to: target, withKeyring: false)
    let settings = BackupTestApp.settings("restored", in: source.folder)
    for ring in [nil, other.settings.keyringPath] {
      await #expect(throws: BackupError.self) {
        try await Restore(settings: settings, world: source.clock.world).run(from: target, keyring: ring, force: false)
      }
    }
    #expect(!FileManager.default.fileExists(atPath: settings.databasePath))
    #expect(!FileManager.default.fileExists(atPath: settings.keyringPath))
  }

  @Test("an installation in the way is refused, and with force put aside whole")
  func force() async throws {
    let folder = try TestFolder()
    let source = try await BackupTestApp("source", in: folder)
    _ = try await source.customer(1)
    let target = folder.file("backup")
    _ = try await source.backup.take(to: target, withKeyring: true)
    let occupied = try await BackupTestApp("occupied", in: folder, seed: 2)
    _ = try await occupied.customer(2)
    try occupied.app.database.close()
    let restore = Restore(settings: occupied.settings, world: source.clock.world)
    await #expect(throws: BackupError.self) { try await restore.run(from: target, keyring: nil, force: false) }
    let report = try await restore.run(from: target, keyring: nil, force: true)
    let contents = try await BackupTestApp.contents(of: try await BackupTestApp.open(occupied.settings, source.clock))
    #expect(Array(contents.keys) == [BackupTestApp.email(1)])

    let aside = try #require(report.aside)
    var old = occupied.settings
    old.dataFolder = aside
    try FileManager.default.createDirectory(atPath: "\(aside)/keys", withIntermediateDirectories: true)
    try FileManager.default.moveItem(atPath: "\(aside)/keyring.json", toPath: old.keyringPath)
    try FileManager.default.moveItem(atPath: "\(aside)/epoch-key.json", toPath: old.epochKeyPath)
    let before = try await BackupTestApp.contents(of: try await BackupTestApp.open(old, source.clock))
    #expect(before == [BackupTestApp.email(2): [BackupTestApp.picture(2)]])
  }

  @Test("a restore that cannot be finished puts everything back where it was")
  func undone() async throws {
    let folder = try TestFolder()
    let source = try await BackupTestApp("source", in: folder)
    _ = try await source.customer(1)
    let target = folder.file("backup")
    _ = try await source.backup.take(to: target, withKeyring: true)
    let occupied = try await BackupTestApp("occupied", in: folder, seed: 2)
    _ = try await occupied.customer(2)
    try occupied.app.database.close()
    let before = try Self.files(occupied.settings.dataFolder)
    var settings = occupied.settings
    // Its turn comes when the database was put aside and the objects are in place.
    settings.keyringFile = "/dev/null/keyring.json"
    await #expect(throws: (any Error).self) {
      try await Restore(settings: settings, world: source.clock.world).run(from: target, keyring: nil, force: true)
    }
    #expect(try Self.files(occupied.settings.dataFolder) == before)
    let contents = try await BackupTestApp.contents(of: try await BackupTestApp.open(occupied.settings, source.clock))
    #expect(contents == [BackupTestApp.email(2): [BackupTestApp.picture(2)]])
  }

  /// Every file by its path, with the digest of its bytes; folders with none.
  private static func files(_ folder: String) throws -> [String: String] {
    try FileManager.default.subpathsOfDirectory(atPath: folder).reduce(into: [:]) { files, path in
      files[path] = FileManager.default.contents(atPath: "\(folder)/\(path)")?.sha256Hex ?? ""
    }
  }

  @Test("a picture that was lost is named, one that was erased is not missed")
  func lost() async throws {
    let source = try await BackupTestApp()
    let (erased, kept) = (try await source.customer(1), try await source.customer(2))
    let images = try await source.app.database.read { tx in
      try [erased, kept].map { try ImageStore(tx, vault: source.app.core.vault).ids(of: $0)[0].rawValue }
    }
    try await source.app.database.write { tx in
      _ = try ImageStore(tx, vault: source.app.core.vault).eraseImages(of: erased, at: source.clock.now)
    }
    for key in images { try await source.app.core.blobs.delete(key) }
    let manifest = try await source.backup.take(to: source.folder.file("backup"), withKeyring: false)
    #expect(manifest.missing == [images[1]] && manifest.blobs == 0)
  }

  @Test("a backup that cannot be finished leaves nothing, and none is written over another")
  func wholeOrNothing() async throws {
    let source = try await BackupTestApp()
    _ = try await source.customer(1)
    try FileManager.default.moveItem(atPath: source.settings.keyringPath, toPath: source.folder.file("elsewhere.json"))
    await #expect(throws: BackupError.self) {
      try await source.backup.take(to: source.folder.file("backup"), withKeyring: true)
    }
    let left = try FileManager.default.contentsOfDirectory(atPath: source.folder.path)
    #expect(left.sorted() == ["data", "elsewhere.json"])
    _ = try await source.backup.take(to: source.folder.file("backup"), withKeyring: false)
    await #expect(throws: BackupError.self) {
      try await source.backup.take(to: source.folder.file("backup"), withKeyring: false)
    }
  }

  @Test(
    "whatever is written in a list, no file outside of the backup is named, and what is read is written alike",
    .storeless)
  func listFuzz() {
    var generator = SeededGenerator(seed: 11)
    let pieces = [
      "..", ".", "/", "a", "blobs", "\n", "  ", " ", Data().sha256Hex, "0", "keys/keyring.json", "\u{0}", "é", "\\",
    ]
    var accepted = 0
    for _ in 0..<20_000 {
      let text = (0..<Int.random(in: 0...6, using: &generator)).map { _ in
        pieces[Int.random(in: 0..<pieces.count, using: &generator)]
      }.joined()
      let line = Bool.random(using: &generator) ? "\(Data().sha256Hex)  \(text)\n" : text
      guard let sums = try? BackupChecksums(line) else { continue }
      for (path, _) in sums.digests {
        accepted += 1
        #expect(!path.hasPrefix("/") && !path.split(separator: "/").contains(".."), "\(path)")
      }
      #expect((try? BackupChecksums(sums.text)) == sums)
    }
    #expect(accepted > 100)
  }
}
