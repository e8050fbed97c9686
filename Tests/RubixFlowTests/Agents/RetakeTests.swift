// SPDX-License-Identifier: Apache-2.0
import DocumentCore
import Evidence
import Foundation
import Kit
import RubixWire
import Scheduling
import Specimens
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
            quality: .init(sharpness: 1, glare: 0, crop: .ok), liveness: nil, isRead: true, hasPortrait: false,
            createdAt: now), clientHints: nil)
      }
    }
    let call = try await app.calls.book(app.request(customer, AppointmentRequest(callTime: AgentTestApp.slot())))
    return (customer, try call.view(AppointmentView.self))
  }

  private func dossier(_ app: AgentTestApp, _ customer: Customer) async throws -> Dossier {
    try await app.core.database.read { try app.rubix.applications.load(customer.id, tenant: customer.tenant, in: $0) }
  }

  private func status(_ app: AgentTestApp, _ call: AppointmentView) async throws -> Appointment.Status? {
    try await app.core.database.read { tx in
      try app.rubix.applications.appointments(of: app.tenant).find(.init(rawValue: call.id), in: tx)?.status
    }
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
    #expect(try await status(app, call) == .cancelled)
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
      // A line end that no control character is, a direction that turns, and what cannot be seen.
      ([.passport], "Lay it\u{2028}flat.", customer.id, agent, "validation-failed"),
      ([.passport], "Lay it\u{2029}flat.", customer.id, agent, "validation-failed"),
      ([.passport], "Lay \u{202E}it flat.", customer.id, agent, "validation-failed"),
      ([.passport], "Lay it\u{200B}flat.", customer.id, agent, "validation-failed"),
      ([.passport], " ", customer.id, agent, "validation-failed"),
      ([.passport], String(repeating: "e\u{301}", count: 141), customer.id, agent, "validation-failed"),
    ] as [([DocumentType], String, RubixFlow.Application.ID, Agent, String)] {
      let found = try await problem { try await app.rubix.retakes.request(types, words: words, of: id, by: caller) }
      #expect(found?.code == code)
    }
    #expect(try await app.application(of: customer).phase == .awaitingReviewCall)
  }

  @Test("a call that runs ends by it, for both sides; the same again changes nothing")
  func running() async throws {
    let app = try await AgentTestApp(callsHere: true)
    _ = try await app.agent()
    let (customer, call) = try await reviewed(app)
    app.clock.set(Instant(AgentTestApp.slot()))
    let agent = try await app.agent("on-duty@bank.example")
    let (calls, id) = (app.rubix.browserCalls(staff: app.staff), Appointment.ID(rawValue: call.id))
    let sides: [CallParty] = [
      .customer(id, secret: "phone"), .agent(id, member: agent.member.id.rawValue, session: "s"),
    ]
    for side in sides { _ = try await calls.join(side) }
    for side in sides { try await calls.connected(side, seat: 1) }
    for _ in 0..<2 {
      try await app.rubix.retakes.request([.passport], words: Self.words, of: customer.id, by: agent)
      #expect(try await status(app, call) == .done)
    }
    let actions = try await app.actions(of: customer)
    #expect(actions.contains("call.ended") && actions.count { $0 == "application.retakeRequested" } == 1)
    let other = try await problem {
      try await app.rubix.retakes.request([.liveness], words: Self.words, of: customer.id, by: agent)
    }
    #expect(other?.code == "step-out-of-order")
  }

  @Test("a picture that cannot be read is still wanted, and a selfie is taken for the one that is compared")
  func unreadable() async throws {
    let app = try await AgentTestApp()
    let agent = try await app.agent()
    let (customer, _) = try await reviewed(app)
    try await app.rubix.retakes.request([.passport, .selfie], words: Self.words, of: customer.id, by: agent)
    let id = CapturedImage.ID(app.core.world)
    try await app.core.database.write { tx in
      var dossier = try app.rubix.applications.load(customer.id, tenant: customer.tenant, in: tx)
      var image = CapturedImage(
        id: id, application: customer.id, session: try #require(dossier.session).id, type: .passport, subType: nil,
        state: .pending, width: 1000, height: 700, sha256: "01",
        quality: .init(sharpness: 1, glare: 0, crop: .ok), liveness: nil, isRead: false,
        hasPortrait: false, createdAt: app.clock.now)
      try app.rubix.applications.take(&image, on: .taken, of: &dossier, in: tx)
      dossier.application.reconsider()
      try app.rubix.applications.save(&dossier, in: tx)
      let reading = VerifiedIdentityTests.unreadable
      try ImageStore(tx, vault: app.core.vault).setReading(
        app.core.vault.seal(reading, as: StoredReading.context(id), of: customer.id.keySubject, in: tx),
        hasPortrait: false, of: id, at: app.clock.now)
    }
    let read = app.rubix.documents(evidence: EvidenceReader())
    #expect(try await read.process(.passport, app.request(customer)).status == 422)
    #expect(try await dossier(app, customer).application.retake == [.passport, .selfie])

    let day = try #require(CalendarDate(year: 2026, month: 11, day: 21))
    let picture = try Selfie.draw(of: Holder.random(seed: 1, reference: day), seed: 1, reference: day).data
    let compared = { (dossier: Dossier) in dossier.images.filter { $0.subType == .faceEnrollment }.map(\.id) }
    let before = compared(try await dossier(app, customer))
    // Released apps send the last of the three.
    let request = SelfieUploadRequest(file: picture, subType: .deviceRegistration)
    #expect(try await app.capture.uploadSelfie(app.request(customer, request)).status == 201)
    let after = try await dossier(app, customer)
    #expect(after.application.retake == [.passport])
    #expect(compared(after) != before && compared(after).count == 1)
    #expect(try await dossier(app, customer).view.nextSteps.first?.message == Self.words)
  }
}
