// SPDX-License-Identifier: Apache-2.0

import Crypto
import Foundation
import NIOHTTP1

/// A call of S3, before it is signed. Every one may be repeated.
struct S3Request: Sendable {
  var method: HTTPMethod
  /// Nil: the bucket itself.
  var key: String?
  var query: [(name: String, value: String)] = []
  var headers: [(name: String, value: String)] = []
  let body: Data
  /// Of the body.
  let digest: SHA256Digest

  init(
    _ method: HTTPMethod, _ key: String? = nil, query: [(name: String, value: String)] = [],
    headers: [(name: String, value: String)] = [], body: Data = Data()
  ) {
    self.method = method
    self.key = key
    self.query = query
    self.headers = headers
    self.body = body
    digest = SHA256.hash(data: body)
  }

  /// The header by which the store checks what arrives, and says what it stored.
  static let checksum = "x-amz-checksum-sha256"

  /// With the digest of the body as a checksum that the store verifies.
  func checksummed() -> S3Request {
    var request = self
    request.headers.append((Self.checksum, Data(digest).base64EncodedString()))
    // Amazon's store goes by the header above; others keep the checksum only when this one is there, too.
    request.headers.append(("x-amz-sdk-checksum-algorithm", "SHA256"))
    return request
  }
}

/// What came back, whole.
struct S3Answer: Sendable {
  let status: Int
  let headers: HTTPHeaders
  let body: Data
}
