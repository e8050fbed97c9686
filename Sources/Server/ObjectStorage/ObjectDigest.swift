// SPDX-License-Identifier: Apache-2.0

import Crypto
import Foundation
import NIOHTTP1

/// The SHA-256 by which S3 vouches for an object: of its bytes, or, for one that was put in parts, of the digests of
/// the parts, followed by how many there were (Amazon S3 User Guide, "Checking object integrity", composite checksums).
struct ObjectDigest {
  /// Says of an object that was put in parts how large they were.
  static let partBytesHeader = "x-amz-meta-part-bytes"

  /// What the store says; nil when it says nothing.
  private let checksum: String?
  /// Nil when the object was put whole, or that is unknown.
  private let partBytes: Int?
  private var whole = SHA256()
  private var digests = SHA256()
  private var part = SHA256()
  private var partFill = 0
  private var partCount = 0

  /// - Parameter headers: of the answer that brings the object.
  init(_ headers: HTTPHeaders) {
    checksum = headers.first(name: S3Request.checksum)
    partBytes = headers.first(name: Self.partBytesHeader).flatMap { Int($0) }.flatMap { $0 > 0 ? $0 : nil }
  }

  mutating func update(_ bytes: Data) {
    guard let partBytes else { return whole.update(data: bytes) }
    var rest = bytes[...]
    while !rest.isEmpty {
      let piece = rest.prefix(partBytes - partFill)
      part.update(data: piece)
      partFill += piece.count
      rest = rest.dropFirst(piece.count)
      if partFill == partBytes { endPart() }
    }
  }

  private mutating func endPart() {
    digests.update(data: Data(part.finalize()))
    part = SHA256()
    partFill = 0
    partCount += 1
  }

  /// Whether what was seen is what was stored. So it counts when the store says nothing, or speaks of parts of an
  /// unknown size.
  var matches: Bool {
    guard let checksum else { return true }
    guard checksum.contains("-") else {
      return partBytes != nil || checksum == Data(whole.finalize()).base64EncodedString()
    }
    guard partBytes != nil else { return true }
    var ended = self
    if partFill > 0 { ended.endPart() }
    return checksum == "\(Data(ended.digests.finalize()).base64EncodedString())-\(ended.partCount)"
  }
}
