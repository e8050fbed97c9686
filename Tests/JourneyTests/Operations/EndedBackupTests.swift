// SPDX-License-Identifier: Apache-2.0

import Foundation
import Glibc
import TestSupport
import Testing

@testable import GatehouseApp

@Suite("Operations: a command that is told to end", .ownFile)
struct EndedBackupTests {
  @Test(
    "a backup leaves no unfinished folder: it is whole under its name, or nothing is there",
    .enabled(if: ServedProcess.program != nil, "\(ServedProcess.missing)"), .timeLimit(.minutes(2)),
    arguments: [SIGTERM, SIGINT])
  func ended(signal: Int32) async throws {
    let source = try await BackupTestApp()
    for number in 0..<20 { _ = try await source.customer(number) }
    let ended = try Self.end(
      ["backup", "--data", source.settings.dataFolder, "--to", source.folder.file("backup")], by: signal
    ) { try !Self.unfinished(in: source.folder).isEmpty }
    #expect(try Self.unfinished(in: source.folder) == [])
    // The signal may come after the folder has got its name, too.
    if !ended.bySignal {
      #expect(ended.status == 0)
      #expect(FileManager.default.fileExists(atPath: source.folder.file("backup/\(BackupManifest.name)")))
    }
  }

  @Test(
    "a restore leaves no copy and no half of one; it says that it was ended, and a second one is whole",
    .enabled(if: ServedProcess.program != nil, "\(ServedProcess.missing)"), .timeLimit(.minutes(2)),
    arguments: [SIGTERM, SIGINT])
  func restore(signal: Int32) async throws {
    let source = try await BackupTestApp()
    for number in 0..<20 { _ = try await source.customer(number) }
    _ = try await source.backup.take(to: source.folder.file("backup"), withKeyring: true)
    let line = ["restore", "--from", source.folder.file("backup"), "--data", source.folder.file("other")]
    func names() -> [String] {
      (try? FileManager.default.contentsOfDirectory(atPath: source.folder.file("other"))) ?? []
    }
    let ended = try Self.end(line, by: signal) { names().contains { $0.hasPrefix("restoring-") } }
    #expect(names().filter { $0.hasPrefix("restoring-") } == [])
    if ended.bySignal {
      #expect(ended.status == signal && ended.said.contains("Ended by \(signal == SIGINT ? "SIGINT" : "SIGTERM")"))
      #expect(!names().contains("gatehouse.sqlite"))
      #expect(try Self.end(line, by: signal) { false }.status == 0)
    } else {
      #expect(ended.status == 0, "\(ended.said)")
    }
    #expect(names().contains("gatehouse.sqlite") && names().contains("blobs"))
  }

  @Test(
    "an export leaves no part of a person's data, in a folder or an archive",
    .enabled(if: ServedProcess.program != nil, "\(ServedProcess.missing)"), .timeLimit(.minutes(2)),
    arguments: ["export", "export.zip"])
  func export(name: String) async throws {
    let source = try await BackupTestApp()
    let customer = try await source.customer(0)
    let line = [
      "customer", "export", "--customer", customer.rawValue, "--data", source.settings.dataFolder,
      "--to", source.folder.file(name), "--json",
    ]
    func unfinished() throws -> [String] {
      try FileManager.default.contentsOfDirectory(atPath: source.folder.path)
        .filter { $0.hasPrefix("\(name).") && $0.hasSuffix(".new") }
    }
    let ended = try Self.end(line, by: SIGTERM) { try !unfinished().isEmpty }
    #expect(try unfinished() == [])
    let isThere = FileManager.default.fileExists(atPath: source.folder.file(name))
    #expect(isThere || ended.bySignal)
    if ended.bySignal { #expect(ended.said.hasPrefix(#"{"error":{"code":"ended","exit_code":143,"#)) }
  }

  /// Runs a command, and ends it as soon as something is so.
  private static func end(
    _ arguments: [String], by signal: Int32, when isSo: () throws -> Bool
  ) throws -> (bySignal: Bool, status: Int32, said: String) {
    let (command, errors) = (ChildProcess(), Pipe())
    command.executableURL = try #require(ServedProcess.program)
    command.arguments = arguments
    (command.standardOutput, command.standardError) = (FileHandle.nullDevice, errors)
    try command.run()
    while command.isRunning, try !isSo() { sched_yield() }
    kill(command.processIdentifier, signal)
    let said = errors.fileHandleForReading.readDataToEndOfFile()
    command.waitUntilExit()
    return (
      command.terminationReason == .uncaughtSignal, command.terminationStatus, String(decoding: said, as: UTF8.self)
    )
  }

  private static func unfinished(in folder: TestFolder) throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: folder.path)
      .filter { $0.hasPrefix("backup.") && $0.hasSuffix(".new") }
  }
}
