// SPDX-License-Identifier: Apache-2.0

import Foundation
import Kit
import Testing
import TestSupport

@testable import ObjectStorage

@Suite(
  "Object storage: uploads in parts", .serialized, .timeLimit(.minutes(5)),
  .enabled(if: MotoServer.isInstalled, "\(MotoServer.missing)"))
struct BucketUploadTests {
  private struct Broken: Error {}
  private static let key = blobKey(8)
  private static let bytes = noise(11_000_000)

  @Test("what fails is given up: the object stays as it was, and no part is left")
  func abandoned() async throws {
    try await Self.with { moto, bucket, proxy, blobs in
      let put = { try await blobs.putStream(Self.key, stream(Self.bytes), 20_000_000) }
      // The second part fails for good.
      proxy.plan { line, _ in line.contains("partNumber=2") ? .answer(503, code: "SlowDown") : .pass }
      await #expect(throws: BlobError.unavailable) { try await put() }
      #expect(try moto.uploadCount(bucket) == 0)
      proxy.plan { line, _ in line.contains("partNumber=2") ? .answer(403, code: "AccessDenied") : .pass }
      await #expect(throws: BlobError.refused(code: "AccessDenied")) { try await put() }
      #expect(try moto.uploadCount(bucket) == 0)
      // An error in the body of a 200.
      proxy.plan { line, _ in
        line.hasPrefix("POST") && !line.contains("uploads") ? .answer(200, code: "InternalError") : .pass
      }
      await #expect(throws: BlobError.unavailable) { try await put() }
      #expect(try moto.uploadCount(bucket) == 0)
      // The source breaks off, or has too much.
      proxy.plan([])
      await #expect(throws: Broken.self) {
        try await blobs.putStream(Self.key, stream(Self.bytes, failing: Broken()), 20_000_000)
      }
      await #expect(throws: BlobError.tooLarge(bytesMax: 10_999_999)) {
        try await blobs.putStream(Self.key, stream(Self.bytes), 10_999_999)
      }
      let found = try await blobs.get(Self.key)
      #expect(try moto.uploadCount(bucket) == 0)
      #expect(found == nil)
    }
  }

  @Test("parts that fail once are sent again, and an answer that is lost does no harm")
  func repeated() async throws {
    let faults: [FaultProxy.Fault] = [
      .performThenAnswer(500, code: "InternalError"), .cutRequest, .cutAnswer(after: 0), .answer(503, code: "SlowDown"),
    ]
    try await Self.with { moto, bucket, proxy, blobs in
      for fault in faults {
        for step in ["partNumber=2", "POST"] {
          let met = Counter()
          proxy.plan { line, _ in
            line.contains(step) && !line.contains("uploads") && met.next() == 1 ? fault : .pass
          }
          try await blobs.putStream(Self.key, stream(Self.bytes), 20_000_000)
          #expect(try await blobs.get(Self.key) == Self.bytes)
          try await blobs.delete(Self.key)
          #expect(try moto.uploadCount(bucket) == 0)
        }
      }
    }
  }

  @Test("a put that is cancelled leaves nothing")
  func cancelled() async throws {
    try await Self.with { moto, bucket, proxy, blobs in
      try await withThrowingTaskGroup(of: Void.self) { group in
        let (reached, signal) = AsyncStream<Void>.makeStream()
        proxy.plan { line, _ in
          guard line.contains("partNumber=2") else { return .pass }
          signal.yield()
          return .stall
        }
        group.addTask { try await blobs.putStream(Self.key, stream(Self.bytes), 20_000_000) }
        for await _ in reached { break }
        group.cancelAll()
        await #expect(throws: CancellationError.self) { try await group.waitForAll() }
      }
      #expect(try moto.uploadCount(bucket) == 0)
      #expect(try await blobs.get(Self.key) == nil)
    }
  }

  @Test("the sweep aborts abandoned uploads")
  func swept() async throws {
    try await Self.with { moto, bucket, proxy, blobs in
      // A client that dies: its parts are there, and its abort never arrives.
      proxy.plan { line, _ in
        line.contains("partNumber=2") || line.hasPrefix("DELETE") ? .answer(403, code: "AccessDenied") : .pass
      }
      await #expect(throws: BlobError.self) { try await blobs.putStream(Self.key, stream(Self.bytes), 20_000_000) }
      #expect(try moto.uploadCount(bucket) == 1)
      proxy.plan([])
      // moto says of every upload that it began in 2010.
      #expect(try await blobs.sweepUnfinished(Instant(milliseconds: 1_262_304_000_000)) == 0)
      #expect(try moto.uploadCount(bucket) == 1)
      let count = try await blobs.sweepUnfinished(World.live.now())
      #expect(count == 1)
      #expect(try moto.uploadCount(bucket) == 0)
    }
  }

  private static func with(_ body: (MotoServer, String, FaultProxy, Blobs) async throws -> Void) async throws {
    let moto = try MotoServer.open.get()
    let bucket = try moto.makeBucket()
    // Parts of 8 MiB take a busy machine longer than those tests give an attempt.
    var limits = BucketFaultTests.limits
    limits.attemptMax = .seconds(30)
    try await FaultProxy.with(moto.port) { [limits] proxy in
      try await body(moto, bucket, proxy, moto.blobs(bucket, port: proxy.port, limits: limits).blobs)
    }
  }
}
