// SPDX-License-Identifier: Apache-2.0

import DocumentCore
import Foundation
import Identity
import Kit
import RubixWire
import Scheduling
import Storage

/// The applications that wait for people of the institution, longest waiting first, and an agent's own calls.
package struct CustomerQueue: Sendable {
  package static let pageMax = 100
  package static let pageDefault = 25

  let core: CoreDependencies
  let agentSessions: Sessions
  let applications: Applications

  /// Which part of the queue.
  package enum Part: Sendable {
    /// Everything that waits.
    case all
    /// Review calls to be booked or made, and hits to be decided on.
    case inReview
    /// Ordinary calls of today.
    case pending

    /// - Returns: nil for a status in which no application waits.
    package init?(status: String) {
      switch OnboardingStatus(rawValue: status) {
      case .inReview: self = .inReview
      case .pending: self = .pending
      default: return nil
      }
    }

    var phases: [ApplicationPhase] {
      let review: [ApplicationPhase] = [.awaitingReviewAppointment, .awaitingReviewCall, .reviewingScreening]
      switch self {
      case .all: return review + [.awaitingCall]
      case .inReview: return review
      case .pending: return [.awaitingCall]
      }
    }
  }

  /// One page. It may hold fewer entries than asked for although another follows: calls of other days are left out.
  package func page(
    _ part: Part, after cursor: QueueCursor?, limit: Int, for agent: Agent
  ) async throws -> CustomerQueuePage {
    try agent.require(.readCustomers)
    return try await core.database.write(retrying: .outdated) { tx in
      try agentSessions.requireLive(agent, in: tx)
      try core.audit.append(
        "customers.listed", to: agent.member.id.rawValue, by: agent.actor, facts: RecordAccess.list.facts, in: tx)
      let store = ApplicationStore(tx, vault: core.vault)
      let waiting = try part.phases.flatMap { phase in
        try store.queue(
          phase, tenant: agent.tenant.id, after: cursor.map { ($0.updatedAt, $0.id) }, limit: limit + 1)
      }.sorted { ($0.updatedAt, $0.id.rawValue) < ($1.updatedAt, $1.id.rawValue) }
      let window = waiting.prefix(limit)
      let calendar = try applications.appointments(of: agent.tenant)
      let today = try Self.today(calendar, at: core.world.now())
      let entries = try window.compactMap { application -> CustomerQueueEntry? in
        // An entry gives the reason of a review, which its subject must not learn.
        guard (try? agent.requireOther(than: application)) != nil else { return nil }
        let appointment = try calendar.current(for: application.id.rawValue, in: tx)
        if application.phase == .awaitingCall {
          guard let appointment, today.contains(appointment.callTime) else { return nil }
        }
        return application.queueEntry(appointment)
      }
      let last = waiting.count > limit ? window.last : nil
      return CustomerQueuePage(
        customers: entries, nextCursor: last.map { QueueCursor(updatedAt: $0.updatedAt, id: $0.id.rawValue).text })
    }
  }

  /// The agent's own calls of a day by the institution's calendar, nil for today, in the order of time.
  package func calls(on day: CalendarDate?, of agent: Agent) async throws -> CustomerQueuePage {
    try agent.require(.attendVideo)
    return try await core.database.write(retrying: .outdated) { tx in
      try agentSessions.requireLive(agent, in: tx)
      try core.audit.append(
        "calls.listed", to: agent.member.id.rawValue, by: agent.actor, facts: RecordAccess.list.facts, in: tx)
      let calendar = try applications.appointments(of: agent.tenant)
      let time =
        if let day { try Self.range(of: day, calendar) } else { try Self.today(calendar, at: core.world.now()) }
      let store = ApplicationStore(tx, vault: core.vault)
      let entries = try calendar.calls(of: agent.member.id.rawValue, within: time, in: tx).compactMap { appointment in
        let application = try store.find(.init(rawValue: appointment.customerID), tenant: agent.tenant.id)
        return (try? agent.requireOther(than: application)) == nil ? nil : application.queueEntry(appointment)
      }
      return CustomerQueuePage(customers: entries, nextCursor: nil)
    }
  }

  private static func today(_ calendar: Appointments, at now: Instant) throws -> Range<Instant> {
    guard let today = calendar.policy.localTime.date(at: now) else { throw Problem.unavailable }
    return try range(of: today, calendar)
  }

  private static func range(of day: CalendarDate, _ calendar: Appointments) throws -> Range<Instant> {
    guard let next = day.adding(days: 1) else {
      throw Problem.validation([.init("/date", "range", "No calls can be on that day.")])
    }
    let clock = calendar.policy.localTime
    return clock.instant(day, minutes: 0, reading: .first)..<clock.instant(next, minutes: 0, reading: .first)
  }
}

extension Application {
  func queueEntry(_ appointment: Appointment?) -> CustomerQueueEntry {
    CustomerQueueEntry(
      id: id.rawValue, status: status, lastStep: lastStep, name: fullName,
      reason: appointment?.reason == .help ? .help : phase == .awaitingCall ? .agentCall : reviewReason,
      waitingSince: updatedAt.wire,
      appointment: appointment?.view(joinWindow: Dossier.joinWindow))
  }
}

/// Where a page of the queue ended: opaque to clients, `1.<milliseconds>.<id>` in base64url.
package struct QueueCursor: Sendable, Equatable {
  private static let version = "1"

  let updatedAt: Instant
  let id: String

  package var text: String { Data("\(Self.version).\(updatedAt.milliseconds).\(id)".utf8).base64URL }

  init(updatedAt: Instant, id: String) {
    self.updatedAt = updatedAt
    self.id = id
  }

  /// - Returns: nil for anything that is not such a text.
  package init?(_ text: String) {
    guard text.utf8.count <= 128, let data = Data(base64URL: text), let plain = String(data: data, encoding: .utf8)
    else { return nil }
    let parts = plain.split(separator: ".", omittingEmptySubsequences: false)
    guard parts.count == 3, parts[0] == Self.version, let milliseconds = Int64(parts[1]), milliseconds >= 0,
      parts[2].utf8.count == 36
    else { return nil }
    self.init(updatedAt: Instant(milliseconds: milliseconds), id: String(parts[2]))
  }
}
