// SPDX-License-Identifier: Apache-2.0

import GatehouseWire

/// The type of a stored image (rubix-onboarding §6.7).
public struct DocumentType: OpenEnumeration {
  /// The word on the wire.
  public let rawValue: String

  /// Wraps any word, also one that this version does not know.
  public init(rawValue: String) { self.rawValue = rawValue }

  /// `SELFIE`.
  public static let selfie = DocumentType(rawValue: "SELFIE")
  /// `LIVENESS`.
  public static let liveness = DocumentType(rawValue: "LIVENESS")
  /// `PASSPORT`.
  public static let passport = DocumentType(rawValue: "PASSPORT")
  /// `DRIVING_LICENSE`.
  public static let drivingLicense = DocumentType(rawValue: "DRIVING_LICENSE")
  /// `NATIONAL_ID_FRONT_SIDE`.
  public static let nationalIDFrontSide = DocumentType(rawValue: "NATIONAL_ID_FRONT_SIDE")
  /// `NATIONAL_ID_BACK_SIDE`.
  public static let nationalIDBackSide = DocumentType(rawValue: "NATIONAL_ID_BACK_SIDE")

  /// Every word that this version knows, in the order of the specification.
  public static let known: [DocumentType] = [
    .selfie, .liveness, .passport, .drivingLicense, .nationalIDFrontSide, .nationalIDBackSide,
  ]
}

/// How far a stored image has come (rubix-onboarding §6.7).
public struct DocumentStatus: OpenEnumeration {
  /// The word on the wire.
  public let rawValue: String

  /// Wraps any word, also one that this version does not know.
  public init(rawValue: String) { self.rawValue = rawValue }

  /// `PENDING`.
  public static let pending = DocumentStatus(rawValue: "PENDING")
  /// Being read.
  public static let processing = DocumentStatus(rawValue: "PROCESSING")
  /// Read.
  public static let processed = DocumentStatus(rawValue: "PROCESSED")
  /// Could not be read.
  public static let failed = DocumentStatus(rawValue: "FAILED")
  /// Replaced or put aside.
  public static let archived = DocumentStatus(rawValue: "ARCHIVED")

  /// Every word that this version knows, in the order of the specification.
  public static let known: [DocumentStatus] = [.pending, .processing, .processed, .failed, .archived]
}
