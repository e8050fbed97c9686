// SPDX-License-Identifier: Apache-2.0

import GatehouseWire

extension Wultra {
  /// Kinds of documents (§3, `DT`). Released apps know the first four.
  public struct DocumentType: OpenEnumeration {
    /// The word on the wire.
    public let rawValue: String

    /// Wraps any word, also one that this version does not know.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// A card with two sides.
    public static let idCard = DocumentType(rawValue: "ID_CARD")
    /// The page with the portrait.
    public static let passport = DocumentType(rawValue: "PASSPORT")
    /// The front.
    public static let drivingLicense = DocumentType(rawValue: "DRIVING_LICENSE")
    /// The person.
    public static let selfiePhoto = DocumentType(rawValue: "SELFIE_PHOTO")
    /// Never sent to apps.
    public static let selfieVideo = DocumentType(rawValue: "SELFIE_VIDEO")
    /// Never sent to apps.
    public static let unknown = DocumentType(rawValue: "UNKNOWN")

    /// Every word that this version knows, in the order of the specification.
    public static let known: [DocumentType] = [
      .idCard, .passport, .drivingLicense, .selfiePhoto, .selfieVideo, .unknown,
    ]
  }

  /// Sides of a document.
  public struct DocumentSide: OpenEnumeration {
    /// The word on the wire.
    public let rawValue: String

    /// Wraps any word, also one that this version does not know.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// The side with the portrait.
    public static let front = DocumentSide(rawValue: "FRONT")
    /// The other side.
    public static let back = DocumentSide(rawValue: "BACK")

    /// Every word that this version knows, in the order of the specification.
    public static let known: [DocumentSide] = [
      .front, .back,
    ]
  }

  /// How one picture stands (§3, `DS`). Released apps do not know the last one.
  public struct DocumentStatus: OpenEnumeration {
    /// The word on the wire.
    public let rawValue: String

    /// Wraps any word, also one that this version does not know.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// Checked and good.
    public static let accepted = DocumentStatus(rawValue: "ACCEPTED")
    /// Being read.
    public static let uploadInProgress = DocumentStatus(rawValue: "UPLOAD_IN_PROGRESS")
    /// Being read.
    public static let inProgress = DocumentStatus(rawValue: "IN_PROGRESS")
    /// Read; waits to be checked.
    public static let verificationPending = DocumentStatus(rawValue: "VERIFICATION_PENDING")
    /// Being checked.
    public static let verificationInProgress = DocumentStatus(rawValue: "VERIFICATION_IN_PROGRESS")
    /// Not good: is to be taken again.
    public static let rejected = DocumentStatus(rawValue: "REJECTED")
    /// Could not be read: is to be taken again.
    public static let failed = DocumentStatus(rawValue: "FAILED")
    /// Replaced by another picture. Never sent to apps.
    public static let disposed = DocumentStatus(rawValue: "DISPOSED")

    /// Every word that this version knows, in the order of the specification.
    public static let known: [DocumentStatus] = [
      .accepted, .uploadInProgress, .inProgress, .verificationPending, .verificationInProgress, .rejected,
      .failed, .disposed,
    ]
  }

  /// What a code is for (§2 #5).
  public struct OTPType: OpenEnumeration {
    /// The word on the wire.
    public let rawValue: String

    /// Wraps any word, also one that this version does not know.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// Activates the device.
    public static let activation = OTPType(rawValue: "ACTIVATION")
    /// Ends the verification.
    public static let userVerification = OTPType(rawValue: "USER_VERIFICATION")

    /// Every word that this version knows, in the order of the specification.
    public static let known: [OTPType] = [
      .activation, .userVerification,
    ]
  }

  /// What is consented to.
  public struct ConsentType: OpenEnumeration {
    /// The word on the wire.
    public let rawValue: String

    /// Wraps any word, also one that this version does not know.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// Processing of personal data.
    public static let gdpr = ConsentType(rawValue: "GDPR")

    /// Every word that this version knows, in the order of the specification.
    public static let known: [ConsentType] = [
      .gdpr
    ]
  }
}
