// SPDX-License-Identifier: Apache-2.0

import GatehouseWire

/// Answer of `GET /customers?status=in_review&cursor=`; ours. Oldest first.
public struct CustomerQueuePage: Codable, Sendable, Equatable {
  /// One page.
  public var customers: [CustomerQueueEntry]
  /// For the next page; nil on the last.
  @ExplicitNull public var nextCursor: String?

  /// Creates the value from its members.
  public init(customers: [CustomerQueueEntry], nextCursor: String? = nil) {
    self.customers = customers
    self.nextCursor = nextCursor
  }

  enum CodingKeys: String, CodingKey {
    case customers
    case nextCursor = "next_cursor"
  }
}

/// An application that waits for people.
public struct CustomerQueueEntry: Codable, Sendable, Equatable {
  /// The customer.
  public var id: String
  /// Where it stands.
  public var status: OnboardingStatus
  /// The step that brought it here.
  public var lastStep: OnboardingStep
  /// Full name, once known.
  @ExplicitNull public var name: String?
  /// Why it waits.
  @ExplicitNull public var reason: ReviewReason?
  /// Since when.
  public var waitingSince: WireInstant
  /// The active appointment.
  @ExplicitNull public var appointment: AppointmentView?

  /// Creates the value from its members.
  public init(
    id: String,
    status: OnboardingStatus,
    lastStep: OnboardingStep,
    name: String? = nil,
    reason: ReviewReason? = nil,
    waitingSince: WireInstant,
    appointment: AppointmentView? = nil
  ) {
    self.id = id
    self.status = status
    self.lastStep = lastStep
    self.name = name
    self.reason = reason
    self.waitingSince = waitingSince
    self.appointment = appointment
  }

  enum CodingKeys: String, CodingKey {
    case id
    case status
    case lastStep = "last_step"
    case name
    case reason
    case waitingSince = "waiting_since"
    case appointment
  }
}

/// Why an application waits for people.
public struct ReviewReason: OpenEnumeration {
  /// The word on the wire.
  public let rawValue: String

  /// Wraps any word, also one that this version does not know.
  public init(rawValue: String) { self.rawValue = rawValue }

  /// Three verifications failed.
  public static let documentsMismatched = ReviewReason(rawValue: "documents-mismatched")
  /// A check could not decide.
  public static let inconclusive = ReviewReason(rawValue: "inconclusive")
  /// The screening found a person with similar particulars.
  public static let screening = ReviewReason(rawValue: "screening")
  /// The call with an agent is due.
  public static let agentCall = ReviewReason(rawValue: "agent-call")

  /// The customer asked for help in a call.
  public static let help = ReviewReason(rawValue: "help")

  /// Every word that this version knows, in the order of the specification.
  public static let known: [ReviewReason] = [.documentsMismatched, .inconclusive, .screening, .agentCall, .help]
}
