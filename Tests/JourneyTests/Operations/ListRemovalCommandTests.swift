// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Foundation
import Kit
import Screening
import TestSupport
import Testing

@testable import GatehouseApp
@testable import gatehouse

@Suite("Operations: gatehouse lists remove (issue 27, item 1)", .ownFile)
struct ListRemovalCommandTests {
  private let made: BackupTestApp
  private let config: String
  /// A list of the folder.
  private let file: URL

  init() async throws {
    made = try await BackupTestApp()
    let lists = made.folder.file("lists")
    try FileManager.default.createDirectory(atPath: lists, withIntermediateDirectories: true)
    file = URL(fileURLWithPath: "\(lists)/folded.csv")
    try Data("ref,name\n1,Ann Other\n".utf8).write(to: file)
    config = made.folder.file("gatehouse.json")
    try Data(#"{"screening": {"folder": "\#(lists)", "required": "NEEDED"}}"#.utf8).write(
      to: URL(fileURLWithPath: config))
  }

  private func run(_ line: String, _ options: [String] = []) async throws -> FailureReport? {
    let words = line.split(separator: " ").map(String.init) + options
    let parsed = try DocumentedCommandTests.parse(words + ["--data", made.settings.dataFolder, "--log", "critical"])
    var command = try #require(parsed as? any AsyncParsableCommand, "\(line)")
    do { try await command.run() } catch { return FailureReport(error, of: type(of: command)) }
    return nil
  }

  private func load(_ code: String) async throws {
    let file = made.folder.file("own.csv")
    try Data("ref,name\n1,Ann Other\n2,\(code) Other\n".utf8).write(to: URL(fileURLWithPath: file))
    #expect(try await run("lists update \(file) --code \(code)") == nil)
  }

  private func searched() async throws -> [String] {
    try await made.app.screeningLists.current().map(\.version.code)
  }

  @Test("a list goes by its code, and one that is unknown, required, the last or a file of the folder is refused")
  func remove() async throws {
    try await load("PEP")
    #expect(try await run("lists remove UN")?.exit == .notFound)
    let last = try await run("lists remove PEP")
    #expect(last?.exit == .refused && last?.message.contains("--accept-no-list") == true)
    // What is not there to be removed is unknown, whether or not it is required.
    #expect(try await run("lists remove NEEDED", ["--config", config])?.exit == .notFound)
    try await load("NEEDED")
    let needed = try await run("lists remove NEEDED", ["--config", config])
    #expect(needed?.exit == .refused && needed?.message.contains("screening.required") == true)
    let folded = try await run("lists remove FOLDED", ["--config", config])
    #expect(folded?.exit == .refused && folded?.message.contains("folded.csv") == true)
    #expect(try await searched() == ["NEEDED", "PEP"])
    #expect(try await run("lists remove PEP") == nil)
    #expect(try await searched() == ["NEEDED"])
    // The folder has a list, so that this one is not the last.
    try await load("FOLDED")
    // What would be searched in its place has to be a list.
    let whole = try Data(contentsOf: file)
    try Data("<html></html>".utf8).write(to: file)
    let broken = try await run("lists remove FOLDED", ["--config", config])
    #expect(broken?.exit == .refused && broken?.message.contains("folded.csv: the file is a web page") == true)
    #expect(try await searched() == ["FOLDED", "NEEDED"])
    try whole.write(to: file)
    #expect(try await run("lists remove FOLDED", ["--config", config]) == nil)
    #expect(try await run("lists remove NEEDED --accept-no-list") == nil)
    #expect(try await searched() == [])
  }

  @Test("the invented list of a sandbox does not come back when a person removes the last list of the store")
  func sandbox() async throws {
    func codes() async throws -> [String] { try await made.app.screeningSource.arranged().versions.map(\.code) }
    #expect(try await codes() == [DemoScreeningList.code])
    try await load("PEP")
    #expect(try await codes() == ["PEP"])
    #expect(try await run("lists remove PEP --accept-no-list") == nil)
    await #expect(throws: ScreeningFolder.Fault.self) { try await codes() }
    try await load("PEP")
    #expect(try await codes() == ["PEP"])
  }

  @Test("screen hits tells when the list of a hit was removed, and since which version its entry is gone")
  func told() async throws {
    try await load("PEP")
    let (app, version) = (made.app, try #require(try await made.app.screeningLists.current().first).version)
    let hit = Screening.Hit(
      list: "PEP", entityID: "1", caption: "Ann Other", score: 0.91, topics: [], nameScore: 0.95, dateOfBirth: .year,
      nationality: true, documentNumber: false)
    try await app.database.write { tx in
      _ = try Screening(app.core).record(
        .screened(.init(lists: [version], threshold: 0.85, hits: [hit])),
        of: .init(names: ["Ann Other"], dateOfBirth: nil, nationalities: [], documentNumbers: []), for: "c1", in: tx)
    }
    func told() async throws -> (members: [String: Any], lines: [String]) {
      let items = try await app.screeningCases.waiting(by: "operator:test")
      let (item, delisting) = (try #require(items.first), try await app.screeningCases.delistings(of: items)[0])
      let json = try JSONEncoder().encode(ScreenReport.Hit(item, delisting))
      let members = try #require(try JSONSerialization.jsonObject(with: json) as? [String: Any])
      return (members.filter { ["delisted_since", "list_removed_at"].contains($0.key) }, item.lines(delisting))
    }
    var (members, lines) = try await told()
    #expect(members.isEmpty && !lines.contains { $0.contains("delisted") })

    #expect(try await run("lists remove PEP --accept-no-list") == nil)
    let removedAt = try #require(try await app.screeningLists.find(version)?.replacedAt).rfc3339
    (members, lines) = try await told()
    #expect(members as? [String: String] == ["list_removed_at": removedAt])
    #expect(lines.contains("  delisted: the list PEP was removed at \(removedAt)"))

    let other = made.folder.file("other.csv")
    try Data("ref,name\n2,PEP Other\n3,Bo Other\n".utf8).write(to: URL(fileURLWithPath: other))
    #expect(try await run("lists update \(other) --code PEP --list-version second") == nil)
    (members, lines) = try await told()
    #expect(members as? [String: [String: String]] == ["delisted_since": ["code": "PEP", "version": "second"]])
    #expect(lines.contains { $0.hasPrefix("  delisted: not in PEP second, loaded ") })
  }
}
