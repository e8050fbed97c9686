// SPDX-License-Identifier: Apache-2.0

/// Why no specimen could be drawn. Every case is about this machine or the caller's choice, never about a person.
package enum SpecimenError: Error, Equatable, Sendable, CustomStringConvertible {
  /// A font is not installed; the name is that of the Debian package that brings it.
  case fontMissing(package: String)
  /// No memory for a picture of this size.
  case noCanvas(width: Int, height: Int)
  /// The picture could not be encoded.
  case notEncoded
  /// The barcode payload does not fit a PDF417 symbol.
  case barcodeTooLong(bytes: Int)
  /// There is no degradation of this name.
  case unknownDegradation(String)
  /// The holder cannot be written in a machine-readable zone.
  case unwritableHolder

  package var description: String {
    switch self {
    case .fontMissing(let package): "a font is missing: install the package \(package)"
    case .noCanvas(let width, let height): "no memory for a picture of \(width) × \(height)"
    case .notEncoded: "the picture could not be encoded"
    case .barcodeTooLong(let bytes): "\(bytes) bytes do not fit one PDF417 symbol"
    case .unknownDegradation(let name):
      "no degradation is called \"\(name)\"; there are "
        + Degradation.Kind.allCases.map(\.rawValue).joined(separator: ", ")
    case .unwritableHolder: "the holder cannot be written in a machine-readable zone"
    }
  }
}
