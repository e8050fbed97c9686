// SPDX-License-Identifier: Apache-2.0

import Foundation
import Kit

/// One object put in parts (Amazon S3 API Reference, CreateMultipartUpload): there as a whole once it is completed, and
/// before that not at all.
struct S3Upload {
  /// Says of a stored object which upload made it.
  private static let nonceHeader = "x-amz-meta-upload"

  private struct Part {
    let entityTag: String
    let checksum: String
  }

  private let client: S3Client
  private let key: String
  private let id: String
  private let nonce: String
  private var parts: [Part] = []

  static func begin(_ key: String, _ client: S3Client) async throws -> S3Upload {
    let nonce = client.world.random(16).hex
    let answer = try await client.send(
      S3Request(
        .POST, key, query: [("uploads", "")],
        headers: [
          ("x-amz-checksum-algorithm", "SHA256"), ("content-type", "application/octet-stream"), (nonceHeader, nonce),
          (ObjectDigest.partBytesHeader, "\(client.limits.partBytes)"),
        ] + client.lockHeaders))
    guard let element = S3Element.parse(answer.body), element.name == "InitiateMultipartUploadResult",
      let id = element.value("UploadId"), (1...1024).contains(id.utf8.count)
    else { throw S3Failure.malformed.error }
    return S3Upload(client: client, key: key, id: id, nonce: nonce)
  }

  private init(client: S3Client, key: String, id: String, nonce: String) {
    self.client = client
    self.key = key
    self.id = id
    self.nonce = nonce
  }

  mutating func add(_ bytes: Data) async throws {
    guard parts.count < S3Limits.partsMax else {
      throw BlobError.tooLarge(bytesMax: S3Limits.partsMax * client.limits.partBytes)
    }
    let request = S3Request(
      .PUT, key, query: [("partNumber", "\(parts.count + 1)"), ("uploadId", id)], body: bytes
    ).checksummed()
    let checksum = Data(request.digest).base64EncodedString()
    let entityTag = try await client.send(request) { response in
      guard response.headers.first(name: S3Request.checksum) ?? checksum == checksum else { throw S3Failure.damaged }
      guard let entityTag = response.headers.first(name: "etag"),
        entityTag.wholeMatch(of: /"?[A-Za-z0-9-]{1,128}"?/) != nil
      else { throw S3Failure.malformed }
      return entityTag
    }
    parts.append(Part(entityTag: entityTag.trimmingCharacters(in: ["\""]), checksum: checksum))
  }

  func complete() async throws {
    let list = parts.enumerated().map { index, part in
      """
      <Part><PartNumber>\(index + 1)</PartNumber><ETag>"\(part.entityTag)"</ETag>\
      <ChecksumSHA256>\(part.checksum)</ChecksumSHA256></Part>
      """
    }.joined()
    let body = """
      <CompleteMultipartUpload xmlns="http://s3.amazonaws.com/doc/2006-03-01/">\(list)</CompleteMultipartUpload>
      """
    let request = S3Request(
      .POST, key, query: [("uploadId", id)], headers: [("content-type", "application/xml")], body: Data(body.utf8))
    do {
      try await client.send(request) { response in
        // The status is sent before the work is done, so an error may stand in the body of a 200.
        let answer = try await S3Client.whole(response, upTo: S3Element.bytesMax)
        let element = S3Element.parse(answer.body)
        if element?.name == "Error" {
          throw S3Failure(S3Answer(status: 500, headers: answer.headers, body: answer.body))
        }
        guard element?.name == "CompleteMultipartUploadResult" else { throw S3Failure.malformed }
      }
    } catch let error as BlobError {
      // The answer to an attempt that succeeded may have been lost, and the next one found no upload to complete.
      guard try await isStored() else { throw error }
    }
  }

  private func isStored() async throws -> Bool {
    do {
      return try await client.send(S3Request(.HEAD, key)) { $0.headers.first(name: Self.nonceHeader) } == nonce
    } catch is BlobError { return false }
  }

  /// Gives the parts up. What cannot be told to the store now is found by the sweep.
  static func abort(_ id: String, of key: String, _ client: S3Client) async throws {
    do {
      _ = try await client.send(S3Request(.DELETE, key, query: [("uploadId", id)]))
    } catch BlobError.refused(code: "NoSuchUpload") {}
  }

  func abort() async {
    let (id, key, client) = (id, key, client)
    // In a task of its own, awaited: the caller's may be cancelled, which is one reason to be here.
    await Task { try? await Self.abort(id, of: key, client) }.value
  }
}
