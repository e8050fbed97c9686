// SPDX-License-Identifier: Apache-2.0

import GatehouseWire

/// Body of `POST /agents/appointments` (rubix-onboarding §6.13). Again while one is active: reschedules.
public struct AppointmentRequest: Codable, Sendable, Equatable {
  /// Start of a slot.
  public var callTime: WireInstant
  /// Preferred gender of the agent.
  public var gender: Gender?
  /// Preferred language, BCP 47.
  public var language: String?
  /// Why the call.
  public var reason: AppointmentReason
  /// Another number to call, E.164.
  @ExplicitNull public var phone: String?

  /// Creates the value from its members.
  public init(
    callTime: WireInstant,
    gender: Gender? = nil,
    language: String? = nil,
    reason: AppointmentReason = .verification,
    phone: String? = nil
  ) {
    self.callTime = callTime
    self.gender = gender
    self.language = language
    self.reason = reason
    self.phone = phone
  }

  /// Reads the value. Without a reason the call is that of the verification.
  public init(from decoder: any Decoder) throws {
    let members = try decoder.container(keyedBy: CodingKeys.self)
    callTime = try members.decode(WireInstant.self, forKey: .callTime)
    gender = try members.decodeIfPresent(Gender.self, forKey: .gender)
    language = try members.decodeIfPresent(String.self, forKey: .language)
    reason = try members.decodeIfPresent(AppointmentReason.self, forKey: .reason) ?? .verification
    phone = try members.decodeIfPresent(String.self, forKey: .phone)
  }

  enum CodingKeys: String, CodingKey {
    case callTime = "call_time"
    case gender
    case language
    case reason
    case phone
  }
}

/// Body of `POST /agents/appointments/current/cancel`; it may be left out.
public struct CancelAppointmentRequest: Codable, Sendable, Equatable {
  /// Which call; nil is the one of the verification.
  public var reason: AppointmentReason?

  /// Creates the value from its member.
  public init(reason: AppointmentReason? = nil) { self.reason = reason }
}

/// Why a call is made (rubix-onboarding §6.13).
public struct AppointmentReason: OpenEnumeration {
  /// The word on the wire.
  public let rawValue: String

  /// Wraps any word, also one that this version does not know.
  public init(rawValue: String) { self.rawValue = rawValue }

  /// `verification`.
  public static let verification = AppointmentReason(rawValue: "verification")
  /// `help`.
  public static let help = AppointmentReason(rawValue: "help")

  /// Every word that this version knows, in the order of the specification.
  public static let known: [AppointmentReason] = [.verification, .help]
}

/// State of an appointment (rubix-onboarding §6.13).
public struct AppointmentStatus: OpenEnumeration {
  /// The word on the wire.
  public let rawValue: String

  /// Wraps any word, also one that this version does not know.
  public init(rawValue: String) { self.rawValue = rawValue }

  /// `SCHEDULED`.
  public static let scheduled = AppointmentStatus(rawValue: "SCHEDULED")
  /// `IN_CALL`.
  public static let inCall = AppointmentStatus(rawValue: "IN_CALL")
  /// `DONE`.
  public static let done = AppointmentStatus(rawValue: "DONE")
  /// `NO_SHOW`.
  public static let noShow = AppointmentStatus(rawValue: "NO_SHOW")
  /// `CANCELLED`.
  public static let cancelled = AppointmentStatus(rawValue: "CANCELLED")

  /// Every word that this version knows, in the order of the specification.
  public static let known: [AppointmentStatus] = [.scheduled, .inCall, .done, .noShow, .cancelled]
}

/// An appointment: answer of booking, of `GET /agents/appointments/current` and of its cancelling.
public struct AppointmentView: Codable, Sendable, Equatable {
  /// The appointment.
  public var id: String
  /// When the call begins.
  public var callTime: WireInstant
  /// How long it is planned for.
  public var durationMinutes: Int
  /// Why it is made; left out by servers that know only one call at a time.
  public var reason: AppointmentReason?
  /// Its state.
  public var status: AppointmentStatus
  /// From then on `join_url` is given.
  public var joinURLAvailableFrom: WireInstant
  /// Where to join: given by `GET /agents/appointments/current` while the call can be joined.
  public var joinURL: String?
  /// Whether the institution records the call, which the customer is told before joining. Given by
  /// `GET /agents/appointments/current` of calls on the server's own pages; nil where the server does not know it.
  public var isRecorded: Bool?

  /// Creates the value from its members.
  public init(
    id: String,
    callTime: WireInstant,
    durationMinutes: Int = 15,
    reason: AppointmentReason? = nil,
    status: AppointmentStatus,
    joinURLAvailableFrom: WireInstant,
    joinURL: String? = nil,
    isRecorded: Bool? = nil
  ) {
    self.id = id
    self.callTime = callTime
    self.durationMinutes = durationMinutes
    self.reason = reason
    self.status = status
    self.joinURLAvailableFrom = joinURLAvailableFrom
    self.joinURL = joinURL
    self.isRecorded = isRecorded
  }

  enum CodingKeys: String, CodingKey {
    case id
    case callTime = "call_time"
    case durationMinutes = "duration_minutes"
    case reason
    case status
    case joinURLAvailableFrom = "join_url_available_from"
    case joinURL = "join_url"
    case isRecorded = "is_recorded"
  }
}
