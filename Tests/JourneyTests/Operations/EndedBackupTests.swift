// SPDX-License-Identifier: Apache-2.0

import Foundation
import Glibc
import TestSupport
import Testing

@testable import GatehouseApp

@Suite("Operations: a backup that is told to end", .ownFile)
struct EndedBackupTests {
  @Test(
    "leaves no unfinished folder: the backup is whole under its name, or nothing is there",
    .enabled(if: ServedProcess.program != nil, "\(ServedProcess.missing)"), .timeLimit(.minutes(2)),
    arguments: [SIGTERM, SIGINT])
  func ended(signal: Int32) async throws {
    let source = try await BackupTestApp()
    for number in 0..<20 { _ = try await source.customer(number) }
    let backup = Process()
    let program = try #require(ServedProcess.program)
    backup.executableURL = program
    backup.arguments = ["backup", "--data", source.settings.dataFolder, "--to", source.folder.file("backup")]
    (backup.standardOutput, backup.standardError) = (FileHandle.nullDevice, FileHandle.nullDevice)
    try backup.run()
    while backup.isRunning, try Self.unfinished(in: source.folder).isEmpty { sched_yield() }
    kill(backup.processIdentifier, signal)
    backup.waitUntilExit()
    #expect(try Self.unfinished(in: source.folder) == [])
    // The signal may come after the folder has got its name, too.
    if backup.terminationReason == .exit {
      #expect(backup.terminationStatus == 0)
      #expect(FileManager.default.fileExists(atPath: source.folder.file("backup/\(BackupManifest.name)")))
    }
  }

  private static func unfinished(in folder: TestFolder) throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: folder.path)
      .filter { $0.hasPrefix("backup.") && $0.hasSuffix(".new") }
  }
}
