// SPDX-License-Identifier: Apache-2.0

import Foundation
import Kit
@testable import ObjectStorage
import TestSupport
import Testing

@Suite(
  "Object storage: a bucket over TLS", .serialized,
  .enabled(if: MotoServer.isInstalled, "\(MotoServer.missing)"),
  .enabled(if: TestAuthority.isAvailable, "\(TestAuthority.missing)"), .timeLimit(.minutes(1)))
struct BucketTLSTests {
  private static let key = blobKey(1)
  private static let host = "s3.bank.example"

  @Test("with the authority that vouches for the store objects go in and out, in parts too")
  func trusted() async throws {
    let authority = try TestAuthority()
    let (moto, bucket) = try Self.store(authority)
    let blobs = try moto.blobs(
      bucket, scheme: "https", host: Self.host, trust: .authorities(at: authority.certificate)
    ).blobs
    try await blobs.check()
    let bytes = noise(6_000_000)
    try await blobs.putStream(Self.key, stream(bytes), 10_000_000)
    #expect(try await blobs.get(Self.key) == bytes)
    #expect(try await blobs.getStream(Self.key)?.collect(upTo: bytes.count) == bytes)
    let found = try await blobs.list(nil, 10)
    #expect(found.objects.map(\.key) == [Self.key])
  }

  @Test("a store with an untrusted certificate or another name gets no request, and the error has the reason")
  func refused() async throws {
    let (authority, stranger) = (try TestAuthority(), try TestAuthority())
    let (moto, bucket) = try Self.store(authority)
    var limits = S3Limits.test
    limits.connectMax = .milliseconds(500)
    for (host, trust) in [
      (Self.host, S3Trust.system), (Self.host, try .authorities(at: stranger.certificate)),
      ("other.bank.example", try .authorities(at: authority.certificate)),
    ] {
      let blobs = try moto.blobs(bucket, scheme: "https", host: host, trust: trust, limits: limits).blobs
      await #expect(throws: BlobError.refused(code: "CertificateRefused")) { try await blobs.put(Self.key, Data([1])) }
      await #expect(throws: BlobError.self) { try await blobs.check() }
    }
    let trusted = try moto.blobs(
      bucket, scheme: "https", host: Self.host, trust: .authorities(at: authority.certificate)
    ).blobs
    let found = try await trusted.get(Self.key)
    #expect(found == nil)
  }

  @Test("TLS before 1.2 is not spoken")
  func versions() throws {
    let authority = try TestAuthority()
    for trust in [S3Trust.system, try .authorities(at: authority.certificate)] {
      #expect(trust.configuration.minimumTLSVersion == .tlsv12)
    }
  }

  @Test("a file of authorities that is not there, or holds none, is refused", arguments: ["", "no certificate"])
  func malformed(text: String) throws {
    let folder = try TestFolder()
    #expect(throws: S3Trust.Malformed.self) { try S3Trust.authorities(at: folder.file("ca.pem")) }
    try Data(text.utf8).write(to: URL(filePath: folder.file("ca.pem")))
    #expect(throws: S3Trust.Malformed.self) { try S3Trust.authorities(at: folder.file("ca.pem")) }
  }

  private static func store(_ authority: TestAuthority) throws -> (moto: MotoServer, bucket: String) {
    let moto = try MotoServer(.open, as: try authority.vouch(for: "DNS:\(host)"))
    return (moto, try moto.makeBucket())
  }
}
