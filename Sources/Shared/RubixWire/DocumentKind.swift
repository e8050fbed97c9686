// SPDX-License-Identifier: Apache-2.0

/// A document side as it stands in a path (rubix-onboarding §6.7).
///
/// Closed on purpose: an app chooses it, and each has its own calls. Mind the spelling: the path says `license` where
/// the step constant says `LICENCE`, and `nationality` where the constant says `NATIONAL` (§2).
public enum DocumentKind: String, CaseIterable, Codable, Sendable {
  /// Front of the national id.
  case nationalIDFront = "nationality-id-front"
  /// Back of the national id, which carries the machine readable zone.
  case nationalIDBack = "nationality-id-back"
  /// Data page of the passport.
  case passport
  /// Front of the driving licence.
  case drivingLicense = "driving-license"

  /// Reads a path part, the aliases `national-id-front` and `national-id-back` included (§2).
  public init?(pathComponent: String) {
    switch pathComponent {
    case "national-id-front": self = .nationalIDFront
    case "national-id-back": self = .nationalIDBack
    default: self.init(rawValue: pathComponent)
    }
  }

  /// The type of the stored image.
  public var documentType: DocumentType {
    switch self {
    case .nationalIDFront: .nationalIDFrontSide
    case .nationalIDBack: .nationalIDBackSide
    case .passport: .passport
    case .drivingLicense: .drivingLicense
    }
  }

  /// The step that an upload reaches.
  public var uploadedStep: OnboardingStep {
    switch self {
    case .nationalIDFront: .nationalIDFrontUploaded
    case .nationalIDBack: .nationalIDBackUploaded
    case .passport: .passportUploaded
    case .drivingLicense: .drivingLicenceUploaded
    }
  }

  /// The step that reading the image reaches.
  public var processedStep: OnboardingStep {
    switch self {
    case .nationalIDFront: .nationalIDFrontProcessed
    case .nationalIDBack: .nationalIDBackProcessed
    case .passport: .passportProcessed
    case .drivingLicense: .drivingLicenceProcessed
    }
  }
}

extension DocumentKind {
  /// The kind of a stored image's type; nil for selfie, liveness and unknown types.
  public init?(documentType: DocumentType) {
    guard let kind = Self.allCases.first(where: { $0.documentType == documentType }) else { return nil }
    self = kind
  }
}
