import Foundation

/// A picture beside an export's text, as the text lists it.
package struct ExportedFile: Encodable, Sendable, Equatable {
  /// Which picture of its row it is, such as `portrait`.
  package let what: String
  /// Within the export.
  package let path: String
  package let bytes: Int
  package let sha256: String
}

extension Blobs {
  /// Opens a picture for an export.
  /// - Parameter context: what it was sealed for.
  /// - Returns: nil when it is gone.
  package func exported(
    _ key: String, as what: String, context: String, by vault: Vault
  ) async throws -> (file: ExportedFile, bytes: Data)? {
    guard let sealed = try await get(key) else { return nil }
    let bytes = try vault.open(sealed, context: context)
    let file = ExportedFile(what: what, path: "images/\(key).jpg", bytes: bytes.count, sha256: bytes.sha256Hex)
    return (file, bytes)
  }
}
