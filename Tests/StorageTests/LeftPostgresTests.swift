// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestSupport
import Testing

@Suite(
  "Storage: throw-away servers that were killed", .storeless,
  .enabled(if: SecurePostgres.isInstalled, "\(SecurePostgres.missing)"))
struct LeftPostgresTests {
  @Test("the next run removes what a run left that is gone, and leaves what is held or has no lock yet")
  func left() throws {
    let gone = try Self.folder("lock")
    let (held, begun) = (try Self.folder("lock"), try Self.folder("begun"))
    defer { for folder in [gone, held, begun] { try? FileManager.default.removeItem(atPath: folder) } }
    let lock = open("\(held)/lock", O_RDONLY | O_CLOEXEC)
    defer { close(lock) }
    try #require(flock(lock, LOCK_EX | LOCK_NB) == 0)
    let next = ChildProcess()
    next.executableURL = SecurePostgres.script
    // The run holds its own folder, and so does its server, which may outlive it. What its processes share is in there.
    next.arguments = [
      "bash", "-c",
      """
      folder=${GATEHOUSE_TEST_POSTGRES#*host=}
      ! flock -n "$folder/lock" true && [ "$folder/lock" -ef "/proc/$(head -n 1 "$folder/data/postmaster.pid")/fd/9" ] &&
        [ -n "$(ls "$folder/data/pg_dynshmem")" ]
      """,
    ]
    try next.run()
    next.waitUntilExit()
    #expect(next.terminationStatus == 0)
    #expect([gone, held, begun].map { FileManager.default.fileExists(atPath: $0) } == [false, true, true])
  }

  private static func folder(_ file: String) throws -> String {
    let folder = "/tmp/gatehouse-pg.\(UUID().uuidString)"
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: false)
    try Data().write(to: URL(filePath: "\(folder)/\(file)"))
    return folder
  }
}
