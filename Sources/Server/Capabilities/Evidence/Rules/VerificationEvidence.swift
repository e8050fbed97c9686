// SPDX-License-Identifier: Apache-2.0

import DocumentCore

/// All that a verification decides on: readings, declarations, and what the face ports said.
package struct VerificationEvidence: Sendable {
  /// One reading per image of a document.
  package var documents: [DocumentKind: DocumentReading]
  /// Further pictures of a document, such as a licence's other side. They are not judged, and may say again what the
  /// one that is judged says.
  package var otherSides: [DocumentKind: [DocumentReading]]
  /// What the applicant declared; nil when nothing was.
  package var application: ApplicationData?
  /// Selfie against the portrait of each document that has one.
  package var selfieVsPortrait: [DocumentKind: FaceComparisonResult]
  /// Selfie against the liveness image; nil when it was not compared.
  package var selfieVsLiveness: FaceComparisonResult?
  /// Portraits of two documents; nil when there is one.
  package var portraitVsPortrait: FaceComparisonResult?
  package var liveness: LivenessResult?
  /// Looks that the selfies were asked for, and what they show; nil where none were asked for.
  package var looks: SelfieLooks?

  package init(
    documents: [DocumentKind: DocumentReading], otherSides: [DocumentKind: [DocumentReading]] = [:],
    application: ApplicationData? = nil,
    selfieVsPortrait: [DocumentKind: FaceComparisonResult] = [:], selfieVsLiveness: FaceComparisonResult? = nil,
    portraitVsPortrait: FaceComparisonResult? = nil, liveness: LivenessResult? = nil, looks: SelfieLooks? = nil
  ) {
    self.documents = documents
    self.otherSides = otherSides
    self.application = application
    self.selfieVsPortrait = selfieVsPortrait
    self.selfieVsLiveness = selfieVsLiveness
    self.portraitVsPortrait = portraitVsPortrait
    self.liveness = liveness
    self.looks = looks
  }

  /// The other side of a card, and further pictures of the same document.
  func sides(beside kind: DocumentKind) -> [DocumentReading] {
    let other: DocumentReading? =
      switch kind {
      case .nationalIDFront: documents[.nationalIDBack]
      case .nationalIDBack: documents[.nationalIDFront]
      case .passport, .drivingLicence: nil
      }
    return [other].compactMap(\.self) + otherSides[kind, default: []]
  }
}

/// A sequence of looks that was asked for, picture by picture.
package struct SelfieLooks: Sendable {
  package var asked: [FaceDirection]
  /// As many as were asked for.
  package var seen: [FaceDirectionReading]
  /// What the liveness picture shows, which is the last of the order: it looks straight, for it is compared with the
  /// selfie that does. Nil when no liveness picture was taken.
  package var liveness: FaceDirectionReading?

  package init(asked: [FaceDirection], seen: [FaceDirectionReading], liveness: FaceDirectionReading? = nil) {
    (self.asked, self.seen, self.liveness) = (asked, seen, liveness)
  }
}

/// What the applicant says of themself. Fields that were not asked are nil.
package struct ApplicationData: Sendable {
  package var name: PersonName?
  package var birthDate: CalendarDate?

  package init(name: PersonName? = nil, birthDate: CalendarDate? = nil) {
    self.name = name
    self.birthDate = birthDate
  }
}

/// An image that a customer can be asked to take again, by its wire name (rubix-onboarding §6.7).
package enum CapturedImage: String, Codable, Hashable, Sendable, CaseIterable {
  case selfie = "SELFIE"
  case liveness = "LIVENESS"
  case passport = "PASSPORT"
  case nationalIDFront = "NATIONAL_ID_FRONT_SIDE"
  case nationalIDBack = "NATIONAL_ID_BACK_SIDE"
  case drivingLicence = "DRIVING_LICENSE"

  package init(_ kind: DocumentKind) {
    switch kind {
    case .passport: self = .passport
    case .nationalIDFront: self = .nationalIDFront
    case .nationalIDBack: self = .nationalIDBack
    case .drivingLicence: self = .drivingLicence
    }
  }
}
