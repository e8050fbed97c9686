// SPDX-License-Identifier: Apache-2.0

import Storage
import TestSupport
import Testing

@Suite("Storage: a file of SQLite that another program holds", .ownFile)
struct HeldFileTests {
  @Test(
    "a file that another program writes to for long, and that has no log, is told as busy and not waited for all night",
    .timeLimit(.minutes(2)))
  func held() throws {
    let folder = try TestFolder()
    let path = folder.file("store.sqlite")
    try SQLite(path: path).close()
    let other = try PlainSQLite(path)
    try other.run("BEGIN IMMEDIATE")
    let failure = try #require(throws: SQLError.self) { try SQLite(path: path).close() }
    #expect(failure == .busy)
    try other.run("ROLLBACK")
    try SQLite(path: path).close()
  }
}
