// SPDX-License-Identifier: Apache-2.0

import Foundation
import Kit
import ObjectStorage
import Synchronization
import Testing
import TestSupport

/// A store that keeps the contract of `Blobs`.
enum BlobStores: String, Sendable, CaseIterable, CustomTestStringConvertible {
  case memory, disk, bucket
  case bucketWithVersions = "bucket with versions"

  /// Those that can be had where the tests run.
  static var available: [BlobStores] {
    MotoServer.isInstalled ? allCases : [.memory, .disk]
  }

  var testDescription: String { rawValue }

  /// Runs a body on an empty store.
  func with(_ body: (Blobs) async throws -> Void) async throws {
    switch self {
    case .memory: try await body(MemoryBlobs(World.live).blobs)
    case .disk:
      let folder = try TestFolder()
      try await body(.disk(folder.file("blobs")))
    case .bucket, .bucketWithVersions:
      let moto = try MotoServer.open.get()
      let bucket = try moto.makeBucket(withVersions: self == .bucketWithVersions)
      try await body(try moto.blobs(bucket).blobs)
    }
  }
}

extension MotoServer {
  /// - Parameters:
  ///   - prefix: as in the URL of a bucket.
  ///   - scheme: `https` of a server that speaks TLS.
  ///   - host: the name that the server is asked by, which leads to this machine.
  ///   - port: of a proxy, in place of the server's.
  func blobs(
    _ bucket: String, prefix: String = "a/b", scheme: String = "http", host: String = "127.0.0.1", port: Int? = nil,
    trust: S3Trust = .system, limits: S3Limits = .test, world: World = .live
  ) throws -> (blobs: Blobs, service: S3Client) {
    let settings = try S3Settings(
      url: "s3://\(bucket)/\(prefix)?endpoint=\(scheme)://\(host):\(port ?? self.port)&region=eu-central-1")
    return Blobs.s3(
      settings, S3Credentials(accessKeyID: accessKeyID, secretAccessKey: secretAccessKey), trust: trust, limits: limits,
      world: world, hosts: host == "127.0.0.1" ? [:] : [host: "127.0.0.1"])
  }
}

extension S3Limits {
  /// The smallest parts that S3 takes, and waits that are over before anybody notices.
  static var test: S3Limits {
    var limits = S3Limits()
    limits.partBytes = 5 * 1024 * 1024
    limits.backoffFirst = .milliseconds(1)
    limits.backoffMax = .milliseconds(4)
    return limits
  }
}

/// Keys of objects, in order.
func blobKey(_ number: Int) -> String { "0195a1b2-0000-7000-8000-\(String(1_000_000_000_000 + number).dropFirst())" }

/// Bytes that differ everywhere.
func noise(_ count: Int, seed: UInt64 = 1) -> Data {
  guard seed == 1 else { return drawn(count, seed: seed) }
  return longest.withLock { longest in
    if longest.count < count { longest = drawn(count, seed: 1) }
    return longest.prefix(count)
  }
}

/// The longest noise of seed 1, of which what is shorter is the beginning: megabytes take long to draw.
private let longest = Mutex(Data())

private func drawn(_ count: Int, seed: UInt64) -> Data {
  var generator = SeededGenerator(seed: seed)
  var words = (0..<(count / 8 + 1)).map { _ in generator.next() }
  return words.withUnsafeMutableBytes { Data($0.prefix(count)) }
}

/// Pieces of a size, and an error at the end when there is one.
func stream(_ bytes: Data, pieces: Int = 300_000, failing error: (any Error)? = nil) -> BlobBytes {
  BlobBytes {
    var rest = bytes[...]
    return .init {
      guard !rest.isEmpty else {
        if let error { throw error }
        return nil
      }
      defer { rest = rest.dropFirst(pieces) }
      return Data(rest.prefix(pieces))
    }
  }
}
