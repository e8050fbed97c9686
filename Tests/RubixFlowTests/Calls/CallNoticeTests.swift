// SPDX-License-Identifier: Apache-2.0

import Delivery
import Evidence
import Kit
import RubixWire
import Scheduling
import Synchronization
import TestSupport
import Testing

@testable import RubixFlow

@Suite("Rubix: what customers are told about calls")
struct CallNoticeTests {
  private static let start = Instant(AgentTestApp.slot(20))

  private func book(_ slot: Int, _ customer: Customer, _ app: AgentTestApp) async throws -> Appointment.ID {
    let wish = AppointmentRequest(callTime: AgentTestApp.slot(slot))
    return .init(rawValue: try await app.calls.book(app.request(customer, wish)).view(AppointmentView.self).id)
  }

  /// Performs what is owed of one topic, as the worker would, and collects the messages.
  private func told(_ topic: String, _ app: AgentTestApp) async throws -> [Message] {
    let sent = Mutex<[Message]>([])
    let messenger = Messenger(
      sms: SMSGateway { message in sent.withLock { $0.append(message) } },
      mail: MailGateway { message in sent.withLock { $0.append(message) } })
    let handlers = app.rubix.effects(
      evidence: EvidenceReader(), messenger: messenger, texts: MessageTexts.standardTexts
    ).handlers
    for item in try await app.core.database.read({ try OutboxStore($0).pending() }) where item.topic == topic {
      try await handlers[topic]?(item)
    }
    return sent.withLock { $0 }
  }

  @Test("a call is announced an hour before, by the clock of the institution, once for each booking that stands")
  func reminded() async throws {
    let app = try await AgentTestApp()
    _ = try await app.agent()
    let customer = try await app.customer(at: .awaitingAppointment)
    _ = try await book(0, customer, app)
    _ = try await book(20, customer, app)
    let due = try await app.core.database.query("SELECT due_at FROM outbox WHERE topic = 'rubix.remindOfCall'")
    let times: [Instant] = try due.map { try $0.get("due_at") }
    #expect(times.sorted() == [Instant(AgentTestApp.slot()) - .hours(1), Self.start - .hours(1)])
    app.clock.set(Self.start - .hours(1))
    let messages = try await told("rubix.remindOfCall", app)
    #expect(messages.map(\.subject) == ["Your call with Gatehouse Bank at 2026-11-22 16:00"], "the first was moved")
    #expect(messages.allSatisfy { $0.recipient == "erika@example.com" && !$0.body.contains("/call/") })
    app.clock.set(Self.start)
    #expect(try await told("rubix.remindOfCall", app).isEmpty, "the call is now")
  }

  @Test("a call that is soon when it is booked is not announced")
  func soon() async throws {
    let app = try await AgentTestApp()
    _ = try await app.agent()
    app.clock.set(Instant(AgentTestApp.slot()) - .hours(2) + .milliseconds(1))
    let customer = try await app.customer(at: .awaitingAppointment)
    _ = try await book(0, customer, app)
    #expect(try await !app.effects().contains("rubix.remindOfCall"))
  }

  @Test("an agent calls a call off once; the customer is told, not reminded, and may book again")
  func cancelled() async throws {
    let app = try await AgentTestApp()
    let agent = try await app.agent()
    let customer = try await app.customer(at: .awaitingAppointment)
    let call = try await book(20, customer, app)
    let stranger = try await app.agent("far@bank.example", tenant: "other")
    #expect(try await problem { try await app.rubix.agentCalls.cancel(call, by: stranger) }?.code == "not-found")
    for _ in 1...2 { #expect(try await app.rubix.agentCalls.cancel(call, by: agent).status == .cancelled) }
    #expect(try await app.application(of: customer).phase == .awaitingAppointment)
    #expect(
      try await told("rubix.notifyCallCancelled", app).map(\.subject) == [
        "Your call with Gatehouse Bank is called off"
      ])
    #expect(try await told("rubix.remindOfCall", app).isEmpty)
    let next = try await book(20, customer, app)
    app.clock.set(Self.start)
    let late = try await app.agent("late@bank.example")
    _ = try await app.rubix.agentCalls.start(next, by: late)
    let refusal = try await problem { try await app.rubix.agentCalls.cancel(next, by: late) }
    #expect(refusal?.code == "step-out-of-order")
  }
}
