// SPDX-License-Identifier: Apache-2.0

import Foundation
import Kit
import Ledger
import LedgerSimulation
import Storage
import TestSupport
import Testing

@Suite("Ledger: a year of day ends beside a calculation of its own")
struct YearSimulationTests {
  private static let script = URL(filePath: #filePath).deletingLastPathComponent()
    .appending(path: "../../../scripts/check-interest").standardizedFileURL

  /// - Returns: the exit status of `scripts/check-interest`; nil without Python.
  private static func check(_ lists: YearSimulation.Lists) throws -> Int32? {
    guard PythonProgram.succeeds("import decimal") else { return nil }
    let folder = FileManager.default.temporaryDirectory.appending(path: "gatehouse-year-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    for (name, lines) in lists.all {
      try Data((lines.joined(separator: "\n") + "\n").utf8).write(to: folder.appending(path: "\(name).csv"))
    }
    let process = ChildProcess()
    process.executableURL = URL(filePath: "/usr/bin/env")
    process.arguments = ["python3", script.path, folder.path]
    process.standardOutput = FileHandle.nullDevice
    try process.run()
    process.waitUntilExit()
    return process.terminationStatus
  }

  @Test("interest, fees and overdrafts of two months are those of scripts/check-interest, to the cent")
  func months() async throws {
    let made = try await TestDatabase.make(
      Engine.available[0], [DataKeyStore.migration] + AuditStore.migrations + LedgerModule.migrations)
    let seal = LedgerSeal(try await TestVault.open(made.database, TestWorld().world))
    var year = YearSimulation(made.database, accounts: 40, days: 62, seed: 31, seal: seal)
    try await year.run()
    let lists = year.lists
    #expect(lists.results.count == 44 && lists.days.count == 63)
    #expect(year.dayEnds.count(where: \.isMonthEnd) == 2)
    #expect(try await made.database.read { try LedgerStore($0).verify(under: seal) }.faults.isEmpty)
    guard let status = try Self.check(lists) else { return }
    #expect(status == 0)
    // One cent more on one account is found.
    var wrong = lists
    var fields = wrong.results[20].split(separator: ",").map(String.init)
    fields[1] = "\((Int(fields[1]) ?? 0) + 1)"
    wrong.results[20] = fields.joined(separator: ",")
    #expect(try Self.check(wrong) == 1)
  }
}
