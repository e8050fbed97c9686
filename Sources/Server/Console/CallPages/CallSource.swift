// SPDX-License-Identifier: Apache-2.0

import DocumentCore
import Foundation
import Identity
import Kit
import Scheduling

/// A member of staff at a call.
package struct CallAgent: Sendable {
  package let member: StaffMember
  /// The browser's, which was checked.
  package let session: SessionFamily
}

/// What the pages of a call show of the system that it belongs to, and what can be decided there.
package protocol CallSource: Sendable {
  /// The agent's own calls of a day by the clock of the institution.
  /// - Parameter day: nil for today.
  /// - Throws: `Problem` forbidden.
  func calls(on day: CalendarDate?, of agent: CallAgent) async throws -> CallDay

  /// What there is to look at beside the picture. The look is audited.
  /// - Throws: `Problem`.
  func details(of call: Appointment, for agent: CallAgent) async throws -> CallDetails

  /// A picture as JPEG. The look is audited.
  /// - Throws: `Problem` not-found.
  func picture(_ id: String, of call: Appointment, for agent: CallAgent) async throws -> Data

  /// - Throws: `Problem`, such as step-out-of-order for a call that did not take place.
  func decide(_ verdict: CallDecision, on call: Appointment, by agent: CallAgent) async throws -> CaseDecided

  /// Cancels a call that has not begun; the customer is told.
  /// - Parameter why: a code of `CallAgent.changeReasons`.
  /// - Throws: `Problem`, such as step-out-of-order.
  func cancel(_ call: Appointment, why: String, by agent: CallAgent) async throws

  /// Keeps a picture of the call as evidence.
  /// - Throws: `Problem`, such as step-out-of-order while the call does not run.
  func keep(_ picture: Data, of call: Appointment, by agent: CallAgent) async throws
}

/// A day in the calendar of an agent.
package struct CallDay: Sendable {
  package struct Entry: Sendable {
    package let call: Appointment.ID
    package let time: Instant
    /// Of the customer.
    package let name: String
    package let reason: Appointment.Reason
    package let status: Appointment.Status

    package init(
      _ call: Appointment.ID, at time: Instant, name: String, reason: Appointment.Reason, status: Appointment.Status
    ) {
      (self.call, self.time, self.name, self.reason, self.status) = (call, time, name, reason, status)
    }
  }

  package let day: CalendarDate
  /// In the order of time.
  package let entries: [Entry]
  /// When the agent is on leave, as far as it falls into the day.
  package let leaves: [Range<Instant>]
  /// Of the institution.
  package let clock: LocalTime

  package init(_ day: CalendarDate, _ entries: [Entry], leaves: [Range<Instant>], by clock: LocalTime) {
    (self.day, self.entries, self.leaves, self.clock) = (day, entries, leaves, clock)
  }
}

/// What there is to look at in a call.
package struct CallDetails: Sendable {
  package struct Picture: Sendable {
    package let id: String
    /// A key of the catalogue behind `picture_`, in small letters.
    package let name: String

    package init(id: String, name: String) { (self.id, self.name) = (id, name) }
  }

  /// Of the customer.
  package let name: String
  package let pictures: [Picture]
  /// Codes of what the agent looks at; the catalogue has their words behind `question_`.
  package let questions: [String]
  /// Codes of why a call failed; the catalogue has their words behind `failure_`.
  package let reasons: [String]

  package init(name: String, pictures: [Picture], questions: [String], reasons: [String]) {
    (self.name, self.pictures, self.questions, self.reasons) = (name, pictures, questions, reasons)
  }
}

/// What an agent decides after a call.
package struct CallDecision: Sendable {
  /// `SUCCESSFUL` or `FAILED`.
  package let verdict: String
  /// By question: `yes`, `no` or `not_applicable`.
  package let answers: [String: String]
  /// Why it failed; not asked for of a call that was successful.
  package let reason: String?
  /// When it failed: whether the customer may book another call.
  package let mayRetry: Bool
  package let notes: String?
}
