// SPDX-License-Identifier: Apache-2.0

import DocumentCore
import Evidence
import Foundation
import Specimens

/// One picture of `bench evidence`: a side of a drawn document, with the truth about it.
struct EvidencePicture: Sendable {
  /// What a picture may show, by the names of the command line.
  enum Subject: String, CaseIterable, Sendable, Codable {
    case passport
    case cardFront = "id-front"
    case cardBack = "id-back"
    case licenceFront = "licence-front"
    case licenceBack = "licence-back"

    var specimen: (kind: SpecimenKind, side: SpecimenSide) {
      switch self {
      case .passport: (.passport, .page)
      case .cardFront: (.idCard, .front)
      case .cardBack: (.idCard, .back)
      case .licenceFront: (.drivingLicence, .front)
      case .licenceBack: (.drivingLicence, .back)
      }
    }

    var document: DocumentKind {
      switch self {
      case .passport: .passport
      case .cardFront: .nationalIDFront
      case .cardBack: .nationalIDBack
      case .licenceFront, .licenceBack: .drivingLicence
      }
    }

    /// Six of ten carry a machine-readable zone, of which two thirds of the goals are.
    static let usual: [Subject] = [
      .passport, .cardBack, .cardFront, .passport, .cardBack, .licenceFront, .passport, .cardBack, .cardFront,
      .licenceBack,
    ]
  }

  let subject: Subject
  let seed: UInt64
  let bytes: Data
  let fileExtension: String
  /// The lines of the zone; empty on a side without one.
  let lines: [String]
  /// The payload of the barcode; nil on a side without one.
  let barcode: String?
  /// What a perfect reader says of the print; empty where print is not read.
  let print: [VisualZone.Field: String]

  static func draw(_ subject: Subject, seed: UInt64, wear: EvidenceWear, on day: CalendarDate) throws -> Self {
    let (kind, side) = subject.specimen
    let drawn = try Specimen.draw(kind, seed: seed, reference: day, degrade: wear.degradations(seed: seed))
    guard let picture = drawn.images.first(where: { $0.side == side })?.picture,
      let truth = drawn.truth.sides.first(where: { $0.side == side })
    else { throw SpecimenError.notEncoded }
    return Self(subject, seed, picture, drawn.truth, truth)
  }

  init(
    _ subject: Subject, _ seed: UInt64, _ picture: Picture, _ truth: SpecimenTruth, _ side: SpecimenTruth.Side
  ) {
    self.subject = subject
    self.seed = seed
    bytes = picture.data
    fileExtension = picture.format.fileExtension
    lines = side.mrz
    barcode = side.barcode
    print = subject == .cardBack || subject == .licenceBack ? [:] : Self.print(truth, side.printed)
  }

  /// Dates as `YYYY-MM-DD`; everything else as it is printed.
  private static func print(_ truth: SpecimenTruth, _ printed: [String: String]) -> [VisualZone.Field: String] {
    var fields: [VisualZone.Field: String] = [
      .birthDate: truth.holder.birthDate.isoText, .expiryDate: truth.papers.expiryDate.isoText,
      .issueDate: truth.papers.issueDate.isoText,
    ]
    let names: [(VisualZone.Field, String)] = [
      (.birthDate, "birthDate"), (.expiryDate, "expiryDate"), (.issueDate, "issueDate"), (.surname, "surname"),
      (.givenNames, "givenNames"), (.documentNumber, "documentNumber"), (.sex, "sex"), (.nationality, "nationality"),
      (.personalNumber, "personalNumber"),
    ]
    for (field, name) in names {
      guard let text = printed[name] else {
        fields[field] = nil
        continue
      }
      if fields[field] == nil { fields[field] = text }
    }
    return fields
  }
}
