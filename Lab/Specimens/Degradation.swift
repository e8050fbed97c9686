// SPDX-License-Identifier: Apache-2.0

/// Something that goes wrong when a document is photographed with a phone.
package struct Degradation: Sendable, Codable, Hashable {
  package enum Kind: String, Sendable, Codable, CaseIterable {
    /// Out of focus.
    case blur
    /// Not straight in the picture.
    case rotate
    /// A sensor in poor light.
    case noise
    /// A lamp mirrored in the laminate.
    case glare
    /// Seen from an angle.
    case perspective
    /// Compressed too much.
    case jpeg
    /// The photographer's shadow.
    case shadow
    /// Too far away, or too small a sensor.
    case lowres
    /// The grid of a screen against the grid of a sensor.
    case moire
    /// Lying any way round: by any angle at strength 1, by a share of the full turn below.
    case turn
  }

  package var kind: Kind
  /// 1 is what a careful customer's picture shows; 2 and more should make a quality check complain.
  package var strength: Double

  package init(_ kind: Kind, strength: Double = 1) {
    self.kind = kind
    self.strength = min(4, max(0, strength))
  }

  /// Reads a list such as `blur,rotate` or `glare:2,jpeg`.
  ///
  /// - Throws: `SpecimenError.unknownDegradation`, quoting the item.
  package static func list(_ text: String) throws(SpecimenError) -> [Degradation] {
    var result: [Degradation] = []
    for item in text.split(separator: ",") {
      let parts = item.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
      guard let name = parts.first, let kind = Kind(rawValue: String(name)) else {
        throw .unknownDegradation(String(item))
      }
      guard parts.count > 1 else {
        result.append(Degradation(kind))
        continue
      }
      guard let strength = Double(parts[1]), strength.isFinite else { throw .unknownDegradation(String(item)) }
      result.append(Degradation(kind, strength: strength))
    }
    return result
  }
}
