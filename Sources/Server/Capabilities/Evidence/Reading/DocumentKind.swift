// SPDX-License-Identifier: Apache-2.0

/// The four images of a document that an applicant sends (rubix-onboarding §6.7).
package enum DocumentKind: String, Codable, Hashable, Sendable, CaseIterable {
  case passport = "PASSPORT"
  case nationalIDFront = "NATIONAL_ID_FRONT_SIDE"
  case nationalIDBack = "NATIONAL_ID_BACK_SIDE"
  case drivingLicence = "DRIVING_LICENSE"

  /// The machine-readable zone is what makes this image worth reading.
  package var carriesMRZ: Bool { self == .passport || self == .nationalIDBack }
  /// The holder's face is printed on it.
  package var carriesPortrait: Bool { self != .nationalIDBack }
}
