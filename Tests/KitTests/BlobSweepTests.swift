// SPDX-License-Identifier: Apache-2.0

import Foundation
import Kit
import Testing
import TestSupport

@Suite("Kit: objects that no row names", .storeless)
struct BlobSweepTests {
  private let world = TestWorld()

  @Test("an old object without a row is deleted; young ones and those with a row stay", arguments: [1, 2, 7, 1000])
  func sweeps(pageSize: Int) async throws {
    let blobs = MemoryBlobs(world.world).blobs
    for number in 1...9 { try await blobs.put(Self.key(number), Data()) }
    world.advance(by: BlobSweep.grace)
    for number in 10...12 { try await blobs.put(Self.key(number), Data()) }
    world.advance(by: .milliseconds(1))
    let counts = try await sweep(blobs, knowing: { $0.hasSuffix("2") || $0.hasSuffix("5") }, pageSize).run()
    #expect(counts == .init(seen: 12, young: 3, referenced: 2, deleted: 7))
    #expect(try await Self.keys(blobs) == [2, 5, 10, 11, 12].map(Self.key))
    #expect(try await sweep(blobs, knowing: { _ in true }, pageSize).run().deleted == 0)
  }

  @Test("an object that is as old as the grace, to the millisecond, stays")
  func grace() async throws {
    let blobs = MemoryBlobs(world.world).blobs
    try await blobs.put(Self.key(1), Data())
    world.advance(by: .milliseconds(1))
    try await blobs.put(Self.key(2), Data())
    world.advance(by: BlobSweep.grace)
    let knowsTheFirst: @Sendable (String) -> Bool = { $0 == Self.key(1) }
    #expect(try await sweep(blobs, knowing: knowsTheFirst).run() == .init(seen: 2, young: 1, referenced: 1))
    world.advance(by: .milliseconds(1))
    #expect(try await sweep(blobs, knowing: knowsTheFirst).run() == .init(seen: 2, referenced: 1, deleted: 1))
  }

  @Test("a store of which nothing is known keeps everything, however little it holds")
  func otherDatabase() async throws {
    let blobs = MemoryBlobs(world.world).blobs
    try await blobs.put(Self.key(1), Data())
    world.advance(by: .hours(25))
    #expect(try await sweep(blobs, knowing: { _ in false }).run() == .init(seen: 1))
    #expect(try await Self.keys(blobs) == [Self.key(1)])
  }

  @Test("a young object is never asked about: its row may not be committed yet")
  func unasked() async throws {
    let blobs = MemoryBlobs(world.world).blobs
    try await blobs.put(Self.key(1), Data())
    let sweep = BlobSweep(
      blobs,
      isReferenced: { keys in
        Issue.record("asked about \(keys.count)")
        return []
      }, world: world.world)
    #expect(try await sweep.run().deleted == 0)
  }

  @Test("what lies behind the pages of one run is for the next, until the end is reached and it begins anew")
  func resumed() async throws {
    let blobs = MemoryBlobs(world.world).blobs
    for number in 1...9 { try await blobs.put(Self.key(number), Data()) }
    world.advance(by: .hours(25))
    let sweep = BlobSweep(
      blobs, isReferenced: { keys in Set(keys.filter { !$0.hasSuffix("3") && !$0.hasSuffix("8") }) },
      world: world.world, pageSize: 2, pagesOfRun: 2)
    #expect(try await sweep.run() == .init(seen: 4, referenced: 3, deleted: 1))
    #expect(try await sweep.run() == .init(seen: 4, referenced: 3, deleted: 1))
    #expect(try await sweep.run() == .init(seen: 1, referenced: 1))
    #expect(try await Self.keys(blobs) == [1, 2, 4, 5, 6, 7, 9].map(Self.key))
    #expect(try await sweep.run() == .init(seen: 4, referenced: 4))
  }

  @Test("a run that fails is begun anew")
  func begunAnew() async throws {
    let blobs = MemoryBlobs(world.world).blobs
    for number in 1...6 { try await blobs.put(Self.key(number), Data()) }
    world.advance(by: .hours(25))
    let runs = Counter()
    let sweep = BlobSweep(
      blobs,
      isReferenced: { keys in
        if runs.next() == 2 { throw BlobError.unavailable }
        return Set(keys)
      }, world: world.world, pageSize: 2, pagesOfRun: 1)
    #expect(try await sweep.run().seen == 2)
    await #expect(throws: BlobError.unavailable) { try await sweep.run() }
    for _ in 1...3 { #expect(try await sweep.run().seen == 2) }
  }

  @Test("a store full of strangers is left alone; once one is recognised, the others go", arguments: [10, 1000])
  func strangers(pageSize: Int) async throws {
    let blobs = MemoryBlobs(world.world).blobs
    for number in 1...(BlobSweep.strangersMax + 1) { try await blobs.put(Self.key(number), Data()) }
    world.advance(by: .hours(25))
    await #expect(throws: BlobSweep.Unrecognised.self) {
      try await sweep(blobs, knowing: { _ in false }, pageSize).run()
    }
    #expect(try await Self.keys(blobs).count == BlobSweep.strangersMax + 1)
    let counts = try await sweep(blobs, knowing: { $0 == Self.key(1) }, pageSize).run()
    #expect(counts.deleted == BlobSweep.strangersMax && counts.referenced == 1)
  }

  @Test("a store that a run recognised stays recognised in the runs that go on with it")
  func recognisedAcrossRuns() async throws {
    let blobs = MemoryBlobs(world.world).blobs
    let strangers = BlobSweep.strangersMax * 2
    for number in 1...(strangers + 1) { try await blobs.put(Self.key(number), Data()) }
    world.advance(by: .hours(25))
    let sweep = BlobSweep(
      blobs, isReferenced: { Set($0.filter { $0 == Self.key(1) }) }, world: world.world, pageSize: strangers / 2,
      pagesOfRun: 1)
    #expect(try await sweep.run().deleted == strangers / 2 - 1)
    #expect(try await sweep.run().deleted == strangers / 2)
  }

  @Test("on disk, what a killed put left goes with them, and what is being written stays")
  func staged() async throws {
    let folder = try TestFolder()
    let blobs = Blobs.disk(folder.path)
    try await blobs.put(Self.key(1), Data("whole".utf8))
    let left = folder.file("\(Self.key(1).suffix(2))/\(Self.key(1)).8A5C\(StagedFile.suffix)")
    try Data("half".utf8).write(to: URL(fileURLWithPath: left))
    let written = try #require(try await blobs.list(nil, 1).objects.first?.modifiedAt)
    world.set(written)
    #expect(try await sweep(blobs, knowing: { _ in true }).run() == .init(seen: 1, young: 1))
    #expect(FileManager.default.fileExists(atPath: left))
    world.set(written + .hours(25))
    #expect(try await sweep(blobs, knowing: { _ in true }).run() == .init(seen: 1, referenced: 1, unfinished: 1))
    #expect(!FileManager.default.fileExists(atPath: left))
    #expect(try await blobs.get(Self.key(1)) == Data("whole".utf8))
  }

  private static func key(_ number: Int) -> String { "0195a1b2-\(String(1_000_000 + number).dropFirst())" }

  private static func keys(_ blobs: Blobs) async throws -> [String] {
    try await blobs.list(nil, Blobs.pageMax).objects.map(\.key)
  }

  private func sweep(
    _ blobs: Blobs, knowing isKnown: @escaping @Sendable (String) -> Bool, _ pageSize: Int = Blobs.pageMax
  ) -> BlobSweep {
    BlobSweep(blobs, isReferenced: { Set($0.filter(isKnown)) }, world: world.world, pageSize: pageSize)
  }
}
