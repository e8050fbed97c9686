// SPDX-License-Identifier: Apache-2.0

import GatehouseWire

/// Answer of `GET /agents/slots` (rubix-onboarding §6.13).
public struct SlotList: Codable, Sendable, Equatable {
  /// Free slots in order of time.
  public var slots: [Slot]
  /// IANA name of the institution's zone, for showing times.
  public var timeZone: String

  /// Creates the value from its members.
  public init(slots: [Slot], timeZone: String) {
    self.slots = slots
    self.timeZone = timeZone
  }

  enum CodingKeys: String, CodingKey {
    case slots
    case timeZone = "time_zone"
  }
}

/// A quarter of an hour in which some agent is free.
public struct Slot: Codable, Sendable, Equatable {
  /// Start and length, such as `2026-11-22T08:00:00Z/PT15M`.
  public var id: String
  /// Begin.
  public var start: WireInstant
  /// End.
  public var end: WireInstant
  /// Calls that still fit.
  public var capacityLeft: Int

  /// Creates the value from its members.
  public init(id: String, start: WireInstant, end: WireInstant, capacityLeft: Int) {
    self.id = id
    self.start = start
    self.end = end
    self.capacityLeft = capacityLeft
  }

  enum CodingKeys: String, CodingKey {
    case id
    case start
    case end
    case capacityLeft = "capacity_left"
  }
}

/// Answer of `GET /agents/available` (rubix-onboarding §6.13).
public struct AgentAvailability: Codable, Sendable, Equatable {
  /// Whether some agent is free then.
  public var available: Bool
  /// The time asked for.
  public var callTime: WireInstant

  /// Creates the value from its members.
  public init(available: Bool, callTime: WireInstant) {
    self.available = available
    self.callTime = callTime
  }

  enum CodingKeys: String, CodingKey {
    case available
    case callTime = "call_time"
  }
}
