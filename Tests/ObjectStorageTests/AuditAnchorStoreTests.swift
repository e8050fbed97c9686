// SPDX-License-Identifier: Apache-2.0

import Foundation
import Kit
import Testing
import TestSupport

@testable import ObjectStorage

@Suite("Audit anchors: where checkpoints are kept", .serialized)
struct AuditAnchorStoreTests {
  @Test("a number is taken once, and the same document may be put again", arguments: BlobStores.available)
  func objects(store: BlobStores) async throws {
    try await store.with { try await Self.check(.objects($0)) }
  }

  @Test("the same in a folder")
  func folder() async throws {
    let folder = try TestFolder()
    try await Self.check(.folder(folder.file("anchors")))
  }

  private static func check(_ anchor: AuditAnchor) async throws {
    #expect(try await anchor.numbers() == [])
    #expect(try await anchor.get(1) == nil)
    for number in [1, 2, 10, 11] { try await anchor.put(number, Data("document \(number)".utf8)) }
    try await anchor.put(2, Data("document 2".utf8))
    await #expect(throws: AuditAnchorError.taken(2)) { try await anchor.put(2, Data("another".utf8)) }
    #expect(try await anchor.numbers() == [1, 2, 10, 11])
    #expect(try await anchor.get(10) == Data("document 10".utf8))
  }

  @Test(
    "objects of a bucket with object lock are put with the day until which they stay",
    .enabled(if: MotoServer.isInstalled, "\(MotoServer.missing)"))
  func locked() async throws {
    let moto = try MotoServer.open.get()
    let bucket = try moto.makeBucket(withVersions: true, withLock: true)
    let (blobs, client) = try Self.lockingBlobs(moto, bucket)
    let until = World.live.now() + .days(400)
    try await blobs.put(blobKey(1), Data("checkpoint".utf8))
    let (mode, date) = try await client.send(S3Request(.HEAD, blobKey(1))) { response in
      (
        response.headers.first(name: "x-amz-object-lock-mode"),
        response.headers.first(name: "x-amz-object-lock-retain-until-date")
      )
    }
    #expect(mode == "COMPLIANCE")
    let kept = try #require(date.flatMap { Instant(rfc3339: $0) })
    #expect(kept >= until - .seconds(2) && kept <= until + .seconds(60))
    // A newer version would hide the one that is locked.
    await #expect(throws: BlobError.refused(code: "PreconditionFailed")) {
      try await blobs.put(blobKey(1), Data("another".utf8))
    }
    #expect(try await blobs.get(blobKey(1)) == Data("checkpoint".utf8))
  }

  @Test(
    "a bucket that locks nothing refuses such objects", .enabled(if: MotoServer.isInstalled, "\(MotoServer.missing)"))
  func unlocked() async throws {
    let moto = try MotoServer.open.get()
    let (blobs, _) = try Self.lockingBlobs(moto, try moto.makeBucket())
    await #expect(throws: BlobError.refused(code: "InvalidRequest")) { try await blobs.put(blobKey(1), Data([1])) }
  }

  private static func lockingBlobs(_ moto: MotoServer, _ bucket: String) throws -> (blobs: Blobs, service: S3Client) {
    let settings = try S3Settings(
      url: "s3://\(bucket)/a?endpoint=http://127.0.0.1:\(moto.port)&region=eu-central-1&lockDays=400")
    return Blobs.s3(
      settings, S3Credentials(accessKeyID: moto.accessKeyID, secretAccessKey: moto.secretAccessKey), limits: .test,
      world: .live)
  }
}
