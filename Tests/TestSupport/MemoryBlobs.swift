// SPDX-License-Identifier: Apache-2.0

import Foundation
import Kit
import Synchronization

/// Objects of one test, in memory, stamped by its world.
package final class MemoryBlobs: Sendable {
  private struct Object {
    let bytes: Data
    let modifiedAt: Instant
  }

  private let objects = Mutex<[String: Object]>([:])
  private let world: World

  package init(_ world: World) { self.world = world }

  /// Of every object that is stored.
  package var keys: Set<String> { objects.withLock { Set($0.keys) } }

  package var blobs: Blobs {
    Blobs(
      put: { try self.put($0, $1) }, get: { try self.get($0) },
      delete: { key in
        try BlobKey.check(key)
        _ = self.objects.withLock { $0.removeValue(forKey: key) }
      },
      putStream: { key, bytes, bytesMax in
        try BlobKey.check(key)
        try self.put(key, await bytes.collect(upTo: bytesMax))
      },
      getStream: { try self.get($0).map { BlobBytes($0) } }, list: { self.list($0, $1) }, sweepUnfinished: { _ in 0 },
      check: {})
  }

  private func put(_ key: String, _ bytes: Data) throws {
    try BlobKey.check(key)
    let object = Object(bytes: bytes, modifiedAt: world.now())
    objects.withLock { $0[key] = object }
  }

  private func get(_ key: String) throws -> Data? {
    try BlobKey.check(key)
    return objects.withLock { $0[key]?.bytes }
  }

  private func list(_ after: BlobPage.Cursor?, _ limit: Int) -> BlobPage {
    let later = objects.withLock { $0.filter { $0.key > after?.rawValue ?? "" } }.sorted { $0.key < $1.key }
    let page = later.prefix(limit).map {
      BlobPage.Object(key: $0.key, byteCount: $0.value.bytes.count, modifiedAt: $0.value.modifiedAt)
    }
    return BlobPage(objects: page, next: page.count < later.count ? page.last.map { .init($0.key) } : nil)
  }
}
