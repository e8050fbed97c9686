// SPDX-License-Identifier: Apache-2.0

import DocumentCore
import Foundation
import Kit
import Storage
import Synchronization
import TestSupport

@testable import Scheduling

/// The appointments capability over a real store, at an instant that the test sets.
struct AppointmentsTestApp {
  let store: TestDatabase
  let appointments: Appointments
  let clock: AppointmentsClock
  let vault: Vault

  var database: any SQLDatabase { store.database }

  init(at now: String, policy: AppointmentPolicy) async throws {
    clock = AppointmentsClock(now)
    let world = clock.world
    store = try await TestDatabase.make(
      .current, [DataKeyStore.migration, AgentLeaveStore.migration] + Appointments.migrations)
    vault = try await Vault.open(store.database, keyring: Keyring(world: world), world: world)
    appointments = Appointments(
      policy: policy, vault: vault, world: world,
      mover: Mover(audit: Audit(world: world, vault: vault), moves: .uncounted))
  }

  @discardableResult
  func book(
    _ start: String, for customer: String, gender: String? = nil, language: String? = nil, phone: String? = nil,
    reason: Appointment.Reason = .verification, roster: AgentRoster
  ) async throws -> Appointment {
    let request = Appointments.Request(
      callTime: Wall.instant(start), preference: AgentPreference(gender: gender, language: language), reason: reason,
      phone: phone)
    return try await database.write { [appointments] in
      try appointments.book(request, for: customer, roster: roster, in: $0)
    }
  }

  func slots(
    _ first: String, _ last: String, gender: String? = nil, language: String? = nil, roster: AgentRoster
  ) async throws -> [SlotCalendar.Slot] {
    try await database.read { [appointments] in
      try appointments.slots(
        from: Wall.day(first), through: Wall.day(last), suiting: AgentPreference(gender: gender, language: language),
        roster: roster, in: $0)
    }
  }
}

/// A clock that moves only when told to, with predictable bytes.
final class AppointmentsClock: Sendable {
  private let state: Mutex<(now: Instant, counter: UInt64)>

  init(_ now: String) { state = Mutex((Wall.instant(now), 0)) }

  func set(_ now: String) { state.withLock { $0.now = Wall.instant(now) } }

  var world: World {
    World(
      now: { self.state.withLock { $0.now } },
      random: { count in
        self.state.withLock { state in
          (0..<count).map { _ in
            state.counter = state.counter &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return UInt8(truncatingIfNeeded: state.counter >> 33)
          }
        }
      })
  }
}

/// Instants and days as the tests write them.
enum Wall {
  static func instant(_ text: String) -> Instant {
    guard let instant = Instant(rfc3339: text) else { preconditionFailure("not an instant: \(text)") }
    return instant
  }

  static func day(_ text: String) -> CalendarDate {
    guard let date = CalendarDate(text) else { preconditionFailure("not a day: \(text)") }
    return date
  }
}

extension AppointmentPolicy {
  /// Open on the days of the week in the zone.
  static func test(
    _ zone: String = "Asia/Kuwait", days: [Int] = Array(1...7), opens: String = "08:00", closes: String = "16:00",
    holidays: Set<CalendarDate> = []
  ) -> AppointmentPolicy {
    guard let localTime = LocalTime(zone: zone), let hours = WorkingWeek.Hours(opens, closes) else {
      preconditionFailure("no such zone or hours")
    }
    return AppointmentPolicy(localTime: localTime, workingWeek: WorkingWeek(days, hours), holidays: holidays)
  }
}

extension AgentRoster.Agent {
  static let amal = Self(id: "amal", gender: "F", languages: ["ar", "en"])
  static let badr = Self(id: "badr", gender: "M", languages: ["ar"])
  static let carl = Self(id: "carl", gender: "M", languages: ["en", "de"])
}
