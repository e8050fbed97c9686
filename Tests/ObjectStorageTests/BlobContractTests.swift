// SPDX-License-Identifier: Apache-2.0

import Foundation
import Kit
import ObjectStorage
import Testing
import TestSupport

@Suite("Blobs: the contract of every store")
struct BlobContractTests {
  private struct Broken: Error {}
  private static let key = blobKey(1)

  @Test("an object comes back whole, is replaced whole, and is gone once deleted", arguments: BlobStores.available)
  func roundTrip(store: BlobStores) async throws {
    try await store.with { blobs in
      #expect(try await blobs.get(Self.key) == nil)
      #expect(try await blobs.getStream(Self.key) == nil)
      for bytes in [Data(), Data([1]), noise(300_000)] {
        try await blobs.put(Self.key, bytes)
        #expect(try await blobs.get(Self.key) == bytes)
        #expect(try await blobs.getStream(Self.key)?.collect(upTo: 1_000_000) == bytes)
      }
      try await blobs.delete(Self.key)
      #expect(try await blobs.get(Self.key) == nil)
      #expect(try await blobs.getStream(Self.key) == nil)
      try await blobs.delete(Self.key)
    }
  }

  @Test("a stream of any size comes back as it was put", arguments: BlobStores.available)
  func streams(store: BlobStores) async throws {
    try await store.with { blobs in
      let part = S3Limits.test.partBytes
      for count in [0, 1, part - 1, part, part + 1, 2 * part, 2 * part + 77] {
        let bytes = noise(count)
        try await blobs.putStream(Self.key, stream(bytes), 100_000_000)
        #expect(try await blobs.get(Self.key) == bytes, "\(count) bytes")
        #expect(try await blobs.getStream(Self.key)?.collect(upTo: count) == bytes, "\(count) bytes")
      }
    }
  }

  @Test(
    "a stream that breaks off, or is longer than allowed, leaves what was there", arguments: BlobStores.available)
  func brokenStreams(store: BlobStores) async throws {
    try await store.with { blobs in
      for count in [10, 12_000_000] {
        let bytes = noise(count)
        await #expect(throws: Broken.self) {
          try await blobs.putStream(Self.key, stream(bytes, failing: Broken()), 100_000_000)
        }
        await #expect(throws: BlobError.tooLarge(bytesMax: count - 1)) {
          try await blobs.putStream(Self.key, stream(bytes), count - 1)
        }
        #expect(try await blobs.get(Self.key) == nil)
      }
      try await blobs.put(Self.key, Data("before".utf8))
      await #expect(throws: Broken.self) {
        try await blobs.putStream(Self.key, stream(noise(12_000_000), failing: Broken()), 100_000_000)
      }
      #expect(try await blobs.get(Self.key) == Data("before".utf8))
    }
  }

  @Test(
    "a key that could mean something else is refused by every verb", arguments: BlobStores.available,
    [
      "", "short", "../../etc/passwd", "/etc/passwd", "aaaaaaaa/b", "aaaaaaa..", "AAAAAAAA", "aaaaaaaä", "aaaaaaa\u{0}",
      "aaaaaaa?a", "aaaaaaa%41", String(repeating: "a", count: 129),
    ])
  func badKeys(store: BlobStores, key: String) async throws {
    try await store.with { blobs in
      await #expect(throws: BlobError.badKey) { try await blobs.put(key, Data()) }
      await #expect(throws: BlobError.badKey) { try await blobs.get(key) }
      await #expect(throws: BlobError.badKey) { try await blobs.delete(key) }
      await #expect(throws: BlobError.badKey) { try await blobs.putStream(key, BlobBytes(Data()), 10) }
      await #expect(throws: BlobError.badKey) { try await blobs.getStream(key) }
      let stored = try await blobs.list(nil, 10)
      #expect(stored.objects.isEmpty)
    }
  }

  @Test("a list meets every object once, whatever the size of its pages", arguments: BlobStores.available)
  func lists(store: BlobStores) async throws {
    try await store.with { blobs in
      #expect(try await blobs.list(nil, 3) == BlobPage(objects: [], next: nil))
      let keys = (1...11).map(blobKey) + [blobKey(3) + "-portrait", blobKey(4) + "-original"]
      for (index, key) in keys.enumerated() { try await blobs.put(key, noise(index)) }
      try await blobs.delete(blobKey(5))
      for limit in [1, 3, 12, 13, 1000] {
        var (found, cursor): ([BlobPage.Object], BlobPage.Cursor?) = ([], nil)
        repeat {
          let page = try await blobs.list(cursor, limit)
          #expect(page.objects.count <= limit)
          found += page.objects
          cursor = page.next
        } while cursor != nil
        #expect(found.map(\.key).sorted() == keys.filter { $0 != blobKey(5) }.sorted(), "pages of \(limit)")
        #expect(found.allSatisfy { $0.byteCount == keys.firstIndex(of: $0.key) })
      }
      let (now, first) = (World.live.now(), try await blobs.list(nil, 1).objects[0])
      #expect(first.modifiedAt <= now + .seconds(5) && first.modifiedAt > now - .minutes(5))
    }
  }

  @Test("what is deleted while a list is walked does not disturb it", arguments: BlobStores.available)
  func deletedWhileListed(store: BlobStores) async throws {
    try await store.with { blobs in
      for number in 1...9 { try await blobs.put(blobKey(number), Data()) }
      var (met, cursor): ([String], BlobPage.Cursor?) = ([], nil)
      repeat {
        let page = try await blobs.list(cursor, 2)
        met += page.objects.map(\.key)
        for object in page.objects { try await blobs.delete(object.key) }
        cursor = page.next
      } while cursor != nil
      #expect(met.sorted() == (1...9).map(blobKey))
      #expect(try await blobs.list(nil, 10).objects.isEmpty)
    }
  }

  @Test("readers that race writers see one whole object or the other, never a piece", arguments: BlobStores.available)
  func racing(store: BlobStores) async throws {
    try await store.with { blobs in
      let (one, two) = (noise(200_000, seed: 1), noise(300_000, seed: 2))
      try await blobs.put(Self.key, one)
      try await withThrowingTaskGroup(of: Void.self) { group in
        for index in 0..<6 { group.addTask { try await blobs.put(Self.key, index.isMultiple(of: 2) ? one : two) } }
        for _ in 0..<12 {
          group.addTask {
            let found = try await blobs.get(Self.key)
            #expect(found == one || found == two)
          }
        }
        try await group.waitForAll()
      }
    }
  }

  @Test("a reachable store passes its check", arguments: BlobStores.available)
  func healthy(store: BlobStores) async throws {
    try await store.with { blobs in await #expect(throws: Never.self) { try await blobs.check() } }
  }
}
