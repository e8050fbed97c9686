// SPDX-License-Identifier: Apache-2.0

import DocumentCore
import Foundation
import TestSupport
import Testing

@testable import Screening

@Suite("Screening: the folder of lists", .storeless)
struct ScreeningProviderTests {
  let subject = InventedList.subject("Bartholomew Quindaro Ashgrove")

  func failure(_ provider: ScreeningProvider) async -> String? {
    guard case .failed(let reason) = await provider.screen(subject) else { return nil }
    return reason
  }

  @Test("lists are named by their file, versioned by the file beside it or the day of writing, and by their content")
  func versions() async throws {
    let folder = try TestFolder()
    try folder.put("wide.csv", InventedList.wide, written: Date(timeIntervalSince1970: 1_795_000_000))
    try folder.put("Narrow.csv", InventedList.narrow)
    try folder.put("Narrow.version", "2026-W47 \nsecond line\n")
    try folder.put("README.txt", "not a list")
    let outcome = await ScreeningProvider.lists(folder: folder.path, countries: InventedList.countries).screen(subject)
    guard case .screened(let report) = outcome else { return #expect(Bool(false), "not searched") }
    func digits(_ text: String) -> Substring { Data(text.utf8).sha256Hex.prefix(8) }
    #expect(
      report.lists == [
        .init(code: "NARROW", version: "2026-W47+\(digits(InventedList.narrow))"),
        .init(code: "WIDE", version: "2026-11-18+\(digits(InventedList.wide))"),
      ])
    #expect(report.hits.map(\.entityID) == ["W.1"])
    #expect(report.threshold == 0.85)
  }

  @Test("a missing folder, an empty one, a missing required list and an unreadable file are errors, never clean")
  func failures() async throws {
    let countries = InventedList.countries
    #expect(await failure(.lists(folder: "/nowhere/at/all", countries: countries)) != nil)
    let folder = try TestFolder()
    let provider = ScreeningProvider.lists(folder: folder.path, countries: countries)
    #expect(await failure(provider) != nil)
    try folder.put("wide.csv", InventedList.wide)
    #expect(await failure(provider) == nil)
    #expect(
      await failure(.lists(folder: folder.path, countries: countries, required: ["UN", "WIDE"]))
        == "required lists are missing: UN")
    // One file that is broken spoils the search, even beside a good one.
    try folder.put("broken.csv", "ref,name\n1,\"Ann\n")
    #expect(await failure(provider)?.hasPrefix("broken.csv, line 2: ") == true)
    try folder.put("broken.csv", "ref,name\n")
    #expect(await failure(provider) != nil)
    try folder.put("broken.csv", "ref,name\n1,Ann Other\n")
    #expect(await failure(provider) == nil)
    try folder.put("broken.version", "\n")
    #expect(await failure(provider) != nil)
    try FileManager.default.removeItem(atPath: "\(folder.path)/broken.version")
    try FileManager.default.createDirectory(atPath: "\(folder.path)/folder.csv", withIntermediateDirectories: true)
    #expect(await failure(provider) != nil)
  }

  @Test("files in every published form are lists, OFAC's tables together, and the publisher names the version")
  func forms() async throws {
    let folder = try TestFolder()
    for name in PublishedLists.names + ["alt.csv", "add.csv"] where name != "sdn.xml" {
      try PublishedLists.file(name).bytes.write(to: folder.url(name))
    }
    let outcome = await ScreeningProvider.lists(folder: folder.path, countries: InventedList.countries)
      .screen(InventedList.subject("Bartholomew Quindaro Ashgrove"))
    guard case .screened(let report) = outcome else { return #expect(Bool(false), "\(outcome)") }
    #expect(report.lists.count == PublishedLists.names.count - 1)
    #expect(report.lists.contains { $0.code == "UN" && $0.version.hasPrefix("2026-11-20+") })
    #expect(report.hits.count == report.lists.count)
    try FileManager.default.removeItem(atPath: folder.file("alt.csv"))
    #expect(await failure(.lists(folder: folder.path, countries: InventedList.countries))?.contains("ALT.CSV") == true)
  }

  @Test("a list that changes on disk is searched anew, one that vanishes is an error")
  func reloads() async throws {
    let folder = try TestFolder()
    try folder.put("l.csv", "ref,name\n1,Ann Other\n", written: Date(timeIntervalSince1970: 1_000))
    let provider = ScreeningProvider.lists(folder: folder.path, countries: InventedList.countries)
    func found() async -> [String]? {
      guard case .screened(let report) = await provider.screen(subject) else { return nil }
      return report.hits.map(\.entityID)
    }
    #expect(await found() == [])
    try folder.put("l.csv", "ref,name\n2,Bart Ashgrove\n", written: Date(timeIntervalSince1970: 2_000))
    #expect(await found() == [])
    try folder.put("l.csv", "ref,name\n3,Bartholomew Quindaro Ashgrove\n", written: Date(timeIntervalSince1970: 3_000))
    #expect(await found() == ["3"])
    try FileManager.default.removeItem(atPath: "\(folder.path)/l.csv")
    #expect(await found() == nil)
  }

  @Test("a provider that throws has failed, and its error is not repeated")
  func throwing() async {
    struct Leaky: Error { let name = "Bartholomew" }
    let reason = await failure(ScreeningProvider { _ in throw Leaky() })
    #expect(reason == "the provider failed: Leaky")
  }
}
