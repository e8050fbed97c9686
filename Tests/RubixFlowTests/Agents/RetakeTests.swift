// SPDX-License-Identifier: Apache-2.0
import Foundation
import Kit
import RubixWire
import Testing

@testable import RubixFlow

@Suite("Rubix: other pictures that a reviewer asks for")
struct RetakeTests {
  private static let words = "Please lay the passport flat, without a reflection."

  /// A review with a booked call, and every picture but a card in force.
  private func reviewed(_ app: AgentTestApp) async throws -> (Customer, AppointmentView) {
    let customer = try await app.customer(at: .awaitingReviewAppointment)
    try await app.core.database.write { tx in
      let (store, now) = (ImageStore(tx, vault: app.core.vault), app.clock.now)
      let session = CaptureSession(id: .init(app.core.world), application: customer.id, createdAt: now)
      try store.insert(session)
      let selfies = SelfieSubType.known.map { (DocumentType.selfie, Optional($0)) }
      for (type, subType) in selfies + [(.liveness, nil), (.passport, nil)] {
        try store.insert(
          CapturedImage(
            id: .init(app.core.world), application: customer.id, session: session.id, type: type, subType: subType,
            state: .processed, width: 1000, height: 700, sha256: "00",
            quality: ImageQuality(sharpness: 1, glare: 0, crop: .ok), liveness: nil, isRead: true, hasPortrait: false,
            createdAt: now), clientHints: nil)
      }
    }
    let call = try await app.calls.book(app.request(customer, AppointmentRequest(callTime: AgentTestApp.slot())))
    return (customer, try call.view(AppointmentView.self))
  }

  private func dossier(_ app: AgentTestApp, _ customer: Customer) async throws -> Dossier {
    try await app.core.database.read { try app.rubix.applications.load(customer.id, tenant: customer.tenant, in: $0) }
  }

  @Test("the application goes back to the customer with the reviewer's words, and its call is called off")
  func asked() async throws {
    let app = try await AgentTestApp()
    let agent = try await app.agent()
    let (customer, call) = try await reviewed(app)
    try await app.rubix.retakes.request(
      [.passport, .liveness], words: " \(Self.words)\n", of: customer.id, by: agent)
    #expect(app.cases.lines.last == "conclude rubix-review retakeRequested \(agent.actor)")
    #expect(try await app.actions(of: customer).last == "application.retakeRequested")
    var dossier = try await self.dossier(app, customer)
    #expect(dossier.application.phase == .recapturing && dossier.view.status == .pending)
    #expect(dossier.application.lastStep == .documentsMismatched && dossier.appointment == nil)
    let next = dossier.view.nextSteps.prefix(2)
    #expect(next.map(\.path) == ["/documents/passport/upload", "/faces/liveness/upload"])
    #expect(next.allSatisfy { $0.reason == "retake-requested" && $0.message == Self.words })
    let ended = try await app.core.database.read { tx in
      try app.rubix.applications.appointments(of: customer.tenant).find(.init(rawValue: call.id), in: tx)
    }
    #expect(ended?.status == .cancelled)
    let told = try await NoticeTests().told(app)
    #expect(told.map(\.subject) == ["Other pictures for your application at Gatehouse Bank"])
    #expect(told.first?.body.contains(Self.words) == true)
    #expect(try await app.store.bytesOnDisk().range(of: Data(Self.words.utf8)) == nil)

    // It goes on only when everything that was asked for has come.
    dossier.application.retaken(.passport)
    #expect(!dossier.facts.evidenceRetaken)
    dossier.application.retaken(.liveness)
    #expect(dossier.facts.evidenceRetaken)
  }

  @Test("not without the permission, in one's own case, outside of a review, or without pictures in force and words")
  func refused() async throws {
    let app = try await AgentTestApp()
    let agent = try await app.agent()
    let (customer, _) = try await reviewed(app)
    let reader = try await app.agent("reader@bank.example", may: [.readCustomers])
    let other = try await app.customer(at: .awaitingCall, email: "other@example.com")
    for (types, words, id, caller, code) in [
      ([.passport], Self.words, customer.id, reader, "forbidden"),
      ([.passport], Self.words, customer.id, try await app.agent("erika@example.com"), "forbidden"),
      ([.passport], Self.words, other.id, agent, "step-out-of-order"),
      ([], Self.words, customer.id, agent, "validation-failed"),
      ([.drivingLicense], Self.words, customer.id, agent, "validation-failed"),
      ([.passport, .passport], Self.words, customer.id, agent, "validation-failed"),
      ([.passport], "Lay it\nflat.", customer.id, agent, "validation-failed"),
      ([.passport], " ", customer.id, agent, "validation-failed"),
      ([.passport], String(repeating: "a", count: 281), customer.id, agent, "validation-failed"),
    ] as [([DocumentType], String, RubixFlow.Application.ID, Agent, String)] {
      let found = try await problem { try await app.rubix.retakes.request(types, words: words, of: id, by: caller) }
      #expect(found?.code == code)
    }
    #expect(try await app.application(of: customer).phase == .awaitingReviewCall)
  }
}
