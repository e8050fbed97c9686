// SPDX-License-Identifier: Apache-2.0

import Delivery
import Evidence
import Foundation
import Identity
import Kit

// Rows as their subject is shown them.

extension UserExport.Process {
  init(_ process: OnboardingProcess, told: [ExportedWebhook], history: [ExportedAuditEntry]) {
    self.init(
      id: process.id.rawValue, status: process.status.rawValue, language: process.person.language,
      consentRequired: process.person.consentRequired, activationID: process.activation,
      errorScore: process.errorScore, wrongActivationCodes: process.activationFailures,
      failure: process.failure?.rawValue, createdAt: process.createdAt.rfc3339, deadlineAt: process.deadline.rfc3339,
      told: told, history: history)
  }
}

extension UserExport.Verification {
  init(_ verification: IdentityVerification) {
    self.init(
      id: verification.id.rawValue, processID: verification.process.rawValue,
      phase: verification.state.phase?.rawValue, status: verification.state.status.rawValue,
      failure: verification.failure?.rawValue, presence: verification.presence?.rawValue,
      presenceChecks: verification.presenceChecks, isOTPVerified: verification.isOTPVerified,
      wrongCodes: verification.otpFailures, evaluations: verification.evaluations,
      createdAt: verification.createdAt.rfc3339)
  }
}

extension UserExport.Document {
  /// - Parameter reading: the provider's own record; nil when nothing was read, or it is erased.
  init(_ document: SubmittedDocument, erasedAt: Instant?, reading: Data?) {
    let own = reading.flatMap { try? JSONDecoder().decode(DocumentReading.self, from: $0) }
    self.init(
      id: document.id.rawValue, verificationID: document.verification.rawValue, type: document.document.rawValue,
      side: document.side.rawValue, filename: document.filename.isEmpty ? nil : document.filename,
      status: document.status.rawValue, errorCode: document.errorCode, replaces: document.original?.rawValue,
      createdAt: document.createdAt.rfc3339, erasedAt: erasedAt?.rfc3339, reading: own,
      providerReading: own == nil ? reading.map { String(decoding: $0, as: UTF8.self) } : nil)
  }
}

extension UserExport.Capture {
  init(_ capture: CaptureStore.Capture, of verification: IdentityVerification.ID) {
    self.init(
      id: capture.id, verificationID: verification.rawValue, presenceCheck: capture.presenceCheck,
      createdAt: capture.createdAt.rfc3339)
  }
}

extension UserExport.Consent {
  init(_ consent: ConsentStore.Record, of process: OnboardingProcess.ID) {
    self.init(
      processID: process.rawValue, type: consent.type, shownVersion: consent.shownVersion,
      shownLanguage: consent.shownLanguage, shownAt: consent.shownAt?.rfc3339, approved: consent.approved,
      decidedVersion: consent.decidedVersion, decidedLanguage: consent.decidedLanguage,
      decidedAt: consent.decidedAt?.rfc3339)
  }
}

extension UserExport.Review {
  init(_ record: ReviewStore.Record, reason: String?, checks: [VerificationOutcome.Rule]) {
    let review = record.review
    self.init(
      id: review.id.rawValue, verificationID: review.verification.rawValue, subject: review.subject.rawValue,
      codes: review.codes, verdict: record.verdict?.rawValue, reason: reason, checks: checks,
      openedAt: review.openedAt.rfc3339, closedAt: record.closedAt?.rfc3339)
  }
}

extension UserExport.Code {
  init(_ record: PasscodeRecord) {
    self.init(
      purpose: record.purpose, state: record.state, tries: record.tries, requestedAt: record.requestedAt.rfc3339,
      sentAt: record.issuedAt?.rfc3339)
  }
}
