// SPDX-License-Identifier: Apache-2.0

import Foundation
import Kit

/// What a bucket says it holds, in XML. What is not ours, because it is not below the prefix or not a key of ours, is
/// passed over.
enum S3Listing {
  /// Uploads that were begun and neither completed nor aborted.
  struct Uploads: Equatable {
    struct Upload: Equatable {
      let key: String
      let id: String
      let begunAt: Instant
    }

    struct Position: Equatable {
      let key: String
      let upload: String
    }

    let uploads: [Upload]
    let next: Position?
  }

  /// - Returns: nil when it is not an answer to ListObjectsV2.
  static func objects(_ body: Data, below prefix: String) -> BlobPage? {
    guard let root = S3Element.parse(body), root.name == "ListBucketResult" else { return nil }
    var objects: [BlobPage.Object] = []
    for entry in root.all("Contents") {
      guard let key = key(entry, root, below: prefix) else { continue }
      guard let byteCount = entry.value("Size").flatMap({ Int($0) }), byteCount >= 0,
        let modifiedAt = entry.value("LastModified").flatMap(Instant.init(rfc3339:))
      else { return nil }
      objects.append(.init(key: key, byteCount: byteCount, modifiedAt: modifiedAt))
    }
    guard root.value("IsTruncated") == "true" else { return BlobPage(objects: objects, next: nil) }
    guard let token = root.value("NextContinuationToken"), (1...4096).contains(token.utf8.count) else { return nil }
    return BlobPage(objects: objects, next: .init(token))
  }

  /// - Returns: nil when it is not an answer to ListMultipartUploads.
  static func uploads(_ body: Data, below prefix: String) -> Uploads? {
    guard let root = S3Element.parse(body), root.name == "ListMultipartUploadsResult" else { return nil }
    var uploads: [Uploads.Upload] = []
    for entry in root.all("Upload") {
      guard let key = key(entry, root, below: prefix) else { continue }
      guard let id = entry.value("UploadId"), (1...1024).contains(id.utf8.count),
        let begunAt = entry.value("Initiated").flatMap(Instant.init(rfc3339:))
      else { return nil }
      uploads.append(.init(key: key, id: id, begunAt: begunAt))
    }
    guard root.value("IsTruncated") == "true" else { return Uploads(uploads: uploads, next: nil) }
    guard let key = root.value("NextKeyMarker").map({ decoded($0, root) }), let id = root.value("NextUploadIdMarker"),
      !key.isEmpty
    else { return nil }
    return Uploads(uploads: uploads, next: .init(key: key, upload: id))
  }

  private static func key(_ entry: S3Element, _ root: S3Element, below prefix: String) -> String? {
    guard let key = entry.value("Key").map({ decoded($0, root) }), key.hasPrefix(prefix) else { return nil }
    let name = String(key.dropFirst(prefix.count))
    return BlobKey.isValid(name) ? name : nil
  }

  /// Keys are percent-encoded when the answer declares it, with `+` for a space.
  private static func decoded(_ text: String, _ root: S3Element) -> String {
    guard root.value("EncodingType") == "url" else { return text }
    return text.replacing("+", with: " ").removingPercentEncoding ?? text
  }
}
