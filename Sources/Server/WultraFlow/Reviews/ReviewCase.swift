// SPDX-License-Identifier: Apache-2.0

import Kit
import Storage

/// Something that evidence does not decide, for a person to decide.
package struct ReviewCase: Sendable {
  package typealias ID = Identifier<ReviewCase>

  package enum Subject: String, Sendable, CaseIterable, SQLConvertible {
    case documents, presence
  }

  package enum Verdict: String, Sendable, CaseIterable, SQLConvertible {
    case accepted, rejected
    /// Other pictures of some documents are asked for; the reason is what the user is told.
    case retake
  }

  package let id: ID
  package let tenant: String
  package let verification: IdentityVerification.ID
  package let subject: Subject
  /// What could not be decided, in codes.
  package let codes: [String]
  package let openedAt: Instant

  /// The case of the desk.
  func awaitedWork(of process: OnboardingProcess.ID) -> AwaitedWork {
    var work = AwaitedWork(
      "wultra-\(subject.rawValue)", tenant: tenant, subject: id.rawValue, person: process.rawValue)
    work.risk = subject == .presence ? 60 : 50
    work.reasons = codes
    return work
  }
}
