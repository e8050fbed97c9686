// SPDX-License-Identifier: Apache-2.0

import DocumentCore
import Evidence
import FinapticWire

/// What an applicant showed of themself, and what was seen of it. Text only: the pictures are files that go within a
/// day.
package struct IdentityEvidence: Sendable, Codable, Equatable {
  /// Nil until documents were sent, good or not.
  package var documents: Documents?
  /// Nil until a selfie was sent, good or not.
  package var selfie: Selfie?
  /// The face of the selfie beside the face of the documents; nil until they were compared.
  package var faces: Evidence.FaceComparisonResult?

  package init() {}

  package struct Documents: Sendable, Codable, Equatable {
    package var submitted: [FinapticAPI.DocumentInfo]
    /// One for each picture that was read; empty where pictures are not read.
    package var sides: [Side] = []
  }

  /// One picture of a document.
  package struct Side: Sendable, Codable, Equatable {
    /// Which of `Documents.submitted`.
    package var document: Int
    package var isFront: Bool
    /// What it should show.
    package var kind: Evidence.DocumentKind
    /// Nil when it could not be decoded.
    package var reading: DocumentReading?
    package var hasPortrait: Bool
  }

  package struct Selfie: Sendable, Codable, Equatable {
    package var fileName: String
    /// Nil where signs of life are not looked for.
    package var liveness: Evidence.LivenessResult?
  }
}
