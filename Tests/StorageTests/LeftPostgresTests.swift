// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestSupport
import Testing

@Suite(
  "Storage: throw-away servers that were killed", .storeless,
  .enabled(if: SecurePostgres.isInstalled, "\(SecurePostgres.missing)"))
struct LeftPostgresTests {
  @Test("the next run removes the folder of a server that is gone, and leaves one that runs or begins")
  func left() throws {
    let gone = ChildProcess()
    gone.executableURL = URL(filePath: "/bin/true")
    try gone.run()
    gone.waitUntilExit()
    let running = ProcessInfo.processInfo.processIdentifier
    let contents: [String?] = ["\(gone.processIdentifier)\n/data\n", "\(running)\n/data\n", "", nil]
    let folders = try contents.map { content in
      let folder = "/tmp/gatehouse-pg.\(UUID().uuidString)"
      try FileManager.default.createDirectory(atPath: "\(folder)/data", withIntermediateDirectories: true)
      if let content { try Data(content.utf8).write(to: URL(filePath: "\(folder)/data/postmaster.pid")) }
      return folder
    }
    defer { for folder in folders { try? FileManager.default.removeItem(atPath: folder) } }
    let next = ChildProcess()
    next.executableURL = SecurePostgres.script
    next.arguments = ["true"]
    try next.run()
    next.waitUntilExit()
    #expect(next.terminationStatus == 0)
    #expect(folders.map { FileManager.default.fileExists(atPath: $0) } == [false, true, true, true])
  }
}
