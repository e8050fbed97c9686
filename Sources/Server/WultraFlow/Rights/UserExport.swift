// SPDX-License-Identifier: Apache-2.0

import Activations
import Delivery
import Evidence
import Kit

/// Everything that is kept of one user of an institution, opened, for the user (GDPR art. 15 and 20). Structure:
/// docs/rights.md.
///
/// Colleagues are not named. Codes, keys, tokens and digests are not in it; what people say of themselves when they
/// begin is kept as a digest only. Instants are RFC 3339 in UTC.
package struct UserExport: Encodable, Sendable {
  let format = "gatehouse-wultra-user-export/1"
  let exportedAt: String
  let tenant: String
  /// As the institution calls them.
  let user: String
  let processes: [Process]
  let verifications: [Verification]
  var documents: [Document]
  /// Pictures of presence checks.
  var captures: [Capture]
  let consents: [Consent]
  let reviews: [Review]
  let passcodes: [Code]
  let activations: [ActivationExport]
  let recoveryCodes: [RecoveryCodeExport]

  struct Process: Encodable, Sendable {
    let id: String
    let status: String
    let language: String
    let consentRequired: Bool
    /// Nil until the device is activated.
    let activationID: String?
    let errorScore: Int
    let wrongActivationCodes: Int
    let failure: String?
    let createdAt: String
    /// When it fails, or would have, unless it has come further by then.
    let deadlineAt: String
    /// What the institution was told of it.
    let told: [ExportedWebhook]
    let history: [ExportedAuditEntry]
  }

  struct Verification: Encodable, Sendable {
    let id: String
    let processID: String
    /// Nil before the first phase.
    let phase: String?
    let status: String
    let failure: String?
    /// What came of the presence check.
    let presence: String?
    let presenceChecks: Int
    let isOTPVerified: Bool
    let wrongCodes: Int
    let evaluations: Int
    let createdAt: String
  }

  /// One picture of one side of a document.
  struct Document: Encodable, Sendable {
    let id: String
    let verificationID: String
    let type: String
    let side: String
    /// As the app called it.
    let filename: String?
    let status: String
    /// Why it was refused, as a code.
    let errorCode: String?
    /// The picture that it took the place of.
    let replaces: String?
    let createdAt: String
    /// Since when only this row is left.
    let erasedAt: String?
    let reading: DocumentReading?
    /// What another provider than our own evidence read, in its own words.
    let providerReading: String?
    /// The `document` and its `portrait`, written once the files are.
    var files: [ExportedFile] = []
  }

  struct Capture: Encodable, Sendable {
    let id: String
    let verificationID: String
    /// Which of the verification's checks it belongs to, from 1.
    let presenceCheck: Int
    let createdAt: String
    /// The `face`, written once the file is.
    var files: [ExportedFile] = []
  }

  /// What was shown last, and what was said to which text.
  struct Consent: Encodable, Sendable {
    let processID: String
    let type: String
    let shownVersion: String?
    let shownLanguage: String?
    let shownAt: String?
    let approved: Bool?
    let decidedVersion: String?
    let decidedLanguage: String?
    let decidedAt: String?
  }

  /// What evidence did not decide and an agent did.
  struct Review: Encodable, Sendable {
    let id: String
    let verificationID: String
    let subject: String
    let codes: [String]
    let verdict: String?
    /// In the words of the colleague who decided.
    let reason: String?
    /// What was measured, until the pictures are erased.
    let checks: [VerificationOutcome.Rule]
    let openedAt: String
    let closedAt: String?
  }

  struct Code: Encodable, Sendable {
    let purpose: String
    let state: String
    let tries: Int
    let requestedAt: String
    let sentAt: String?
  }
}
