// SPDX-License-Identifier: Apache-2.0

import Console
import DocumentCore
import Evidence
import Foundation
import GatehouseWire
import HTTP
import Kit
import RubixFlow
import RubixWire
import Scheduling

/// What the pages of calls show of Rubix's customers, and the verdicts that they give. The rules are those of the calls
/// of agents' own programs.
struct RubixCallSource: CallSource {
  let rubix: RubixService
  let evidence: EvidenceReader

  func calls(on day: CalendarDate?, of agent: CallAgent) async throws -> CallDay {
    let agent = try rubix.agent(agent.member, session: agent.session)
    let clock = try rubix.applications.appointments(of: agent.tenant).policy.localTime
    guard let day = day ?? clock.date(at: rubix.core.world.now()) else { throw Problem.unavailable }
    let entries = try await rubix.queue.calls(on: day, of: agent).customers.compactMap { entry -> CallDay.Entry? in
      guard let call = entry.appointment, let reason = Appointment.Reason(rawValue: call.reason?.rawValue ?? ""),
        let status = Appointment.Status(rawValue: call.status.rawValue)
      else { return nil }
      return CallDay.Entry(
        .init(rawValue: call.id), at: Instant(milliseconds: call.callTime.millisecondsSince1970),
        name: entry.name ?? "–", reason: reason, status: status)
    }
    let midnight = clock.instant(day, minutes: 0, reading: .first)
    let leaves = try await rubix.core.database.read { tx in
      try AgentLeaveStore(tx).overlapping(midnight..<(midnight + .days(1)), of: agent.member.id.rawValue).map(\.time)
    }
    return CallDay(day, entries, leaves: leaves, by: clock)
  }

  func details(of call: Appointment, for agent: CallAgent) async throws -> CallDetails {
    let agent = try rubix.agent(agent.member, session: agent.session)
    let view = try await rubix.customerReader.view(.init(rawValue: call.customerID), by: agent)
    let names = [view.customer.firstName, view.customer.middleName, view.customer.lastName].compactMap { $0 }
    return CallDetails(
      name: names.isEmpty ? "–" : names.joined(separator: " "),
      pictures: view.documents.map { .init(id: $0.id, name: $0.type.rawValue.lowercased()) },
      questions: VerdictRules.questions, reasons: AgentFailureReason.known.map(\.rawValue))
  }

  func picture(_ id: String, of call: Appointment, for agent: CallAgent) async throws -> Data {
    try await rubix.customerReader.preview(
      .init(rawValue: id), of: .init(rawValue: call.customerID), portrait: false,
      by: rubix.agent(agent.member, session: agent.session))
  }

  func decide(_ decision: CallDecision, on call: Appointment, by agent: CallAgent) async throws -> CaseDecided {
    let request = AgentVerificationRequest(
      appointmentID: call.id.rawValue, customerID: call.customerID, verdict: AgentVerdict(rawValue: decision.verdict),
      checklist: decision.answers.sorted { $0.key < $1.key }.map { code, answer in
        ChecklistItem(code: code, result: ChecklistResult(rawValue: answer))
      }, failureReason: decision.reason.map(AgentFailureReason.init(rawValue:)), retryAllowed: decision.mayRetry,
      notes: decision.notes)
    let outcome = try await rubix.verdicts.decide(
      RequestContent(bytes: WireJSON.encode(request)), by: rubix.agent(agent.member, session: agent.session))
    return if case .waiting = outcome { .needsAnother } else { .whole }
  }

  func cancel(_ call: Appointment, why: String, by agent: CallAgent) async throws {
    _ = try await rubix.agentCalls.cancel(
      call.id, why: CallChangeReason(word: why), by: rubix.agent(agent.member, session: agent.session))
  }

  func keep(_ picture: Data, of call: Appointment, by agent: CallAgent) async throws {
    _ = try await rubix.snapshots(evidence: evidence).keep(
      picture, of: call.id, by: rubix.agent(agent.member, session: agent.session))
  }
}
