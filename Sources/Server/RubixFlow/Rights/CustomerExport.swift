// SPDX-License-Identifier: Apache-2.0

import Delivery
import Evidence
import Foundation
import GatehouseWire
import Kit
import RubixWire
import Screening

/// Everything that is kept of one customer, opened, for the customer (GDPR art. 15 and 20). Structure: docs/rights.md.
///
/// What the law on money laundering forbids to tell is not in it: see `RestrictedExport`. Colleagues are not named.
package struct CustomerExport: Encodable, Sendable {
  let format = "gatehouse-customer-export/1"
  let exportedAt: WireInstant
  let tenant: String
  let customerID: String
  let application: Status
  let applicant: Applicant
  let captureSessions: [Capture]
  package var images: [Image]
  let verifications: [Evaluation]
  let screenings: [CustomerScreening]
  let forms: [Form]
  let appointments: [Call]
  let verdicts: [Verdict]
  let messages: [Sent]
  /// Messages that went out, without their words.
  let sentMessages: [ExportedMessage]
  let sessions: [SignIn]
  let passcodes: [Code]
  let history: [HistoryEntry]

  struct Status: Encodable, Sendable {
    let status: String
    let lastStep: String
    let completedSteps: [String]
    let phoneConfirmation: String
    let emailConfirmation: String
    let evaluation: String?
    let verificationAttempts: Int
    let callRequired: Bool
    let agentAccepted: Bool
    let retake: [String]
    let createdAt: WireInstant
    let updatedAt: WireInstant
    let expiresAt: WireInstant
  }

  struct Capture: Encodable, Sendable {
    let id: String
    let isActive: Bool
    let createdAt: WireInstant
  }

  package struct Image: Encodable, Sendable {
    package let id: String
    let type: String
    let subType: String?
    let state: String
    let width: Int
    let height: Int
    let quality: RubixWire.ImageQuality
    let liveness: LivenessOutcome?
    let createdAt: WireInstant
    /// What the app said it had read.
    let appReading: ClientHints?
    let reading: DocumentReading?
    /// Written once the files are.
    package var files: [File] = []
  }

  /// One file beside the text: the `image`, its `portrait` or the `original`.
  package typealias File = ExportedFile

  struct Evaluation: Encodable, Sendable {
    let id: String
    let attempt: Int
    let createdAt: WireInstant
    let outcome: VerificationOutcome
  }

  struct Form: Encodable, Sendable {
    let receipt: ComplianceReceipt
    let answers: FormAnswers
  }

  struct Call: Encodable, Sendable {
    let id: String
    let callTime: WireInstant
    let reason: String
    let wantedGender: String?
    let wantedLanguage: String?
    let phone: String?
    let status: String
    let reschedules: Int
    let createdAt: WireInstant
    /// What each side did of a call on the pages of this server.
    let sides: [Side]

    struct Side: Encodable, Sendable {
      let side: String
      let joinedAt: WireInstant
      let connectedAt: WireInstant?
      let endedAt: WireInstant?
      /// When the customer agreed to a recording, and when the institution's recorder was told of the call.
      let (recordingAgreedAt, recordingBegunAt, recordingEndedAt): (WireInstant?, WireInstant?, WireInstant?)
    }
  }

  struct Verdict: Encodable, Sendable {
    let id: String
    let appointmentID: String
    let verdict: String
    let failureReason: String?
    let retryAllowed: Bool
    let checklist: [ChecklistItem]
    let notes: String?
    let call: CallRecord?
    let decidedAt: WireInstant
  }

  struct Sent: Encodable, Sendable {
    let channel: String
    let recipient: String
    let subject: String?
    let body: String
    let sentAt: WireInstant
  }

  struct SignIn: Encodable, Sendable {
    let id: String
    let createdAt: WireInstant
    let expiresAt: WireInstant
    let endedAt: WireInstant?
    let endedBecause: String?
  }

  struct Code: Encodable, Sendable {
    let channel: String
    let purpose: String
    let state: String
    let tries: Int
    let requestedAt: WireInstant
    let sentAt: WireInstant?
  }

  /// One line of the audit log.
  struct HistoryEntry: Encodable, Sendable {
    /// From 1: its place in the history that it is part of.
    let sequence: Int
    let at: WireInstant
    let actor: String
    let action: String
    let facts: [String: String]
  }
}

/// What is kept of the customer and may have to be kept from them: whose names on lists theirs resembles, and what
/// officers made of it. To tell could be tipping off (FATF recommendation 21); give it to those who may know.
package struct RestrictedExport: Encodable, Sendable {
  let format = "gatehouse-restricted-export/1"
  let exportedAt: WireInstant
  let customerID: String
  let phase: String
  let reviewReason: String?
  let screenings: [Search]
  /// What became of the hits.
  let cases: [Case]
  let notes: [Note]
  /// The whole audit chain, with who looked.
  let history: [CustomerExport.HistoryEntry]

  struct Search: Encodable, Sendable {
    let id: String
    let referenceNo: String
    let status: String
    let subject: Screening.Subject
    let lists: [WatchList.Version]
    let threshold: Double?
    let hits: [Screening.Hit]
    let failure: String?
    let screenedAt: WireInstant?
    let nextReviewOn: String?
    let createdAt: WireInstant
  }

  struct Case: Encodable, Sendable {
    let id: String
    let state: String
    let list: String
    let entityID: String
    let screeningID: String
    let proposedBy: String?
    let decidedBy: String?
    let decidedAt: WireInstant?
    let notes: [Screening.CaseNote]
    let openedAt: WireInstant
  }

  struct Note: Encodable, Sendable {
    let id: String
    let screeningID: String
    let officerID: String
    let text: String
    let createdAt: WireInstant
  }
}

extension FormAnswers: Encodable {
  func encode(to encoder: any Encoder) throws {
    switch self {
    case .crs(let submission): try submission.encode(to: encoder)
    case .fatca(let submission): try submission.encode(to: encoder)
    case .kyc(let submission): try submission.encode(to: encoder)
    }
  }
}
