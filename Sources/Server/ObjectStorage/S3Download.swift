// SPDX-License-Identifier: Apache-2.0

import AsyncHTTPClient
import Foundation
import Kit
import NIOCore

/// A download of an object. When it breaks off it goes on where it ended, as long as the object is the same.
final class S3Download {
  /// How many interruptions one download recovers from.
  private static let resumptionsMax = 5

  private let client: S3Client
  private let key: String
  private let entityTag: String?
  private let byteCount: Int?
  private var digest: ObjectDigest
  private var offset = 0
  private var resumptions = 0
  private var body: HTTPClientResponse.Body.AsyncIterator
  private var hasEnded = false

  /// - Parameter response: of the first request, for the whole object.
  init(_ response: HTTPClientResponse, of key: String, _ client: S3Client) {
    self.client = client
    self.key = key
    entityTag = response.headers.first(name: "etag")
    byteCount = response.headers.first(name: "content-length").flatMap { Int($0) }
    digest = ObjectDigest(response.headers)
    body = response.body.makeAsyncIterator()
  }

  /// - Returns: nil at the end, when everything arrived and has the digest that it was stored with.
  /// - Throws: `BlobError`, `CancellationError`.
  func next() async throws -> Data? {
    guard !hasEnded else { return nil }
    while true {
      do {
        if let buffer = try await body.next() {
          let piece = Data(buffer.readableBytesView)
          offset += piece.count
          digest.update(piece)
          return piece
        }
        if byteCount == nil { break }
      } catch {
        try Task.checkCancellation()
      }
      if offset == byteCount { break }
      try await resume()
    }
    hasEnded = true
    guard digest.matches else { throw BlobError.damaged }
    return nil
  }

  private func resume() async throws {
    resumptions += 1
    guard let entityTag, resumptions <= Self.resumptionsMax else { throw BlobError.unavailable }
    let offset = offset
    do {
      let request = S3Request(.GET, key, headers: [("range", "bytes=\(offset)-"), ("if-match", entityTag)])
      let response = try await client.send(request) { response in
        guard response.status == .partialContent,
          response.headers.first(name: "content-range")?.hasPrefix("bytes \(offset)-") == true,
          response.headers.first(name: "etag") == entityTag
        else { throw BlobError.replaced }
        return response
      }
      body = response.body.makeAsyncIterator()
    } catch BlobError.refused(code: "PreconditionFailed"), BlobError.refused(code: "NoSuchKey") {
      throw BlobError.replaced
    }
  }
}
