// SPDX-License-Identifier: Apache-2.0

import Foundation
import Kit
import Storage
import Synchronization
import TestSupport
import Testing

@testable import Screening

@Suite("Screening: searches while changed lists are arranged", .storeless, .timeLimit(.minutes(1)))
struct ScreeningSwapTests {
  /// Lets those who arrange lists pass the first time, and from then on when its gate is open.
  private final class Arranging: Sendable {
    let gate = TaskGate()
    private let isFirst = Mutex(true)

    func begin() async {
      let isFirst = isFirst.withLock { first in
        defer { first = false }
        return first
      }
      if !isFirst { await gate.pass() }
    }
  }

  private let files: TestFolder
  private let arranging = Arranging()
  private let world = TestWorld()

  init() throws { files = try TestFolder() }

  private func folder(_ world: World?) throws -> ScreeningFolder {
    let arranging = arranging
    return ScreeningFolder(
      path: files.path, countries: InventedList.countries, world: world,
      beforeArranging: { await arranging.begin() })
  }

  /// Puts a list of one entry into the folder.
  private func put(_ reference: String, at seconds: TimeInterval) throws {
    try files.put(
      "l.csv", "ref,name\n\(reference),Ansgar Driftwell\n", written: Date(timeIntervalSince1970: seconds))
  }

  private func found(_ index: ScreeningIndex) -> [String] {
    (index.answers(to: InventedList.subject("Ansgar Driftwell")) ?? []).map(\.ref)
  }

  @Test("no search waits while changed lists are arranged, and what has to have the lists of now does")
  func former() async throws {
    try put("1", at: 1_000)
    let folder = try folder(world.world)
    #expect(found(try await folder.index()) == ["1"])
    try put("2", at: 2_000)
    // The gate is closed: a search that waited would never come back.
    for _ in 0..<3 { #expect(found(try await folder.index()) == ["1"]) }
    try await arranging.gate.reached()
    async let now = folder.arranged()
    arranging.gate.open()
    #expect(found(try await now) == ["2"])
    #expect(found(try await folder.index()) == ["2"])
    #expect(arranging.gate.passes == 1)
  }

  @Test("lists that all searches wait for are not arranged at the low priority of the one who asked first")
  func priority() async throws {
    try put("1", at: 1_000)
    let priorities = Mutex<[WorkPriority]>([])
    let folder = ScreeningFolder(
      path: files.path, countries: InventedList.countries, world: world.world,
      beforeArranging: { priorities.withLock { $0.append(.current) } })
    _ = try await WorkPriority.$current.withValue(.low) { try await folder.index() }
    #expect(priorities.withLock { $0 } == [.usual])
  }

  @Test("lists that were compared a minute ago and longer are not searched as they were")
  func idle() async throws {
    try put("1", at: 1_000)
    let folder = try folder(world.world)
    arranging.gate.open()
    _ = try await folder.index()
    world.advance(by: .seconds(50))
    #expect(found(try await folder.index()) == ["1"])
    try put("2", at: 2_000)
    world.advance(by: .seconds(61))
    #expect(found(try await folder.index()) == ["2"])
  }

  @Test("on a node that looked at nothing for a minute, a search beside the first one waits for the lists of now too")
  func idleTogether() async throws {
    try put("1", at: 1_000)
    let folder = try folder(world.world)
    _ = try await folder.index()
    world.advance(by: .seconds(61))
    try put("2", at: 2_000)
    async let first = folder.index()
    try await arranging.gate.reached()
    let second = Task { try await folder.index() }
    // A search that does not wait is done by then.
    for _ in 0..<100 { await Task.yield() }
    arranging.gate.open()
    #expect(found(try await first) == ["2"])
    #expect(found(try await second.value) == ["2"])
  }

  @Test("a list that changes while a change of it is arranged is arranged after that, and no search waits for either")
  func twice() async throws {
    try put("1", at: 1_000)
    let folder = try folder(world.world)
    _ = try await folder.index()
    try put("2", at: 2_000)
    #expect(found(try await folder.index()) == ["1"])
    try await arranging.gate.reached()
    try put("3", at: 3_000)
    // However long the first of them takes.
    world.advance(by: .minutes(5))
    #expect(found(try await folder.index()) == ["1"])
    async let now = folder.arranged()
    arranging.gate.open()
    #expect(found(try await now) == ["3"])
    #expect(arranging.gate.passes == 2)
  }

  @Test("a program that ends soon searches the lists of now")
  func short() async throws {
    try put("1", at: 1_000)
    let folder = try folder(nil)
    arranging.gate.open()
    #expect(found(try await folder.index()) == ["1"])
    try put("2", at: 2_000)
    #expect(found(try await folder.index()) == ["2"])
  }

  @Test("a changed list that cannot be read, or is gone, fails every search as soon as that is known")
  func broken() async throws {
    try put("1", at: 1_000)
    let folder = try folder(world.world)
    arranging.gate.open()
    _ = try await folder.index()
    try files.put("l.csv", "ref,name\n1,\n", written: Date(timeIntervalSince1970: 2_000))
    await #expect(throws: ScreeningFolder.Fault.self) { try await folder.arranged() }
    await #expect(throws: ScreeningFolder.Fault.self) { try await folder.index() }
    try put("3", at: 3_000)
    #expect(found(try await folder.index()) == ["3"])
    try FileManager.default.removeItem(atPath: files.file("l.csv"))
    await #expect(throws: ScreeningFolder.Fault.self) { try await folder.arranged() }
    await #expect(throws: ScreeningFolder.Fault.self) { try await folder.index() }
  }
}
