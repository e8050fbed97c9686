// SPDX-License-Identifier: Apache-2.0

import Foundation

/// What the name of an object looks like: digits, small letters and hyphens, so that it means the same in a folder, in
/// a URL and in a bucket, and leads nowhere else.
package enum BlobKey {
  package static let length = 8...128

  package static func isValid(_ key: String) -> Bool {
    length.contains(key.utf8.count)
      && key.utf8.allSatisfy { ($0 >= 48 && $0 <= 57) || ($0 >= 97 && $0 <= 122) || $0 == 45 }
  }

  /// - Throws: `BlobError.badKey`.
  package static func check(_ key: String) throws {
    guard isValid(key) else { throw BlobError.badKey }
  }
}

/// Some of the objects of a store.
package struct BlobPage: Sendable, Equatable {
  package struct Object: Sendable, Equatable {
    package let key: String
    package let byteCount: Int
    /// When it was put, by the store's clock.
    package let modifiedAt: Instant

    package init(key: String, byteCount: Int, modifiedAt: Instant) {
      self.key = key
      self.byteCount = byteCount
      self.modifiedAt = modifiedAt
    }
  }

  /// Where the next page begins. Means something to the store that made it only.
  package struct Cursor: Sendable, Hashable {
    package let rawValue: String
    package init(_ rawValue: String) { self.rawValue = rawValue }
  }

  package let objects: [Object]
  /// Nil on the last page. A page may be empty and not be the last.
  package let next: Cursor?

  package init(objects: [Object], next: Cursor?) {
    self.objects = objects
    self.next = next
  }
}

/// Why an object could not be stored, read or listed. Says nothing about contents, addresses or credentials.
package enum BlobError: Error, Sendable, Equatable {
  /// The key is not one of ours.
  case badKey
  /// There are more bytes than the caller takes or stores.
  case tooLarge(bytesMax: Int)
  /// What arrived is not what was sent, also after repetition.
  case damaged
  /// The object was replaced or deleted while it was read.
  case replaced
  /// The store does not answer, is overloaded or out of room, also after repetition.
  case unavailable
  /// The store said no, with its code, such as `AccessDenied` or `NoSuchBucket`.
  case refused(code: String)
}

extension BlobError: CaseNamedError {
  package var caseName: String {
    switch self {
    case .badKey: "badKey"
    case .tooLarge: "tooLarge"
    case .damaged: "damaged"
    case .replaced: "replaced"
    case .unavailable: "unavailable"
    case .refused(let code): "refused.\(code)"
    }
  }
}

extension BlobError {
  /// What a disk refused for want of room, as `unavailable`; nil for any other error.
  package init?(noRoom error: any Error) {
    switch error {
    case let error as POSIXError where [.ENOSPC, .EDQUOT].contains(error.code): self = .unavailable
    case let error as CocoaError where error.code == .fileWriteOutOfSpace: self = .unavailable
    default: return nil
    }
  }
}
