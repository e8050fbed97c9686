// SPDX-License-Identifier: Apache-2.0

import Foundation
import Kit
import ServiceLifecycle

extension Blobs {
  /// Objects in a bucket of a store that speaks S3. Bodies are always signed and carry a checksum that the store
  /// verifies and repeats; a bucket with versions works like one without.
  /// - Parameters:
  ///   - trust: whose word on the store's name counts.
  ///   - hosts: addresses by host name, in place of the name service; for tests.
  /// - Returns: the objects, and the service that closes the connections when the program ends.
  package static func s3(
    _ settings: S3Settings, _ credentials: S3Credentials, trust: S3Trust = .system, limits: S3Limits = .init(),
    world: World, hosts: [String: String] = [:]
  ) -> (blobs: Blobs, service: S3Client) {
    let client = S3Client(settings, credentials, trust: trust, limits: limits, world: world, hosts: hosts)
    let bucket = S3Bucket(client: client)
    return (
      Blobs(
        put: { try await bucket.putStream($0, BlobBytes($1), Blobs.wholeMax) }, get: bucket.get, delete: bucket.delete,
        putStream: bucket.putStream, getStream: bucket.getStream, list: bucket.list,
        sweepUnfinished: bucket.sweepUnfinished, check: bucket.check), client
    )
  }
}

/// The contract of `Blobs`, in calls of S3.
private struct S3Bucket: Sendable {
  let client: S3Client

  @Sendable func get(_ key: String) async throws -> Data? {
    try BlobKey.check(key)
    do {
      return try await client.send(read(key)) { response in
        let answer = try await S3Client.whole(response, upTo: Blobs.wholeMax)
        let announced = answer.headers.first(name: "content-length").flatMap { Int($0) }
        guard answer.body.count == announced ?? answer.body.count else { throw S3Failure.disconnected }
        var digest = ObjectDigest(answer.headers)
        digest.update(answer.body)
        guard digest.matches else { throw S3Failure.damaged }
        return answer.body
      }
    } catch BlobError.refused(code: "NoSuchKey") { return nil }
  }

  @Sendable func getStream(_ key: String) async throws -> BlobBytes? {
    try BlobKey.check(key)
    do {
      let response = try await client.send(read(key)) { $0 }
      return BlobBytes { [client] in
        let download = S3Download(response, of: key, client)
        return .init { try await download.next() }
      }
    } catch BlobError.refused(code: "NoSuchKey") { return nil }
  }

  private func read(_ key: String) -> S3Request {
    S3Request(.GET, key, headers: [("x-amz-checksum-mode", "ENABLED")])
  }

  @Sendable func delete(_ key: String) async throws {
    try BlobKey.check(key)
    do { _ = try await client.send(S3Request(.DELETE, key)) } catch BlobError.refused(code: "NoSuchKey") {}
  }

  @Sendable func putStream(_ key: String, _ bytes: BlobBytes, _ bytesMax: Int) async throws {
    try BlobKey.check(key)
    var reader = PartReader(bytes, partBytes: client.limits.partBytes, bytesMax: bytesMax)
    let first = try await reader.next()
    guard !first.isLast else { return try await putWhole(key, first.bytes) }
    var upload = try await S3Upload.begin(key, client)
    do {
      try await upload.add(first.bytes)
      var isLast = false
      while !isLast {
        let part = try await reader.next()
        try await upload.add(part.bytes)
        isLast = part.isLast
      }
      try await upload.complete()
    } catch {
      await upload.abort()
      throw error
    }
  }

  private func putWhole(_ key: String, _ bytes: Data) async throws {
    // A lock keeps a version, and another put would hide it behind a newer one.
    let once = client.settings.lockDays == nil ? [] : [(name: "if-none-match", value: "*")]
    let request = S3Request(
      .PUT, key, headers: [("content-type", "application/octet-stream")] + client.lockHeaders + once, body: bytes
    ).checksummed()
    let checksum = Data(request.digest).base64EncodedString()
    try await client.send(request) { response in
      guard response.headers.first(name: S3Request.checksum) ?? checksum == checksum else { throw S3Failure.damaged }
    }
  }

  @Sendable func list(_ after: BlobPage.Cursor?, _ limit: Int) async throws -> BlobPage {
    precondition((1...Blobs.pageMax).contains(limit), "A page has between one and \(Blobs.pageMax) objects.")
    let answer = try await client.send(listing(limit, after))
    guard let page = S3Listing.objects(answer.body, below: client.settings.prefix) else {
      throw S3Failure.malformed.error
    }
    return page
  }

  private func listing(_ limit: Int, _ after: BlobPage.Cursor?) -> S3Request {
    var query = [("list-type", "2"), ("max-keys", "\(limit)"), ("encoding-type", "url")]
    if !client.settings.prefix.isEmpty { query.append(("prefix", client.settings.prefix)) }
    if let after { query.append(("continuation-token", after.rawValue)) }
    return S3Request(.GET, query: query)
  }

  @Sendable func sweepUnfinished(before: Instant) async throws -> Int {
    var (count, after): (Int, S3Listing.Uploads.Position?) = (0, nil)
    for _ in 0..<BlobSweep.pagesMax {
      var query = [("uploads", ""), ("encoding-type", "url")]
      if !client.settings.prefix.isEmpty { query.append(("prefix", client.settings.prefix)) }
      if let after { query += [("key-marker", after.key), ("upload-id-marker", after.upload)] }
      let answer = try await client.send(S3Request(.GET, query: query))
      guard let page = S3Listing.uploads(answer.body, below: client.settings.prefix) else {
        throw S3Failure.malformed.error
      }
      for upload in page.uploads where upload.begunAt < before {
        try await S3Upload.abort(upload.id, of: upload.key, client)
        count += 1
      }
      after = page.next
      guard after != nil else { break }
    }
    return count
  }

  @Sendable func check() async throws { try await client.check(listing(1, nil)) }
}
