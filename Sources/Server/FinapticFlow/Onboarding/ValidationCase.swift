// SPDX-License-Identifier: Apache-2.0

import DocumentCore
import FinapticWire
import Foundation
import Screening

/// One of the three validate calls, as it was asked for.
enum ValidationCall: Sendable {
  case documents([FinapticAPI.DocumentInfo])
  case selfie(String)
  /// What is given replaces what was sent before.
  case application([FinapticAPI.DocumentInfo], selfie: String?)

  var documents: [FinapticAPI.DocumentInfo] {
    switch self {
    case .documents(let documents), .application(let documents, _): documents
    case .selfie: []
    }
  }

  var selfie: String? {
    switch self {
    case .selfie(let name): name
    case .application(_, let name): name
    case .documents: nil
    }
  }

  var isOfApplication: Bool {
    if case .application = self { true } else { false }
  }

  var passed: ApplicationEvent { isOfApplication ? .applicationPassed : .evidencePassed }
  var failed: ApplicationEvent { isOfApplication ? .applicationFailed : .evidenceFailed }
  var refused: ApplicationEvent { isOfApplication ? .applicationRefused : .evidenceRefused }
}

/// What a validation is decided on: read in one transaction, worked on in none.
struct ValidationCase: Sendable {
  let call: ValidationCall
  let application: OnboardingApplication
  let isSandbox: Bool
  /// The day in Toronto.
  let today: CalendarDate
  /// Pictures that are there, by their names: those of this call, and those that were sent before and are not gone.
  let files: [String: UploadedFile]
  /// Whether a person of that name and date of birth was refused for good.
  let isRefused: Bool
  /// The application in which the person was refused for hits that officers then took for another person's.
  let cleared: OnboardingApplication.ID?

  /// Whether there is a selfie beside these documents, or documents beside this selfie.
  var completesPair: Bool {
    switch call {
    case .documents: application.content.evidence.selfie != nil
    case .selfie: application.content.evidence.documents != nil
    case .application: true
    }
  }
}

/// How a validation came out.
struct ValidationVerdict: Sendable {
  /// Empty when everything is good.
  var codes: [FailureCode] = []
  /// Ends the application.
  var isFinal = false
  /// What is known of the evidence from here on.
  var evidence: IdentityEvidence
  /// Nil when no list was searched.
  var screening: (subject: Screening.Subject, outcome: Screening.Outcome)?

  init(_ codes: [FailureCode], isFinal: Bool = false, _ evidence: IdentityEvidence) {
    self.codes = FailureCode.first(of: codes)
    self.isFinal = isFinal || codes.contains(where: \.isFinal)
    self.evidence = evidence
  }
}
