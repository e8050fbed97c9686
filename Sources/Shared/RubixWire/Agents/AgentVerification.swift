// SPDX-License-Identifier: Apache-2.0

import GatehouseWire

/// Body of `POST /agents/verification`, by an agent after the call (rubix-onboarding §6.14).
public struct AgentVerificationRequest: Codable, Sendable, Equatable {
  /// The call.
  public var appointmentID: String
  /// Whose.
  public var customerID: String
  /// The outcome.
  public var verdict: AgentVerdict
  /// What the agent looked at.
  public var checklist: [ChecklistItem]
  /// Needed when failed.
  @ExplicitNull public var failureReason: AgentFailureReason?
  /// When failed: whether a new appointment is offered.
  public var retryAllowed: Bool
  /// For colleagues.
  @ExplicitNull public var notes: String?
  /// The call itself.
  @ExplicitNull public var call: CallRecord?

  /// Creates the value from its members.
  public init(
    appointmentID: String,
    customerID: String,
    verdict: AgentVerdict,
    checklist: [ChecklistItem],
    failureReason: AgentFailureReason? = nil,
    retryAllowed: Bool = false,
    notes: String? = nil,
    call: CallRecord? = nil
  ) {
    self.appointmentID = appointmentID
    self.customerID = customerID
    self.verdict = verdict
    self.checklist = checklist
    self.failureReason = failureReason
    self.retryAllowed = retryAllowed
    self.notes = notes
    self.call = call
  }

  enum CodingKeys: String, CodingKey {
    case appointmentID = "appointment_id"
    case customerID = "customer_id"
    case verdict
    case checklist
    case failureReason = "failure_reason"
    case retryAllowed = "retry_allowed"
    case notes
    case call
  }
}

/// Outcome of a call (rubix-onboarding §6.14).
public struct AgentVerdict: OpenEnumeration {
  /// The word on the wire.
  public let rawValue: String

  /// Wraps any word, also one that this version does not know.
  public init(rawValue: String) { self.rawValue = rawValue }

  /// `SUCCESSFUL`.
  public static let successful = AgentVerdict(rawValue: "SUCCESSFUL")
  /// `FAILED`.
  public static let failed = AgentVerdict(rawValue: "FAILED")

  /// Every word that this version knows, in the order of the specification.
  public static let known: [AgentVerdict] = [.successful, .failed]
}

/// Why a call failed (rubix-onboarding §6.14).
public struct AgentFailureReason: OpenEnumeration {
  /// The word on the wire.
  public let rawValue: String

  /// Wraps any word, also one that this version does not know.
  public init(rawValue: String) { self.rawValue = rawValue }

  /// `identity_mismatch`.
  public static let identityMismatch = AgentFailureReason(rawValue: "identity_mismatch")
  /// `document_suspect`.
  public static let documentSuspect = AgentFailureReason(rawValue: "document_suspect")
  /// `coercion_suspected`.
  public static let coercionSuspected = AgentFailureReason(rawValue: "coercion_suspected")
  /// `technical`.
  public static let technical = AgentFailureReason(rawValue: "technical")
  /// `customer_left`.
  public static let customerLeft = AgentFailureReason(rawValue: "customer_left")
  /// `other`.
  public static let other = AgentFailureReason(rawValue: "other")

  /// Every word that this version knows, in the order of the specification.
  public static let known: [AgentFailureReason] = [
    .identityMismatch, .documentSuspect, .coercionSuspected, .technical, .customerLeft, .other,
  ]
}

/// One question of the call, such as `face-matches-document`.
public struct ChecklistItem: Codable, Sendable, Equatable {
  /// Which question.
  public var code: String
  /// The answer.
  public var result: ChecklistResult

  /// Creates the value from its members.
  public init(code: String, result: ChecklistResult) {
    self.code = code
    self.result = result
  }
}

/// The answer to a question of the call.
public struct ChecklistResult: OpenEnumeration {
  /// The word on the wire.
  public let rawValue: String

  /// Wraps any word, also one that this version does not know.
  public init(rawValue: String) { self.rawValue = rawValue }

  /// `yes`.
  public static let yes = ChecklistResult(rawValue: "yes")
  /// `no`.
  public static let no = ChecklistResult(rawValue: "no")
  /// `not_applicable`.
  public static let notApplicable = ChecklistResult(rawValue: "not_applicable")

  /// Every word that this version knows, in the order of the specification.
  public static let known: [ChecklistResult] = [.yes, .no, .notApplicable]
}

/// When a call took place.
public struct CallRecord: Codable, Sendable, Equatable {
  /// Begin.
  public var startedAt: WireInstant
  /// End.
  public var endedAt: WireInstant
  /// The recording, if any.
  @ExplicitNull public var recordingID: String?

  /// Creates the value from its members.
  public init(startedAt: WireInstant, endedAt: WireInstant, recordingID: String? = nil) {
    self.startedAt = startedAt
    self.endedAt = endedAt
    self.recordingID = recordingID
  }

  enum CodingKeys: String, CodingKey {
    case startedAt = "started_at"
    case endedAt = "ended_at"
    case recordingID = "recording_id"
  }
}
