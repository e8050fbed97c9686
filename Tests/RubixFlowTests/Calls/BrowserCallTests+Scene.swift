// SPDX-License-Identifier: Apache-2.0

import Kit
import RubixWire
import Scheduling

@testable import RubixFlow

extension BrowserCallTests {
  /// A call of the verification whose time has come, its customer and its agent.
  struct Scene {
    let app: AgentTestApp
    let (customer, agent, view): (Customer, Agent, AppointmentView)
    let calls: BrowserCalls

    init(
      _ reason: AppointmentReason = .verification, isRecorded: Bool = false, isDecidedByTwo: Bool = false
    ) async throws {
      app = try await AgentTestApp(callsHere: true, recordsCalls: isRecorded, verdictsNeedTwo: isDecidedByTwo)
      _ = try await app.agent("assigned@bank.example")
      customer = try await app.customer(at: .awaitingAppointment)
      let wish = AppointmentRequest(callTime: AgentTestApp.slot(), reason: reason)
      view = try await app.calls.book(app.request(customer, wish)).view(AppointmentView.self)
      app.clock.set(Instant(AgentTestApp.slot()))
      agent = try await app.agent("on-duty@bank.example")
      calls = app.rubix.browserCalls(staff: app.staff)
    }

    var id: Appointment.ID { .init(rawValue: view.id) }
    func guest(_ secret: String = "phone") -> CallParty { .customer(id, secret: secret) }
    var desk: CallParty { .agent(id, member: agent.member.id.rawValue, session: "s") }

    func status() async throws -> AppointmentStatus {
      try await app.calls.current(reason: view.reason == .help ? .help : .verification, for: customer).status
    }

    /// What comes after a position, that is there already.
    func events(_ party: CallParty, _ joined: BrowserCalls.Joined) async throws -> [CallEvent] {
      try await calls.changes(for: party, seat: joined.seat, after: joined.position, atMost: .seconds(30))
        .changes.map(\.1)
    }

    var request: AgentVerificationRequest {
      AgentVerificationRequest(
        appointmentID: view.id, customerID: customer.id.rawValue, verdict: .successful, checklist: VerdictTests.yes,
        call: AgentTestApp.callRecord)
    }

    func verdict() async throws -> Problem? {
      try await problem { try await app.verdicts.decide(AgentTestApp.content(request), by: agent) }
    }

    /// Both sides sit in the call.
    func speak() async throws {
      for party in [guest(), desk] {
        let joined = try await calls.join(party)
        try await calls.connected(party, seat: joined.seat)
      }
    }
  }
}
