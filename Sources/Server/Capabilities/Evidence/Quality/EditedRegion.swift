// SPDX-License-Identifier: Apache-2.0

import CVision
import Foundation

/// The part of a picture that fits least to its first compression: it may have come into the picture afterwards. An
/// advisory score, for the person who reviews the picture. A picture without one may be edited all the same
/// (`cvision_edited_region`).
package struct EditedRegion: Codable, Equatable, Sendable {
  /// How much likelier it is that the part came in afterwards, as a natural logarithm; from 0 on.
  package var evidence: Double
  /// In pixels of the canonical image. What was changed may be larger.
  package var region: Region

  /// Larger pictures are not looked at: all their coefficients are held at once.
  static let pixelsMax = 16_000_000

  /// Bytes that looking takes at most: six a pixel for coefficients, and two for a copy of those of luma.
  static func bytes(of header: ImageHeader, _ format: ImageFormat) -> Int {
    isLookedAt(header, format) ? header.width * header.height * 8 : 0
  }

  private static func isLookedAt(_ header: ImageHeader, _ format: ImageFormat) -> Bool {
    format == .jpeg && header.isWhole && !header.isStored && header.components == 3
      && header.width * header.height <= pixelsMax
  }

  /// - Returns: nil for what is no colour JPEG of one scan, is larger than `pixelsMax`, or shows one compression only.
  static func find(in bytes: Data) throws -> EditedRegion? {
    guard let format = ImageFormat(sniffing: bytes), let header = ImageHeader(bytes, format: format),
      isLookedAt(header, format)
    else { return nil }
    var checked = cvision_header(
      width: Int32(header.width), height: Int32(header.height), components: Int32(header.components),
      depth: Int32(header.depth), scans: Int32(header.scans))
    var evidence: Float = 0
    var box = cvision_box()
    let status = bytes.withUnsafeBytes { raw in
      cvision_edited_region(
        raw.bindMemory(to: UInt8.self).baseAddress, raw.count, &checked, Int32(header.orientation), &evidence, &box)
    }
    if status == CVISION_NOT_FOUND { return nil }
    try CVisionFailure.check(status)
    return EditedRegion(evidence: (Double(evidence) * 10).rounded() / 10, region: Region(box))
  }
}

extension ImageQuality {
  /// Flags a region whose evidence is above `evidenceMax`, or none when that is nil.
  mutating func note(_ edited: EditedRegion?, evidenceMax: Double?) {
    self.edited = edited
    guard let edited, let evidenceMax, edited.evidence > evidenceMax else { return }
    // Flags are the least severe, and issues are in order.
    issues.append(QualityIssue(.editedRegion, .flag, measured: edited.evidence, limit: evidenceMax))
  }
}
