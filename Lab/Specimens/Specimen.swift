// SPDX-License-Identifier: Apache-2.0

import DocumentCore
import Foundation

/// The kinds of documents that Utopia issues.
package enum SpecimenKind: String, Sendable, Codable, CaseIterable {
  case passport
  case idCard = "id-card"
  case drivingLicence = "driving-licence"
}

/// A side of a document.
package enum SpecimenSide: String, Sendable, Codable {
  /// The data page of a passport.
  case page
  case front, back
}

/// A drawn document: its pictures, and the truth about what stands on them.
package struct DrawnSpecimen: Sendable {
  /// One picture per side, in the order of `truth.sides`.
  package let images: [(side: SpecimenSide, picture: Picture)]
  package let truth: SpecimenTruth
}

/// Draws documents of Utopia (UTO), the state that Doc 9303 keeps for specimens.
package enum Specimen {
  /// Draws a document and, when any degradation is asked for, photographs it on a desk.
  ///
  /// The same arguments give the same bytes on the same machine. Clean pictures are PNG scans cut to the document;
  /// photographs are JPEG.
  ///
  /// - Parameters:
  ///   - holder: Nil for the random holder of this seed.
  ///   - papers: Number and dates; nil for random ones that are in force on the reference date.
  ///   - seed: Decides whatever the other arguments leave open.
  ///   - reference: The day that counts as today.
  ///   - degrade: What happens to the photograph, in this order. Empty for a scan.
  package static func draw(
    _ kind: SpecimenKind, holder: Holder? = nil, papers: Papers? = nil, seed: UInt64, reference: CalendarDate,
    degrade: [Degradation] = []
  ) throws(SpecimenError) -> DrawnSpecimen {
    let holder = holder ?? .random(seed: seed, reference: reference)
    let papers = papers ?? .random(kind, seed: seed, reference: reference, holder: holder)
    let fonts = try Fonts()
    var images: [(side: SpecimenSide, picture: Picture)] = []
    var sides: [SpecimenTruth.Side] = []
    for page in try pages(kind, holder, papers, fonts) {
      var truth = page.truth
      let picture: Picture
      if degrade.isEmpty {
        picture = try page.canvas.encoded(as: .png)
      } else {
        let stream = "photo \(kind.rawValue) \(page.truth.side.rawValue)"
        let photo = try Photograph(of: page.canvas, isCard: kind != .passport, degrade, seed: seed, stream: stream)
        picture = try photo.canvas.encoded(as: .jpeg, quality: 92)
        truth.moved(by: photo.map, width: photo.canvas.width, height: photo.canvas.height)
      }
      images.append((page.truth.side, picture))
      sides.append(truth)
    }
    let truth = SpecimenTruth(
      kind: kind, seed: seed, referenceDate: reference, holder: holder, papers: papers, sides: sides, degrade: degrade)
    return DrawnSpecimen(images: images, truth: truth)
  }

  private static func pages(
    _ kind: SpecimenKind, _ holder: Holder, _ papers: Papers, _ fonts: Fonts
  ) throws(SpecimenError) -> [Page] {
    switch kind {
    case .passport: [try PassportPage.draw(holder, papers, fonts)]
    case .idCard: [try IdentityCard.front(holder, papers, fonts), try IdentityCard.back(holder, papers, fonts)]
    case .drivingLicence:
      [try DrivingLicence.front(holder, papers, fonts), try DrivingLicence.back(holder, papers, fonts)]
    }
  }
}
