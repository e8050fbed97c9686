// SPDX-License-Identifier: Apache-2.0

import Storage
import WultraWire

/// Where an identity verification stands: a phase and how it stands in it. Diagram: docs/flows/wultra-verification.mmd.
package enum VerificationState: String, Sendable, CaseIterable, SQLConvertible {
  case notStarted = "NONE/NOT_INITIALIZED"
  /// The app sends pictures of documents.
  case uploading = "DOCUMENT_UPLOAD/IN_PROGRESS"
  /// What was sent is read and is about to be checked.
  case uploaded = "DOCUMENT_UPLOAD/VERIFICATION_PENDING"
  /// A provider that answers later is at it.
  case verifyingDocuments = "DOCUMENT_VERIFICATION/IN_PROGRESS"
  case documentsAccepted = "DOCUMENT_VERIFICATION/ACCEPTED"
  case documentsRejected = "DOCUMENT_VERIFICATION/REJECTED"
  case documentsFailed = "DOCUMENT_VERIFICATION/FAILED"
  /// The documents are compared with each other, by us or by an agent.
  case crossChecking = "DOCUMENT_VERIFICATION_FINAL/IN_PROGRESS"
  case crossChecked = "DOCUMENT_VERIFICATION_FINAL/ACCEPTED"
  case crossCheckRejected = "DOCUMENT_VERIFICATION_FINAL/REJECTED"
  case crossCheckFailed = "DOCUMENT_VERIFICATION_FINAL/FAILED"
  case evaluatingClient = "CLIENT_EVALUATION/IN_PROGRESS"
  case clientAccepted = "CLIENT_EVALUATION/ACCEPTED"
  case clientRejected = "CLIENT_EVALUATION/REJECTED"
  case clientFailed = "CLIENT_EVALUATION/FAILED"
  case awaitingPresence = "PRESENCE_CHECK/NOT_INITIALIZED"
  /// The app's library is at it.
  case checkingPresence = "PRESENCE_CHECK/IN_PROGRESS"
  /// The provider or an agent judges.
  case judgingPresence = "PRESENCE_CHECK/VERIFICATION_PENDING"
  case presenceRejected = "PRESENCE_CHECK/REJECTED"
  case presenceFailed = "PRESENCE_CHECK/FAILED"
  /// A code was sent, also where the presence check went wrong: the app must not learn that here.
  case awaitingOTP = "OTP_VERIFICATION/VERIFICATION_PENDING"
  case completed = "COMPLETED/ACCEPTED"
  case failed = "COMPLETED/FAILED"

  /// As it goes over the wire; nil before the first phase.
  var phase: Wultra.VerificationPhase? {
    self == .notStarted ? nil : Wultra.VerificationPhase(rawValue: String(rawValue.prefix { $0 != "/" }))
  }

  var status: Wultra.VerificationStatus {
    Wultra.VerificationStatus(rawValue: String(rawValue.drop { $0 != "/" }.dropFirst()))
  }

  /// Whether nothing further can come of it.
  var isClosed: Bool { self == .completed || self == .failed }
}
