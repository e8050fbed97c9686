// SPDX-License-Identifier: Apache-2.0

import Foundation
import RubixWire
import Kit
import TestSupport
import Testing

@testable import RubixFlow

@Suite("Rubix: what agents see")
struct CustomerReaderTests {
  @Test("the whole view holds forms, calls, verdicts and the story, and every look is written down")
  func view() async throws {
    let app = try await AgentTestApp()
    let agent = try await app.agent()
    let customer = try await app.customer(at: .submittingForms)
    _ = try await app.forms.submit(.fatca, app.request(customer, ComplianceSamples.fatca))
    let view = try await app.customerReader.view(customer.id, by: agent)
    #expect(view.customer.lastName == "MUSTERMANN")
    #expect(view.customer.contactNo == "+96550001234")
    #expect(view.compliance.map(\.form) == ["FATCA"])
    #expect(view.timeline.map(\.event) == ["application.formSubmitted", "customer.viewed"])
    #expect(view.timeline.first?.step == .fatcaSubmitted)
    #expect(view.timeline.last?.actor == "agent:\(agent.member.id)")
    _ = try await app.customerReader.view(customer.id, by: agent)
    #expect(try await app.actions(of: customer).filter { $0 == "customer.viewed" }.count == 2)
  }

  @Test("calls that were moved stay visible")
  func appointments() async throws {
    let app = try await AgentTestApp()
    let agent = try await app.agent()
    let customer = try await app.customer(at: .awaitingAppointment)
    for slot in 0...2 {
      _ = try await app.calls.book(
        app.request(customer, AppointmentRequest(callTime: AgentTestApp.slot(slot))))
      app.clock.advance(by: .seconds(1))
    }
    let view = try await app.customerReader.view(customer.id, by: agent)
    #expect(view.appointments.map(\.status) == [.cancelled, .cancelled, .scheduled])
  }

  @Test("not without the permission, not one's own, not of another bank; and a refused look is not recorded")
  func forbidden() async throws {
    let app = try await AgentTestApp()
    let customer = try await app.customer(at: .submittingForms)
    for (agent, code) in [
      (try await app.agent("caller@bank.example", may: [.attendVideo]), "forbidden"),
      (try await app.agent("erika@example.com"), "forbidden"),
      (try await app.agent("far@bank.example", tenant: "other"), "not-found"),
    ] {
      #expect(try await problem { try await app.customerReader.view(customer.id, by: agent) }?.code == code)
    }
    #expect(try await app.actions(of: customer).isEmpty)
  }

  @Test("hits in lists are for those who decide on them; others see how the screening came out")
  func hits() async throws {
    let app = try await AgentTestApp()
    let customer = try await app.customer(at: .awaitingScreening)
    app.provider.withLock { $0.outcome = AgentTestApp.hits(2) }
    _ = try await app.screenings.screen(app.request(customer))
    let agent = try await app.agent("caller@bank.example", may: [.attendVideo, .readCustomers])
    let seen = try #require(try await app.customerReader.view(customer.id, by: agent).screening)
    #expect(seen.status == .potentialMatch && seen.hits == [] && seen.lists.map(\.code) == ["OFAC_SDN"])
    let officer = try await app.agent("officer@bank.example", may: [.readCustomers, .decideAML])
    let all = try #require(try await app.customerReader.view(customer.id, by: officer).screening)
    #expect(all.hits.map(\.entityID) == ["entity-1", "entity-2"] && all.id == seen.id)
  }

  @Test("an image comes unsealed, its portrait only when there is one, and both looks are written down")
  func preview() async throws {
    let app = try await AgentTestApp()
    let agent = try await app.agent()
    let customer = try await app.customer(at: .submittingForms)
    let (image, portrait) = try await stored(of: customer, in: app)
    let bytes = try await app.customerReader.preview(image, of: customer.id, portrait: false, by: agent)
    #expect(bytes == Data("image".utf8))
    #expect(
      try await app.customerReader.preview(image, of: customer.id, portrait: true, by: agent) == Data("portrait".utf8))
    let missing = try await problem {
      try await app.customerReader.preview(portrait, of: customer.id, portrait: true, by: agent)
    }
    #expect(missing?.code == "not-found")
    let other = try await app.customer(at: .submittingForms)
    let foreign = try await problem {
      try await app.customerReader.preview(image, of: other.id, portrait: false, by: agent)
    }
    #expect(foreign?.code == "not-found")
    #expect(try await app.actions(of: customer) == ["customer.viewed", "customer.viewed"])
  }

  /// One document with a portrait and one without.
  private func stored(
    of customer: Customer, in app: AgentTestApp
  ) async throws -> (CapturedImage.ID, CapturedImage.ID) {
    let (world, vault) = (app.clock.world, app.core.vault)
    let ids = (CapturedImage.ID(world), CapturedImage.ID(world))
    for (key, text) in [(ids.0.rawValue, "image"), (CapturedImage.portraitKey(ids.0), "portrait")] {
      try await app.core.blobs.put(key, vault.seal(Data(text.utf8), context: CapturedImage.context(key)))
    }
    try await app.core.database.write { tx in
      let store = ImageStore(tx, vault: vault)
      let session = CaptureSession(id: .init(world), application: customer.id, createdAt: world.now())
      try store.insert(session)
      for (id, type) in [(ids.0, DocumentType.passport), (ids.1, .drivingLicense)] {
        try store.insert(
          CapturedImage(
            id: id, application: customer.id, session: session.id, type: type, subType: nil, state: .processing,
            width: 1000, height: 700, sha256: "00", quality: ImageQuality(sharpness: 1, glare: 0, crop: .ok),
            liveness: nil, isRead: false, hasPortrait: false, createdAt: world.now()),
          clientHints: nil)
      }
      try store.setReading(Data(), hasPortrait: true, of: ids.0, at: world.now())
    }
    return ids
  }
}

@Suite("Rubix: the agents' queue")
struct CustomerQueueTests {
  @Test("pages hold everybody once, longest waiting first, whatever they wait for")
  func pages() async throws {
    let app = try await AgentTestApp()
    let agent = try await app.agent()
    var waiting: [String] = []
    for phase in [
      ApplicationPhase.reviewingScreening, .awaitingReviewCall, .submittingForms, .awaitingReviewAppointment,
      .reviewingScreening, .completed, .awaitingReviewCall,
    ] {
      app.clock.advance(by: .seconds(1))
      let customer = try await app.customer(at: phase)
      if phase.isInReview { waiting.append(customer.id.rawValue) }
    }
    var (seen, cursor): ([String], QueueCursor?) = ([], nil)
    repeat {
      let page = try await app.queue.page(.inReview, after: cursor, limit: 2, for: agent)
      seen += page.customers.map(\.id)
      cursor = page.nextCursor.flatMap { QueueCursor($0) }
    } while cursor != nil && seen.count < 20
    #expect(seen == waiting)
  }

  @Test("ordinary calls are those of today by the institution's calendar")
  func today() async throws {
    let app = try await AgentTestApp()
    let agent = try await app.agent()
    let customer = try await app.customer(at: .awaitingAppointment)
    _ = try await app.calls.book(app.request(customer, AppointmentRequest(callTime: AgentTestApp.slot())))
    #expect(try await app.queue.page(.pending, after: nil, limit: 10, for: agent).customers.isEmpty)
    #expect(try await app.queue.calls(on: nil, of: agent).customers.isEmpty)
    // Midnight in Kuwait is 21:00 UTC.
    app.clock.set(Instant(rfc3339: "2026-11-21T21:30:00Z") ?? app.clock.now)
    let page = try await app.queue.page(.pending, after: nil, limit: 10, for: agent)
    #expect(page.customers.map(\.reason) == [.agentCall])
    #expect(try await app.queue.calls(on: nil, of: agent).customers.map(\.id) == [customer.id.rawValue])
  }

  @Test("only what a page gave is a cursor", .storeless, arguments: ["", "abc", "MS4xLng", "Mi4xLjAxOTk", "💥"])
  func cursors(text: String) { #expect(QueueCursor(text) == nil) }
}
