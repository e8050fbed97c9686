// SPDX-License-Identifier: Apache-2.0

import Crypto
import Foundation
import Kit
import NIOHTTP1
import Synchronization
import Testing
import TestSupport

@testable import ObjectStorage

@Suite("Object storage: parts and their digests", .timeLimit(.minutes(5)))
struct ObjectPartsTests {
  @Test("parts are of one size but the last, and add up to the stream, however it is cut", arguments: 1...30)
  func parts(seed: UInt64) async throws {
    var generator = SeededGenerator(seed: seed)
    let partBytes = Int.random(in: 1...50, using: &generator)
    let bytes = noise(Int.random(in: 0...400, using: &generator), seed: seed)
    let pieces = Int.random(in: 1...120, using: &generator)
    var reader = PartReader(stream(bytes, pieces: pieces), partBytes: partBytes, bytesMax: bytes.count)
    var parts: [Data] = []
    while true {
      let part = try await reader.next()
      parts.append(part.bytes)
      if part.isLast { break }
    }
    #expect(parts.reduce(Data(), +) == bytes)
    #expect(parts.dropLast().allSatisfy { $0.count == partBytes })
    #expect(parts.count == max(1, (bytes.count + partBytes - 1) / partBytes))

    // The same, as S3 writes the checksum of what was put so.
    let digests = parts.map { Data(SHA256.hash(data: $0)) }
    let composite = Data(SHA256.hash(data: digests.reduce(Data(), +))).base64EncodedString() + "-\(parts.count)"
    let checksum = parts.count > 1 ? composite : Data(SHA256.hash(data: bytes)).base64EncodedString()
    func matches(_ content: Data) -> Bool {
      var headers = HTTPHeaders([("x-amz-checksum-sha256", checksum)])
      if parts.count > 1 { headers.add(name: "x-amz-meta-part-bytes", value: "\(partBytes)") }
      var digest = ObjectDigest(headers)
      for start in stride(from: 0, to: content.count, by: pieces) {
        digest.update(content[start..<min(start + pieces, content.count)])
      }
      return digest.matches
    }
    #expect(matches(bytes))
    #expect(!matches(bytes + [0]))
    if !bytes.isEmpty { #expect(!matches(bytes.dropLast())) }
  }

  @Test("a store that says nothing, or nothing that can be checked, is believed")
  func unknown() {
    for headers: HTTPHeaders in [
      [:], ["x-amz-checksum-sha256": "AAAA-3"], ["x-amz-checksum-sha256": "AAAA-3", "x-amz-meta-part-bytes": "0"],
      ["x-amz-checksum-sha256": "AAAA-3", "x-amz-meta-part-bytes": "-8"],
    ] {
      var digest = ObjectDigest(headers)
      digest.update(Data([1]))
      #expect(digest.matches)
    }
  }

  @Test("more than is allowed is noticed before it is held")
  func tooLarge() async throws {
    var reader = PartReader(stream(noise(100), pieces: 10), partBytes: 40, bytesMax: 60)
    #expect(try await reader.next().bytes.count == 40)
    await #expect(throws: BlobError.tooLarge(bytesMax: 60)) { try await reader.next() }
  }
}

@Suite("Object storage: how many requests at once", .timeLimit(.minutes(5)))
struct RequestGateTests {
  @Test("no more than its width are inside, and everybody gets in")
  func width() async throws {
    let (gate, inside, passed) = (RequestGate(width: 3), Counting(), Counter())
    try await withThrowingTaskGroup(of: Void.self) { group in
      for _ in 0..<200 {
        group.addTask {
          try await gate.run {
            #expect(inside.change(by: 1) <= 3)
            await Task.yield()
            _ = inside.change(by: -1)
          }
          _ = passed.next()
        }
      }
      try await group.waitForAll()
    }
    #expect(passed.next() == 201)
  }

  @Test("who is cancelled while waiting leaves the queue, and the others go on")
  func cancelled() async throws {
    let gate = RequestGate(width: 1)
    let (opened, open) = AsyncStream<Void>.makeStream()
    let (held, hold) = AsyncStream<Void>.makeStream()
    try await withThrowingTaskGroup(of: Void.self) { group in
      group.addTask {
        try await gate.run {
          hold.yield()
          for await _ in opened { break }
        }
      }
      for await _ in held { break }
      let waiting = Task { try await gate.run {} }
      waiting.cancel()
      await #expect(throws: CancellationError.self) { try await waiting.value }
      open.yield()
      try await gate.run {}
      try await group.waitForAll()
    }
  }
}

private final class Counting: Sendable {
  private let count = Mutex(0)

  func change(by step: Int) -> Int {
    count.withLock { count in
      count += step
      return count
    }
  }
}
