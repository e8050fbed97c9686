// SPDX-License-Identifier: Apache-2.0

import Evidence
import Foundation
import GatehouseWire
import RubixWire
import Kit
import Storage
import TestSupport
import Testing

@testable import Delivery
@testable import Identity
@testable import Scheduling
@testable import RubixFlow

@Suite("Rubix: what a customer sees of the application")
struct CustomerViewsTests {
  /// Two nodes over one store, each remembering what it showed.
  private struct Nodes {
    let app: AgentTestApp
    let here: CustomerViews
    let there: CustomerViews

    init() async throws {
      app = try await AgentTestApp()
      here = app.rubix.views()
      let node = try app.secondNode()
      there = CustomerViews(core: node.core, sessions: node.sessions, applications: node.applications)
    }

    /// Expects both nodes to show what the store says now, asked twice each.
    func expectTruth(_ customer: Customer, _ sourceLocation: SourceLocation = #_sourceLocation) async throws {
      let truth = try await app.core.database.read { [app] tx in
        try app.rubix.applications.load(customer.id, tenant: customer.tenant, in: tx).view
      }
      for node in [here, there, here, there] {
        let view = try await node.view(of: customer).map { try WireJSON.decode(OnboardingView.self, from: $0) }
        #expect(view == truth, sourceLocation: sourceLocation)
      }
    }
  }

  @Test("a customer reads 60 times a minute, and as many times more as the operator says")
  func limit() async throws {
    let nodes = try await Nodes()
    let customer = try await nodes.app.registered()
    for factor in [1, 2] {
      let views = nodes.app.rubix.views(limitTimes: factor)
      for _ in 0..<(60 * factor) { _ = try await views.me(customer) }
      await #expect(throws: (any Error).self) { try await views.me(customer) }
    }
  }

  @Test("every step is seen at once on every node")
  func steps() async throws {
    let nodes = try await Nodes()
    let app = nodes.app
    let customer = try await app.registered()
    try await nodes.expectTruth(customer)
    _ = try await app.capture.createSession(app.request(customer))
    try await nodes.expectTruth(customer)
    let code = try await app.code(.sms, of: customer)
    try await nodes.expectTruth(customer)
    _ = try await app.contacts.verify(.sms, app.request(customer, VerifyOTPRequest(code: code, type: .sms)))
    try await nodes.expectTruth(customer)
    _ = try await app.registration.updateMe(
      AgentTestApp.content(UpdateMeRequest(email: "other@example.com")), by: customer)
    try await nodes.expectTruth(customer)
    _ = try await app.capture.createSession(app.request(customer))
    try await nodes.expectTruth(customer)
  }

  @Test("a call is seen from its booking to its end, also when it was missed")
  func calls() async throws {
    let nodes = try await Nodes()
    let app = nodes.app
    _ = try await app.agent()
    let customer = try await app.customer(at: .awaitingAppointment)
    try await nodes.expectTruth(customer)
    let booked = try await app.calls.book(
      app.request(customer, AppointmentRequest(callTime: AgentTestApp.slot())))
    try await nodes.expectTruth(customer)
    let id = Appointment.ID(rawValue: try booked.view(AppointmentView.self).id)
    // Not a step: the application stays as it is.
    try await app.core.database.write { [app] tx in
      _ = try app.rubix.applications.appointments(of: app.tenant).advance(id, on: .callStarted, in: tx)
    }
    try await nodes.expectTruth(customer)
    try await app.core.database.write { [app] tx in
      _ = try app.rubix.applications.appointments(of: app.tenant).advance(id, on: .callEnded, in: tx)
    }
    try await nodes.expectTruth(customer)
    try await app.put(customer, at: .awaitingAppointment)
    _ = try await app.calls.book(app.request(customer, AppointmentRequest(callTime: AgentTestApp.slot(1))))
    try await nodes.expectTruth(customer)
    // A call of a customer whose application has ended meanwhile: no step follows when it is missed.
    try await app.put(customer, at: .rejected)
    try await nodes.expectTruth(customer)
    app.clock.advance(by: .days(3))
    #expect(try await app.rubix.missedCalls.sweep() == 1)
    try await nodes.expectTruth(customer)
  }

  @Test("images that the worker erased are no longer shown")
  func erasedImages() async throws {
    let nodes = try await Nodes()
    let app = nodes.app
    let customer = try await app.filled(agent: app.agent(), at: .rejected)
    try await nodes.expectTruth(customer)
    let effects = app.rubix.effects(
      evidence: EvidenceReader(),
      messenger: app.devOutbox.messenger, texts: .standardTexts)
    let erase = try #require(effects.handlers["rubix.scheduleErasure"])
    let item = try await app.core.database.write { [app] tx in
      try app.core.outbox.enqueue(
        "rubix.scheduleErasure", subject: customer.id.rawValue, payload: app.tenant.id, in: tx)
      return try OutboxStore(tx).pending().first { $0.topic == "rubix.scheduleErasure" }
    }
    try await erase(try #require(item))
    let view = try #require(try await nodes.there.view(of: customer))
    #expect(try WireJSON.decode(OnboardingView.self, from: view).documents.isEmpty)
    try await nodes.expectTruth(customer)
  }

  @Test("a session that ended is refused at once on every node")
  func revoked() async throws {
    let nodes = try await Nodes()
    let customer = try await nodes.app.registered()
    try await nodes.expectTruth(customer)
    try await nodes.app.registration.logout(customer)
    for node in [nodes.here, nodes.there] {
      #expect(try await problem { try await node.view(of: customer) as Any }?.code == "token-revoked")
    }
  }

  @Test("a session that outlived its life is refused, and so is one that is not there or belongs to another customer")
  func refused() async throws {
    let nodes = try await Nodes()
    let (one, other) = (
      try await nodes.app.registered(), try await nodes.app.customer(at: .registered, email: "b@example.com")
    )
    for customer in [one, other] { try await nodes.expectTruth(customer) }
    let stranger = AccessIdentity(
      subject: one.identity.subject, family: .init(rawValue: nodes.app.core.world.uuid()), tenant: one.tenant.id,
      scope: one.identity.scope)
    let thief = AccessIdentity(
      subject: other.identity.subject, family: one.identity.family, tenant: one.tenant.id, scope: one.identity.scope)
    for identity in [stranger, thief] {
      let code = try await problem {
        try await nodes.here.view(of: Customer(identity: identity, tenant: one.tenant)) as Any
      }?.code
      #expect(code == "token-revoked")
    }
    nodes.app.clock.advance(by: .days(90))
    #expect(try await problem { try await nodes.here.view(of: one) as Any }?.code == "token-revoked")
  }

  @Test("a customer is never shown another's application, however many ask at once")
  func apart() async throws {
    let nodes = try await Nodes()
    var customers: [Customer] = []
    for number in 0..<40 {
      customers.append(try await nodes.app.customer(at: .confirmingContacts, email: "c\(number)@example.com"))
    }
    let asked = customers
    for _ in 0..<3 {
      let seen = try await withThrowingTaskGroup(of: (Int, String?).self) { group in
        for (index, customer) in asked.enumerated() {
          group.addTask {
            let view = try await nodes.here.view(of: customer)
            return (index, try view.map { try WireJSON.decode(OnboardingView.self, from: $0).id })
          }
        }
        return try await group.reduce(into: [:]) { $0[$1.0] = $1.1 }
      }
      for (index, customer) in asked.enumerated() { #expect(seen[index] == customer.id.rawValue) }
    }
  }

  @Test("a customer of one institution is unknown to another")
  func tenants() async throws {
    let nodes = try await Nodes()
    let customer = try await nodes.app.customer(at: .registered)
    try await nodes.expectTruth(customer)
    let other = try nodes.app.rubix.tenants.find("other")
    let refusal = try await problem {
      try await nodes.here.view(of: Customer(identity: customer.identity, tenant: other)) as Any
    }
    #expect(refusal == .notFound)
  }

  @Test("an application whose time ran out is not shown as if it were open, and lapses when it is asked for")
  func lapses() async throws {
    let nodes = try await Nodes()
    let app = nodes.app
    let customer = try await app.customer(at: .confirmingContacts)
    try await nodes.expectTruth(customer)
    try await app.core.database.write { [app] tx in
      var dossier = try app.rubix.applications.load(customer.id, tenant: customer.tenant, in: tx)
      dossier.application.expiresAt = app.clock.now + .days(1)
      _ = try ApplicationStore(tx, vault: app.core.vault).update(dossier.application, at: app.clock.now)
    }
    try await nodes.expectTruth(customer)
    app.clock.advance(by: .days(1))
    #expect(try await nodes.here.view(of: customer) == nil)
    let view = try WireJSON.decode(OnboardingView.self, from: await nodes.here.me(customer))
    #expect(view.status == .expired)
    try await nodes.expectTruth(customer)
  }

  @Test("what was not read in two turns is dropped")
  func forgotten() async throws {
    let nodes = try await Nodes()
    let app = nodes.app
    let (gone, here) = (
      try await app.registered(),
      try await app.registered(app.registerRequest(contactNo: "+96550001235", email: "other@example.com"))
    )
    for customer in [gone, here] { _ = try await nodes.here.view(of: customer) }
    #expect(nodes.here.count == 2)
    for _ in 1...2 {
      app.clock.advance(by: CustomerViews.turnsEvery)
      _ = try await nodes.here.view(of: here)
    }
    #expect(nodes.here.count == 1)
  }

  @Test("a session whose row cannot be read fails alone")
  func unreadable() async throws {
    let app = try await AgentTestApp(.sqlite)
    let (broken, whole) = (
      try await app.registered(),
      try await app.registered(app.registerRequest(contactNo: "+96550001235", email: "other@example.com"))
    )
    let database = app.core.database
    try await database.write {
      try $0.execute("UPDATE session_family SET expires_at = 'never' WHERE id = \(broken.identity.family.rawValue)")
    }
    let found = try await ViewStatusStore.find(
      [broken.identity.family.rawValue, whole.identity.family.rawValue], in: database)
    #expect(throws: (any Error).self) { try found[broken.identity.family.rawValue]?.get() }
    #expect(try found[whole.identity.family.rawValue]?.get().session.subject == whole.id.rawValue)
  }
}
