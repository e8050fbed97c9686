/// What the name of an object looks like: digits, small letters and hyphens, so that it means the same in a folder, in a
/// URL and in a bucket, and leads nowhere else.
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
