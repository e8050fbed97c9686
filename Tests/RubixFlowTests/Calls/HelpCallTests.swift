// SPDX-License-Identifier: Apache-2.0

import DocumentCore
import GatehouseWire
import Kit
import RubixWire
import Scheduling
import TestSupport
import Testing

@testable import RubixFlow

@Suite("Rubix: calls for help")
struct HelpCallTests {
  private func help(_ slot: Int = 0) -> AppointmentRequest {
    AppointmentRequest(callTime: AgentTestApp.slot(slot), reason: .help)
  }

  @Test("help can be booked at every open step, and the application stays where it is")
  func everyStep() async throws {
    for phase in ApplicationPhase.allCases {
      let app = try await AgentTestApp()
      _ = try await app.agent()
      let customer = try await app.customer(at: phase)
      guard phase.isOpen else {
        let refusal = try await problem { try await app.calls.book(app.request(customer, help())) }
        #expect(refusal?.code == "application-closed")
        continue
      }
      let before = try await app.application(of: customer)
      let booked = try await app.calls.book(app.request(customer, help()))
      #expect(booked.status == 201, "\(phase)")
      #expect(try booked.view(AppointmentView.self).reason == .help)
      let after = try await app.application(of: customer)
      // Both contacts are confirmed here, so that the application goes on by itself with the next call.
      #expect(after.phase == (phase == .confirmingContacts ? .awaitingScreening : phase))
      #expect(after.lastStep == before.lastStep)
      #expect(after.completedSteps == before.completedSteps)
      #expect(try await app.calls.book(app.request(customer, help())).status == 200)
      #expect(try await app.actions(of: customer).filter { $0 == "help.booked" }.count == 1)
    }
  }

  @Test("help right after a registration over the wire's own words")
  func registered() async throws {
    let app = try await AgentTestApp()
    _ = try await app.agent()
    let customer = try await app.registered()
    #expect(try await app.calls.book(app.request(customer, help())).status == 201)
    #expect(try await app.calls.current(for: customer).reason == .help)
    let cancelled = try await app.calls.cancel(app.request(customer, CancelAppointmentRequest(reason: .help)))
    #expect(try cancelled.view(AppointmentView.self).status == .cancelled)
    #expect(try await problem { try await app.calls.current(for: customer) }?.code == "not-found")
    #expect(try await app.actions(of: customer).contains("help.cancelled"))
  }

  @Test("a call for help and the call of the verification stand beside each other")
  func beside() async throws {
    let app = try await AgentTestApp()
    let agent = try await app.agent()
    let customer = try await app.customer(at: .awaitingAppointment)
    _ = try await app.calls.book(app.request(customer, help()))
    // It is not the call that the application waits for.
    #expect(try await app.application(of: customer).phase == .awaitingAppointment)
    _ = try await app.calls.book(app.request(customer, AppointmentRequest(callTime: AgentTestApp.slot(1))))
    #expect(try await app.application(of: customer).phase == .awaitingCall)
    #expect(try await app.calls.current(for: customer).reason == .verification)
    #expect(try await app.calls.current(reason: .help, for: customer).callTime == AgentTestApp.slot())
    let calls = try await app.queue.calls(on: CalendarDate("2026-11-22"), of: agent)
    #expect(calls.customers.map(\.reason) == [.help, .agentCall])
    _ = try await app.calls.cancel(app.request(customer))
    #expect(try await app.application(of: customer).phase == .awaitingAppointment)
    #expect(try await app.calls.current(for: customer).reason == .help)
    let view = try await app.customerReader.view(customer.id, by: agent)
    #expect(view.appointments.count == 2)
  }

  @Test("a call for help that no agent took is missed, and no step changes")
  func missed() async throws {
    let app = try await AgentTestApp()
    _ = try await app.agent()
    let customer = try await app.customer(at: .awaitingAppointment)
    _ = try await app.calls.book(app.request(customer, help()))
    app.clock.set(Instant(AgentTestApp.slot()) + .hours(2))
    #expect(try await app.rubix.missedCalls.sweep() == 1)
    #expect(try await app.application(of: customer).phase == .awaitingAppointment)
    #expect(try await problem { try await app.calls.current(for: customer) }?.code == "not-found")
  }

  @Test("a call of the verification for which no step waits is called off under its own name")
  func calledOffBeside() async throws {
    let app = try await AgentTestApp()
    let agent = try await app.agent()
    let customer = try await app.customer(at: .awaitingAppointment)
    let call = try await app.calls.book(
      app.request(customer, AppointmentRequest(callTime: AgentTestApp.slot()))
    ).view(AppointmentView.self)
    try await app.put(customer, at: .submittingForms)
    #expect(try await app.rubix.agentCalls.cancel(.init(rawValue: call.id), by: agent).status == .cancelled)
    let actions = try await app.actions(of: customer)
    #expect(actions.last == "call.cancelled" && !actions.contains("help.cancelled"))
    #expect(try await app.application(of: customer).phase == .submittingForms)
  }

  @Test("its agent begins and ends it; it has no verdict, and one left running ends by itself")
  func held() async throws {
    let app = try await AgentTestApp()
    let agent = try await app.agent()
    let customer = try await app.customer(at: .registered)
    let call = try await app.calls.book(app.request(customer, help())).view(AppointmentView.self)
    let id = Appointment.ID(rawValue: call.id)
    #expect(try await problem { try await app.rubix.agentCalls.start(id, by: agent) }?.code == "step-out-of-order")
    app.clock.set(Instant(AgentTestApp.slot()) - .minutes(5))
    let fresh = try await app.agent("fresh@bank.example")
    #expect(try await problem { try await app.rubix.agentCalls.end(id, by: fresh) }?.code == "step-out-of-order")
    #expect(try await app.rubix.agentCalls.start(id, by: fresh).status == .inCall)
    let verdict = AgentVerificationRequest(
      appointmentID: call.id, customerID: customer.id.rawValue, verdict: .successful, checklist: VerdictTests.yes)
    let refusal = try await problem { try await app.verdicts.decide(AgentTestApp.content(verdict), by: fresh) }
    #expect(refusal?.fields.map(\.pointer) == ["/appointment_id"])
    #expect(try await app.rubix.agentCalls.end(id, by: fresh).status == .done)
    #expect(try await app.rubix.agentCalls.end(id, by: fresh).status == .done)
    #expect(try await app.actions(of: customer).filter { $0 == "call.started" || $0 == "call.ended" }.count == 2)

    let other = try await app.customer(at: .registered)
    let left = try await app.calls.book(app.request(other, help(4))).view(AppointmentView.self)
    app.clock.set(Instant(AgentTestApp.slot(4)))
    let third = try await app.agent("third@bank.example")
    _ = try await app.rubix.agentCalls.start(.init(rawValue: left.id), by: third)
    app.clock.advance(by: .hours(4) + .seconds(1))
    #expect(try await app.rubix.missedCalls.sweep() == 0)
    #expect(try await problem { try await app.calls.current(for: other) }?.code == "not-found")
  }
}

@Suite("Rubix: where a call is joined")
struct CallRoomTests {
  private func booked(_ app: AgentTestApp) async throws -> (Customer, AppointmentView) {
    let customer = try await app.customer(at: .awaitingAppointment)
    let answer = try await app.calls.book(
      app.request(customer, AppointmentRequest(callTime: AgentTestApp.slot())))
    return (customer, try answer.view(AppointmentView.self))
  }

  @Test("the address is given from five minutes before the call until it counts as missed, and while it runs")
  func times() async throws {
    let app = try await AgentTestApp()
    _ = try await app.agent()
    let (customer, call) = try await booked(app)
    #expect(call.joinURL == nil)
    let start = Instant(AgentTestApp.slot())
    app.clock.set(start - .minutes(5) - .milliseconds(1))
    #expect(try await app.calls.current(for: customer).joinURL == nil)
    app.clock.set(start - .minutes(5))
    let early = try await app.customer(at: .registered)
    #expect(try await problem { try await app.calls.current(for: early) }?.code == "not-found")
    let address = try #require(try await app.calls.current(for: customer).joinURL)
    #expect(address.hasPrefix("https://calls.bank.example/") && address.hasSuffix("?as=customer"))
    #expect(!address.contains(call.id), "the room cannot be guessed from the appointment")
    let agent = try await app.agent("late@bank.example")
    let started = try await app.rubix.agentCalls.start(.init(rawValue: call.id), by: agent)
    #expect(started.status == .inCall)
    #expect(started.joinURL == address.replacing("as=customer", with: "as=agent"))
    #expect(try await app.rubix.agentCalls.start(.init(rawValue: call.id), by: agent) == started)
    // The verdict ends a call of the verification, nothing else does.
    let refusal = try await problem { try await app.rubix.agentCalls.end(.init(rawValue: call.id), by: agent) }
    #expect(refusal?.code == "step-out-of-order")
    app.clock.set(start + .minutes(40))
    #expect(try await app.calls.current(for: customer).joinURL == address)
  }

  @Test("a call that counts as missed has no address any more")
  func late() async throws {
    let app = try await AgentTestApp()
    _ = try await app.agent()
    let (customer, call) = try await booked(app)
    app.clock.set(Instant(AgentTestApp.slot()) + .minutes(30) + .milliseconds(1))
    #expect(try await app.calls.current(for: customer).joinURL == nil)
    let agent = try await app.agent("late@bank.example")
    let refusal = try await problem { try await app.rubix.agentCalls.start(.init(rawValue: call.id), by: agent) }
    #expect(refusal?.code == "step-out-of-order")
  }

  @Test("not without the permission, not in one's own case, not of another bank")
  func forbidden() async throws {
    let app = try await AgentTestApp()
    _ = try await app.agent()
    let (_, call) = try await booked(app)
    app.clock.set(Instant(AgentTestApp.slot()))
    for (caller, code) in [
      (try await app.agent("reader@bank.example", may: [.readCustomers]), "forbidden"),
      (try await app.agent("erika@example.com"), "forbidden"),
      (try await app.agent("far@bank.example", tenant: "other"), "not-found"),
    ] {
      let refusal = try await problem { try await app.rubix.agentCalls.start(.init(rawValue: call.id), by: caller) }
      #expect(refusal?.code == code)
    }
  }

  @Test(
    "a tenant's template is an https address with a room in it", .storeless,
    arguments: [
      ("https://v.example/{room}", true), ("https://v.example/?r={room}&as={role}", true),
      ("https://v.example/", false),
      ("http://v.example/{room}", false), ("{room}", false), ("https://u@v.example/{room}", false),
      ("https://0x7f.1/{room}", false), ("https://v.example:18446744073709560059/{room}", false),
    ])
  func templates(template: String, isGood: Bool) { #expect(CallAddress.isTemplate(template) == isGood) }
}
