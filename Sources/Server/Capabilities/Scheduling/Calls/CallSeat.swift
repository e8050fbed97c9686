// SPDX-License-Identifier: Apache-2.0

import Kit
import Storage

/// One of the two sides of a call on our own pages, and the record of what it did: when it came, when its browser was
/// connected with the other one, when the call ended for it. Pictures and voices are not
/// recorded here.
package struct CallSeat: Sendable, Hashable {
  package enum Side: String, Sendable, CaseIterable, SQLConvertible {
    case customer, agent

    package var other: Side { self == .agent ? .customer : .agent }
  }

  /// The call.
  package let call: Appointment.ID
  package let side: Side
  /// Counts how often this side joined; each time takes the place of the one before it, such as a page that was left.
  package let number: Int64
  /// The member of staff who sits there, or sat there last; nil for a customer. The audit names each one who joined.
  package let member: String?
  /// When this side joined first.
  package let joinedAt: Instant
  /// When the browser that sits there was connected with the other one first; nil before.
  package let connectedAt: Instant?
  /// When the call ended for this side, or it left; nil while it sits there.
  package let endedAt: Instant?
  /// When the customer agreed to a recording; nil for agents, and where none was asked for.
  package let recordingAgreedAt: Instant?
  /// When the institution's recorder was told that the call begins and ends, the last time; nil for agents, and before.
  package let (recordingBegunAt, recordingEndedAt): (Instant?, Instant?)

  var isBeingRecorded: Bool { recordingBegunAt != nil && recordingEndedAt == nil }
}

/// Who wants something of a call on our own pages.
package struct CallParty: Sendable {
  package let call: Appointment.ID
  package let side: CallSeat.Side
  /// The member of staff; nil for a customer.
  package let member: String?
  /// What only this browser has: the secret of its cookie, or the session of a member of staff.
  let proof: String

  package static func customer(_ call: Appointment.ID, secret: String) -> CallParty {
    CallParty(call: call, side: .customer, member: nil, proof: secret)
  }

  package static func agent(_ call: Appointment.ID, member: String, session: String) -> CallParty {
    CallParty(call: call, side: .agent, member: member, proof: "\(member) \(session)")
  }
}

/// A note that one browser has for the other, by which they find each other (RFC 9429). The server does not look
/// inside.
package enum CallSignal: String, Sendable, CaseIterable, Codable {
  case offer, answer, candidate

  /// Bytes of its body. A description of a voice and a picture takes about 6 KiB, a candidate 200 bytes.
  package var bodyMax: Int { self == .candidate ? 1024 : 16 * 1024 }
}

/// What one side is told of the other.
package enum CallEvent: Sendable, Equatable {
  /// The other side joined, or joined anew.
  case joined
  case signal(CallSignal, body: String)
  /// The other side's page was left.
  case left
  /// The call is over.
  case ended
  /// This side joined with another page.
  case replaced

  package var isLast: Bool { self == .ended || self == .replaced }
}
