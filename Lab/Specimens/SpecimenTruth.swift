// SPDX-License-Identifier: Apache-2.0

import DocumentCore
import Foundation

/// What really stands on a specimen: the answer that a reader's answer is compared with.
package struct SpecimenTruth: Sendable, Codable, Equatable {
  /// A place in a picture, in pixels from its upper left corner.
  package struct Point: Sendable, Codable, Equatable {
    package var x: Double
    package var y: Double
  }

  /// One side of the document.
  package struct Side: Sendable, Codable, Equatable {
    package var side: SpecimenSide
    /// The picture's size in pixels.
    package var width: Int
    package var height: Int
    /// Where the document's corners are in the picture: upper left, upper right, lower right, lower left.
    package var corners: [Point]
    /// The corners of the portrait, in the same order; nil on a side without one.
    package var portrait: [Point]?
    /// The visual zone: each value exactly as it is printed, by the field's name.
    package var printed: [String: String]
    /// The lines of the machine-readable zone; empty on a side without one.
    package var mrz: [String]
    /// The payload of the PDF417; nil on a side without one.
    package var barcode: String?
  }

  package var kind: SpecimenKind
  package var seed: UInt64
  package var referenceDate: CalendarDate
  package var holder: Holder
  package var papers: Papers
  package var sides: [Side]
  package var degrade: [Degradation]

  /// The lines of the one side that has a machine-readable zone.
  package var mrz: [String] { sides.first { !$0.mrz.isEmpty }?.mrz ?? [] }
  /// The payload of the one side that has a barcode.
  package var barcode: String? { sides.lazy.compactMap(\.barcode).first }

  /// The JSON that is written beside the pictures: members sorted, so that equal truths are equal files.
  package func json() throws -> Data {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
    return try encoder.encode(self)
  }
}

extension SpecimenTruth.Side {
  /// Carries every place along when the flat document is photographed.
  mutating func moved(by map: Homography, width: Int, height: Int) {
    func carry(_ point: SpecimenTruth.Point) -> SpecimenTruth.Point {
      let (x, y) = map.apply(point.x, point.y)
      return .init(x: (x * 10).rounded() / 10, y: (y * 10).rounded() / 10)
    }
    corners = corners.map(carry)
    portrait = portrait?.map(carry)
    self.width = width
    self.height = height
  }
}
