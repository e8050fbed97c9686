// SPDX-License-Identifier: Apache-2.0

import Delivery
import Evidence
import GatehouseWire
import Kit
import RubixWire
import Synchronization
import TestSupport
import Testing

@testable import RubixFlow

@Suite("Rubix: what customers are told about decisions")
struct NoticeTests {
  /// Performs what is owed, as the worker would, and collects the messages.
  func told(_ app: AgentTestApp) async throws -> [Message] {
    let sent = Mutex<[Message]>([])
    let messenger = Messenger(
      sms: SMSGateway { message in sent.withLock { $0.append(message) } },
      mail: MailGateway { message in sent.withLock { $0.append(message) } })
    let handlers = app.rubix.effects(
      evidence: EvidenceReader(), messenger: messenger, texts: MessageTexts.standardTexts
    ).handlers
    for item in try await app.core.database.read({ try OutboxStore($0).pending() })
    where item.topic.hasPrefix("rubix.notify") {
      try await handlers[item.topic]?(item)
    }
    return sent.withLock { $0 }
  }

  private func decide(
    _ app: AgentTestApp, _ customer: Customer, _ verdict: AgentVerdict, retry: Bool = false
  ) async throws {
    let call = try await app.calls.book(
      app.request(customer, AppointmentRequest(callTime: AgentTestApp.slot()))
    ).view(AppointmentView.self)
    let agent = try await app.agent("other@bank.example")
    let request = AgentVerificationRequest(
      appointmentID: call.id, customerID: customer.id.rawValue, verdict: verdict, checklist: VerdictTests.yes,
      failureReason: verdict == .failed ? .technical : nil, retryAllowed: retry, call: AgentTestApp.callRecord)
    _ = try await app.verdicts.decide(AgentTestApp.content(request), by: agent)
  }

  @Test("a hit is told as a review without a reason, and that it was cleared as going on")
  func screening() async throws {
    let app = try await AgentTestApp()
    let customer = try await app.customer(at: .awaitingScreening)
    app.provider.withLock { $0.outcome = AgentTestApp.hits(1) }
    _ = try await app.screenings.screen(app.request(customer))
    let due = try #require(try await told(app).last)
    #expect(due.channel == .email && due.recipient == "erika@example.com")
    #expect(due.subject == "Your application at Gatehouse Bank is being reviewed")
    #expect(!due.body.localizedCaseInsensitiveContains("sanction") && !due.body.contains("LISTED"))
    let decision = ScreeningDecisionRequest(
      hits: [.init(list: "OFAC_SDN", entityID: "entity-1", disposition: .falsePositive)], notes: "Another person.")
    _ = try await app.decisions.decide(
      customer.id, AgentTestApp.content(decision), by: try await app.agent("officer@bank.example"))
    // Both were owed in one instant of the test.
    #expect(try await told(app).contains { $0.subject == "Your application at Gatehouse Bank goes on" })
  }

  @Test(
    "the agent's verdict is told, whatever it is",
    arguments: [
      (AgentVerdict.successful, false, "Welcome to Gatehouse Bank"),
      (.failed, true, "Another call for your application at Gatehouse Bank"),
      (.failed, false, "Your application at Gatehouse Bank"),
    ])
  func verdict(verdict: AgentVerdict, retry: Bool, subject: String) async throws {
    let app = try await AgentTestApp()
    _ = try await app.agent()
    let customer = try await app.customer(at: .awaitingAppointment)
    try await decide(app, customer, verdict, retry: retry)
    #expect(try await told(app).compactMap(\.subject) == [subject])
  }

  @Test("an accepted review is told as going on")
  func review() async throws {
    let app = try await AgentTestApp()
    _ = try await app.agent()
    let customer = try await app.customer(at: .awaitingReviewAppointment)
    try await decide(app, customer, .successful)
    #expect(try await told(app).compactMap(\.subject) == ["Your application at Gatehouse Bank goes on"])
  }

  @Test("a refresh token that came twice ends the session, and the customer is told once")
  func reuse() async throws {
    let app = try await AgentTestApp()
    let (answer, tokens) = try await app.registration.register(
      AgentTestApp.content(app.registerRequest()), tenant: app.tenant, address: nil, idempotencyKey: nil)
    let id = RubixFlow.Application.ID(rawValue: try answer.view(OnboardingView.self).id)
    try await app.core.database.write { tx in
      let store = ApplicationStore(tx, vault: app.core.vault)
      var application = try store.find(id, tenant: app.tenant.id)
      application.email = .confirmed
      _ = try store.update(application, at: app.clock.now)
    }
    let body = try AgentTestApp.content(RefreshTokenRequest(deviceID: AgentTestApp.device))
    _ = try await app.registration.refresh(tokens.refresh, body: body, tenant: app.tenant)
    app.clock.advance(by: .minutes(1))
    for _ in 0..<2 {
      let refusal = try await problem {
        try await app.registration.refresh(tokens.refresh, body: body, tenant: app.tenant)
      }
      #expect(refusal?.code == "refresh-reused")
    }
    #expect(try await told(app).compactMap(\.subject) == ["Gatehouse Bank: your application was closed in the app"])
  }

  @Test("without a confirmed e-mail address the confirmed phone is told; without either nothing is sent")
  func contacts() async throws {
    for (sms, channel) in [(ContactState.confirmed, Message.Channel.sms), (.codeSent, nil)] {
      let app = try await AgentTestApp()
      _ = try await app.agent()
      let customer = try await app.customer(at: .awaitingAppointment)
      try await app.core.database.write { tx in
        let store = ApplicationStore(tx, vault: app.core.vault)
        var application = try store.find(customer.id, tenant: customer.tenant.id)
        (application.email, application.sms) = (.unconfirmed, sms)
        _ = try store.update(application, at: app.clock.now)
      }
      try await decide(app, customer, .failed)
      let messages = try await told(app)
      #expect(messages.map(\.channel) == [channel].compactMap(\.self))
      #expect(messages.allSatisfy { $0.recipient == "+96550001234" })
    }
  }
}
