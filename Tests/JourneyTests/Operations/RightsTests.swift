// SPDX-License-Identifier: Apache-2.0

import Foundation
import Kit
import Storage
import Testing
import TestSupport

@testable import RubixFlow
@testable import GatehouseApp
@testable import gatehouse

@Suite("Operations: the rights of a customer")
struct RightsTests {
  private static let reason = ErasureReason.retention

  @Test(
    "after an erasure no byte of the customer is on disk, sealed or in clear; a backup from before has it", .ownFile
  )
  func bytes() async throws {
    let source = try await BackupTestApp()
    let (gone, stays) = (try await source.customer(1), try await source.customer(2))
    _ = try await source.backup.take(to: source.folder.file("backup"), withKeyring: true)
    // What identifies: the id, and what was sealed, in the middle of a row and of a picture.
    func traces(_ id: RubixFlow.Application.ID) async throws -> [Data] {
      let (row, image) = try await source.app.database.read { tx in
        let row: Data =
          try tx.first("SELECT applicant FROM rubix_application WHERE id = \(id)")?.get("applicant") ?? Data()
        return (row, try ImageStore(tx, vault: source.app.core.vault).ids(of: id)[0].rawValue)
      }
      let picture = try #require(try await source.app.core.blobs.get(image))
      return [Data(id.rawValue.utf8), row.dropFirst(60).prefix(40), picture.dropFirst(60).prefix(40)].map { Data($0) }
    }
    let (lost, kept) = (try await traces(gone), try await traces(stays))
    let before = try source.bytes()
    for trace in lost + kept { #expect(before.range(of: trace) != nil) }

    _ = try await source.erasure.erase(gone, of: .default, for: Self.reason, by: "operator")
    try await source.settle()
    #expect(try await SQLite.emptyLog(source.settings.databasePath))
    let after = try source.bytes()
    for (index, trace) in lost.enumerated() { #expect(after.range(of: trace) == nil, "trace \(index)") }
    for trace in kept { #expect(after.range(of: trace) != nil) }
    #expect(try await source.app.database.read { try AuditStore($0).verify(by: source.app.vault) }.faults == [])

    let settings = BackupTestApp.settings("restored", in: source.folder)
    _ = try await Restore(settings: settings, world: source.clock.world).run(
      from: source.folder.file("backup"), keyring: nil, force: false)
    let restored = try await BackupTestApp.open(settings, source.clock)
    #expect(try await BackupTestApp.contents(of: restored).count == 2)
    let again = restored.customerErasure
    #expect(
      try await again.erase(gone, of: .default, for: Self.reason, by: "operator") == .erased(images: 1, related: []))
  }

  @Test("an export lands whole in a folder, with every picture that it names", .ownFile)
  func folder() async throws {
    let source = try await BackupTestApp()
    let id = try await source.customer(1)
    let (customer, _) = try await source.exporter.export(id, of: .default, by: "operator")
    let target = source.folder.file("export")
    var writer: any ExportWriter = try FolderWriter(target, world: source.clock.world)
    try await source.exporter.write(customer, nil) { try writer.add($0, $1) }
    try writer.finish()
    let text = try #require(FileManager.default.contents(atPath: "\(target)/customer.json"))
    let parsed = try #require(try JSONSerialization.jsonObject(with: text) as? [String: Any])
    let images = try #require(parsed["images"] as? [[String: Any]])
    let files = images.flatMap { $0["files"] as? [[String: Any]] ?? [] }
    #expect(files.count == 1)
    for file in files {
      let path = try #require(file["path"] as? String)
      let bytes = try #require(FileManager.default.contents(atPath: "\(target)/\(path)"))
      #expect(bytes == BackupTestApp.picture(1) && file["sha256"] as? String == bytes.sha256Hex)
    }
    let names = try FileManager.default.contentsOfDirectory(atPath: source.folder.path)
    #expect(names.sorted() == ["data", "export"])
    #expect(throws: BackupError.self) { try FolderWriter(target, world: source.clock.world) }
  }

  @Test("an archive is one that unzip accepts, and holds the same", .ownFile)
  func archive() async throws {
    let source = try await BackupTestApp()
    let id = try await source.customer(1)
    let (customer, restricted) = try await source.exporter.export(id, of: .default, by: "operator")
    let target = source.folder.file("export.zip")
    var writer: any ExportWriter = try ZipWriter(target, world: source.clock.world)
    try await source.exporter.write(customer, restricted) { try writer.add($0, $1) }
    try writer.finish()
    let mode = try FileManager.default.attributesOfItem(atPath: target)[.posixPermissions] as? Int
    #expect(mode == 0o600)
    let bytes = try #require(FileManager.default.contents(atPath: target))
    for text in ["customer.json", "restricted.json", BackupTestApp.email(1), "picture 1 "] {
      #expect(bytes.range(of: Data(text.utf8)) != nil)
    }
    guard FileManager.default.isExecutableFile(atPath: "/usr/bin/unzip") else { return }
    let check = ChildProcess()
    check.executableURL = URL(fileURLWithPath: "/usr/bin/unzip")
    check.arguments = ["-tqq", target]
    try check.run()
    check.waitUntilExit()
    #expect(check.terminationStatus == 0)
  }

  @Test("an archive goes into a file of its own, never into one that others made under its name", .storeless)
  func archiveOfOthers() throws {
    let folder = try TestFolder()
    #expect(throws: BackupError.self) {
      try ZipWriter(folder.file("export.zip"), world: .live) { staged in
        _ = FileManager.default.createFile(atPath: staged, contents: nil, attributes: [.posixPermissions: 0o666])
      }
    }
  }

  @Test("the checksum is the published one of CRC-32", .storeless)
  func checksum() {
    #expect(CRC32.of(Data("123456789".utf8)) == 0xcbf4_3926)
    #expect(CRC32.of(Data()) == 0)
  }

  @Test("the readings of a real passport are in the export, and its pictures are the ones that were taken")
  func journey() async throws {
    try await JourneyTestApp.run { journey in
      let phone = JourneyPhone(journey)
      try await phone.register()
      try await phone.faces()
      try await phone.document(.passport, JourneyPapers.passport)
      let id = RubixFlow.Application.ID(rawValue: try await phone.app.me().id)
      let exporter = journey.app.rubix.exporter(devOutbox: journey.app.devOutbox)
      let (customer, _) = try await exporter.export(id, of: .default, by: "operator")
      let text = String(decoding: try CustomerExporter.json(customer), as: UTF8.self)
      let mrz = try #require(text.firstMatch(of: #/P<UTO([A-Z<]+)/#)?.output.1)
      #expect(mrz.hasPrefix(JourneyPapers.holder.surname.uppercased().prefix(3)) && text.contains(phone.email))
      var pictures = 0
      for image in customer.images {
        for (file, bytes) in try await exporter.pictures(of: image) {
          #expect(bytes.prefix(2) == Data([0xff, 0xd8]), "\(file.path) is a JPEG")
          pictures += 1
        }
      }
      #expect(pictures >= customer.images.count + 1, "every picture, and the portrait of the passport")
    }
  }
}
