// SPDX-License-Identifier: Apache-2.0

import Foundation
import Kit
import Testing
import TestSupport

@testable import ObjectStorage

@Suite(
  "Object storage: a bucket that fails", .serialized, .enabled(if: MotoServer.isInstalled, "\(MotoServer.missing)"))
struct BucketFaultTests {
  private static let key = blobKey(7)
  private static let slowDown = FaultProxy.Fault.answer(503, code: "SlowDown")

  @Test(
    "a put that fails once for a reason that passes is stored",
    arguments: [
      slowDown, .answer(500, code: "InternalError"), .answer(429, code: "TooManyRequests"),
      .answer(400, code: "RequestTimeout"), .answer(400, code: "BadDigest"), .cutRequest, .cutAnswer(after: 0),
      .performThenAnswer(500, code: "InternalError"), .stall,
    ])
  func passing(fault: FaultProxy.Fault) async throws {
    try await Self.with { proxy, blobs, _ in
      proxy.plan([fault])
      try await blobs.put(Self.key, Data("whole".utf8))
      #expect(try await blobs.get(Self.key) == Data("whole".utf8))
      #expect(proxy.lines.count >= 2)
    }
  }

  @Test("attempts are counted, and when they are used up the caller is told")
  func exhausted() async throws {
    try await Self.with { proxy, blobs, _ in
      proxy.plan { _, _ in Self.slowDown }
      await #expect(throws: BlobError.unavailable) { try await blobs.put(Self.key, Data([1])) }
      #expect(proxy.lines.count == S3Limits.test.attemptsMax)
      proxy.plan([])
      let found = try await blobs.get(Self.key)
      #expect(found == nil)
    }
  }

  @Test("a refusal is not repeated, and only its code is told")
  func refused() async throws {
    try await Self.with { proxy, blobs, _ in
      proxy.plan([.answer(403, code: "AccessDenied")])
      await #expect(throws: BlobError.refused(code: "AccessDenied")) { try await blobs.put(Self.key, Data([1])) }
      #expect(proxy.lines.count == 1)
      proxy.plan([.answer(404, code: "no key of that name")])
      await #expect(throws: BlobError.refused(code: "HTTP404")) { try await blobs.get(Self.key) }
    }
  }

  @Test("a get whose answer is cut, damaged or an error is whole in the end")
  func reads() async throws {
    try await Self.with { proxy, blobs, _ in
      let bytes = noise(500_000)
      try await blobs.put(Self.key, bytes)
      for fault in [FaultProxy.Fault.cutAnswer(after: 100_000), .damageAnswer, .cutRequest, Self.slowDown, .stall] {
        proxy.plan([fault])
        #expect(try await blobs.get(Self.key) == bytes)
        #expect(proxy.lines.count == 2)
      }
      proxy.plan { _, _ in .damageAnswer }
      await #expect(throws: BlobError.damaged) { try await blobs.get(Self.key) }
    }
  }

  @Test("a stream that is cut goes on where it ended, also when its object was put in parts")
  func resumed() async throws {
    try await Self.with { proxy, blobs, _ in
      for count in [900_000, 6_000_000] {
        let bytes = noise(count)
        try await blobs.putStream(Self.key, stream(bytes), 10_000_000)
        proxy.plan([.cutAnswer(after: 100_000), .cutAnswer(after: 200_000), .answer(503, code: "SlowDown")])
        #expect(try await blobs.getStream(Self.key)?.collect(upTo: count) == bytes)
        #expect(proxy.heads.count == 4 && proxy.heads.dropFirst().allSatisfy { $0.contains("range: bytes=") })
      }
    }
  }

  @Test("a stream whose object is replaced meanwhile, or that arrives damaged, does not end well")
  func spoiled() async throws {
    try await Self.with { proxy, blobs, direct in
      try await blobs.put(Self.key, noise(900_000, seed: 1))
      proxy.plan([.cutAnswer(after: 100_000)])
      let cut = try #require(try await blobs.getStream(Self.key))
      try await direct.put(Self.key, noise(900_000, seed: 2))
      await #expect(throws: BlobError.replaced) { try await cut.collect(upTo: 1_000_000) }
      proxy.plan([.damageAnswer])
      let damaged = try #require(try await blobs.getStream(Self.key))
      await #expect(throws: BlobError.damaged) { try await damaged.collect(upTo: 1_000_000) }
    }
  }

  @Test("a store whose clock differs is signed for by its clock, once")
  func skew() async throws {
    try await Self.with { proxy, blobs, _ in
      let skewed = FaultProxy.Fault.answer(403, code: "RequestTimeTooSkewed", date: "Sun, 06 Nov 2033 08:49:37 GMT")
      proxy.plan([skewed])
      try await blobs.put(Self.key, Data([1]))
      #expect(proxy.heads.count == 2 && proxy.heads[1].contains("x-amz-date: 20331106T0849"))
      proxy.plan { _, _ in skewed }
      await #expect(throws: BlobError.refused(code: "RequestTimeTooSkewed")) { try await blobs.get(Self.key) }
      #expect(proxy.heads.count == 2)
    }
  }

  @Test("the store is asked whether it is there once, and soon gives up")
  func checked() async throws {
    let moto = try MotoServer.open.get()
    await #expect(throws: BlobError.refused(code: "NoSuchBucket")) {
      try await moto.blobs("no-such-bucket").blobs.check()
    }
    try await Self.with { proxy, blobs, _ in
      proxy.plan([Self.slowDown])
      await #expect(throws: BlobError.unavailable) { try await blobs.check() }
      proxy.plan([.stall])
      await #expect(throws: BlobError.unavailable) { try await blobs.check() }
      #expect(proxy.lines.count == 1)
      try await blobs.check()
    }
    await #expect(throws: BlobError.unavailable) { try await moto.blobs("bucket", port: 1).blobs.check() }
  }

  @Test("a node whose clock is wrong learns it from the question whether the store is there, and is ready")
  func checkedWithSkew() async throws {
    try await Self.with { proxy, blobs, _ in
      let skewed = FaultProxy.Fault.answer(403, code: "RequestTimeTooSkewed", date: "Sun, 06 Nov 2033 08:49:37 GMT")
      proxy.plan([skewed])
      try await blobs.check()
      #expect(proxy.heads.count == 2 && proxy.heads[1].contains("x-amz-date: 20331106T0849"))
      // What was learned stays.
      proxy.plan([])
      try await blobs.check()
      #expect(proxy.heads.count == 1 && proxy.heads[0].contains("x-amz-date: 20331106T08"))
      // A store that never agrees is asked twice and no more.
      proxy.plan { _, _ in skewed }
      await #expect(throws: BlobError.refused(code: "RequestTimeTooSkewed")) { try await blobs.check() }
      #expect(proxy.heads.count == 2)
    }
  }

  @Test("the question whether the store is there does not queue behind the requests under way")
  func checkedWhenBusy() async throws {
    var limits = Self.limits
    limits.concurrencyMax = 1
    limits.attemptMax = .seconds(30)
    try await Self.with(limits) { proxy, blobs, _ in
      proxy.plan([.stall])
      try await withThrowingTaskGroup(of: Void.self) { group in
        group.addTask { try await blobs.put(Self.key, Data([1])) }
        try await waitUntil("the upload is on its way") { !proxy.lines.isEmpty }
        try await blobs.check()
        #expect(proxy.lines.count == 2)
        group.cancelAll()
      }
    }
  }

  @Test("requests at once are bounded, and all get their turn")
  func bounded() async throws {
    var limits = Self.limits
    limits.concurrencyMax = 3
    try await Self.with(limits) { proxy, blobs, _ in
      try await withThrowingTaskGroup(of: Void.self) { group in
        for number in 1...40 { group.addTask { try await blobs.put(blobKey(number), Data([1])) } }
        try await group.waitForAll()
      }
      let stored = try await blobs.list(nil, 1000)
      #expect(stored.objects.count == 40)
      // A connection that is closing may still be counted.
      #expect(proxy.openMax <= 6)
    }
  }

  @Test("under random faults every object is whole or absent, and there when its put did not throw", arguments: 1...4)
  func storm(seed: UInt64) async throws {
    try await Self.with { proxy, blobs, direct in
      proxy.plan { _, number in
        var generator = SeededGenerator(seed: seed &* 1000 &+ UInt64(number))
        return switch generator.next() % 8 {
        case 0: Self.slowDown
        case 1: .performThenAnswer(500, code: "InternalError")
        case 2: .cutRequest
        case 3: .cutAnswer(after: 3)
        default: .pass
        }
      }
      let contents = (0..<24).map { noise($0.isMultiple(of: 8) ? 6_000_000 : 1000 * $0, seed: seed + UInt64($0)) }
      let stored = await withTaskGroup(of: Int?.self) { group in
        for (number, bytes) in contents.enumerated() {
          group.addTask {
            do { try await blobs.putStream(blobKey(number), stream(bytes), 10_000_000) } catch { return nil }
            return number
          }
        }
        return await group.reduce(into: Set<Int>()) { if let number = $1 { $0.insert(number) } }
      }
      #expect(!stored.isEmpty)
      for (number, bytes) in contents.enumerated() {
        let found = try await direct.get(blobKey(number))
        #expect(found == bytes || (found == nil && !stored.contains(number)), "object \(number)")
      }
    }
  }

  // MARK: A store behind a proxy

  static var limits: S3Limits {
    var limits = S3Limits.test
    limits.attemptMax = .milliseconds(2500)
    limits.checkMax = .milliseconds(500)
    return limits
  }

  /// - Parameter body: gets the objects through the proxy and past it.
  static func with(
    _ limits: S3Limits = limits, _ body: (FaultProxy, Blobs, Blobs) async throws -> Void
  ) async throws {
    let moto = try MotoServer.open.get()
    let bucket = try moto.makeBucket()
    try await FaultProxy.with(moto.port) { proxy in
      try await body(proxy, moto.blobs(bucket, port: proxy.port, limits: limits).blobs, moto.blobs(bucket).blobs)
    }
  }
}
