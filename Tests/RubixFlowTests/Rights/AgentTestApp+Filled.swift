// SPDX-License-Identifier: Apache-2.0

import Delivery
import Screening
import Evidence
import Foundation
import RubixWire
import HTTP
import Kit
import Storage

@testable import RubixFlow

/// Customers of whom something is kept in every topic.
extension AgentTestApp {
  var devOutbox: DevOutbox { DevOutbox(database: core.database, vault: core.vault, world: core.world) }
  var erasure: CustomerErasure { rubix.erasure(devOutbox: devOutbox) }
  var exporter: CustomerExporter { rubix.exporter(devOutbox: devOutbox) }

  /// What tells one filled customer from another: every value below is somewhere in the file of the one it names.
  struct Person: Sendable {
    var name = "Erika"
    var number = 1
    var contactNo: String { "+9655000200\(number)" }
    var email: String { "\(name.lowercased())@example.com" }
    var device: String { "device-of-\(name)-0123456789" }
    var phone: String { "+9655999900\(number)" }
    var note: String { "note-about-\(name)" }
    var officerNote: String { "officer-on-\(name)" }
    var listed: String { "LISTED \(name.uppercased())" }
    var reason: String { "reason-of-\(name)" }
    var hint: String { "MRZ<\(name.uppercased())" }
    var message: String { "hello \(name)" }
    var picture: Data { Data("picture of \(name)".utf8) }
    /// What is for the customer, and what is not.
    var open: [String] { [contactNo, email, device, phone, note, reason, hint, message] }
    var restricted: [String] { [officerNote, listed] }
  }

  /// Went the whole way and became a customer.
  /// - Parameter slot: of the call; two customers have two.
  func filled(_ person: Person = Person(), agent: Agent, at phase: ApplicationPhase? = nil) async throws -> Customer {
    let (_, tokens) = try await registration.register(
      Self.content(registerRequest(device: person.device, contactNo: person.contactNo, email: person.email)),
      tenant: tenant, address: nil, idempotencyKey: core.world.uuid())
    let customer = Customer(
      identity: try await rubix.sessions.verify(tokens.access, tenant: tenant.id), tenant: tenant)
    _ = try await code(.sms, of: customer)
    try await send(person.message, to: person.contactNo, about: customer)
    try await evidence(of: customer, person)
    try await put(customer, at: .submittingForms)
    _ = try await forms.submit(.crs, request(customer, ComplianceSamples.crs(), key: core.world.uuid()))
    _ = try await forms.submit(.fatca, request(customer, ComplianceSamples.fatca, key: core.world.uuid()))
    try await put(customer, at: .awaitingAppointment)
    let call = try await calls.book(
      request(customer, AppointmentRequest(callTime: Self.slot(person.number), phone: person.phone)))
    let verdict = AgentVerificationRequest(
      appointmentID: try call.view(AppointmentView.self).id, customerID: customer.id.rawValue, verdict: .successful,
      checklist: VerdictRules.questions.map { ChecklistItem(code: $0, result: .yes) }, notes: person.note,
      call: Self.callRecord)
    _ = try await verdicts.decide(Self.content(verdict), by: agent)
    if let phase { try await put(customer, at: phase) }
    return customer
  }

  /// What the development outbox keeps in place of sending it.
  func send(_ body: String, to number: String, about customer: Customer) async throws {
    clock.advance(by: .milliseconds(1))
    var message = Message(.sms, to: number, body: body, locale: "en")
    message.about = customer.id.rawValue
    try await devOutbox.messenger.send(message)
  }

  /// A picture with a portrait, what the app read in it, an evaluation, and a hit with an officer's word on it.
  private func evidence(of customer: Customer, _ person: Person) async throws {
    let image = CapturedImage.ID(core.world)
    for key in CapturedImage.blobKeys(image).prefix(2) {
      try await core.keepImage(person.picture, as: key, of: customer.id)
    }
    let outcome = try JSONDecoder().decode(
      VerificationOutcome.self,
      from: Data(
        """
        {"status":"MATCH","reupload":[],"agent_required":false,"rules":[{"code":"name-across-documents",
        "result":"pass","score":0.9,"threshold":0.8,"reasons":["\(person.reason)"]}]}
        """.utf8))
    let subject = Screening.Subject(names: [person.name], dateOfBirth: nil, nationalities: [], documentNumbers: [])
    let hit = Screening.Hit(
      list: "UN", entityID: "e-1", caption: person.listed, score: 0.9, topics: ["sanction"], nameScore: 0.9,
      dateOfBirth: .none, nationality: false, documentNumber: false)
    try await core.database.write { [self] tx in
      let (now, vault, world) = (clock.now, core.vault, core.world)
      let store = ImageStore(tx, vault: vault)
      let session = CaptureSession(id: .init(world), application: customer.id, createdAt: now)
      try store.insert(session)
      try store.insert(
        CapturedImage(
          id: image, application: customer.id, session: session.id, type: .passport, subType: nil, state: .processing,
          width: 1000, height: 700, sha256: "00", quality: ImageQuality(sharpness: 1, glare: 0, crop: .ok),
          liveness: nil, isRead: false, hasPortrait: true, createdAt: now),
        clientHints: try vault.seal(
          ClientHints(mrz: person.hint, barcode: nil), as: ClientHints.context(image), of: customer.id.keySubject,
          in: tx)
      )
      try TraitStore(tx, vault: vault).note(
        PictureHash(parts: (0..<8).map { UInt32(person.number * 10 + $0) }), of: image,
        in: try ApplicationStore(tx, vault: vault).find(customer.id, tenant: tenant.id))
      try VerificationStore(tx, vault: vault).insert(
        Verification(id: .init(world), application: customer.id, attempt: 1, outcome: outcome, createdAt: now))
      let record = try Screening(vault: vault, world: world).record(
        .screened(.init(lists: [.init(code: "UN", version: "1")], threshold: 0.8, hits: [hit])), of: subject,
        for: customer.id.rawValue, in: tx)
      try ScreeningNoteStore(tx, vault: vault).insert(
        person.officerNote, id: world.uuid(), screening: record.id.rawValue, of: customer.id, by: "officer", at: now)
      try core.outbox.enqueue("rubix.readDocument", subject: image.rawValue, payload: tenant.id, in: tx)
    }
  }

  /// Puts an application where a test needs it.
  func put(_ customer: Customer, at phase: ApplicationPhase) async throws {
    try await core.database.write { [self] tx in
      let store = ApplicationStore(tx, vault: core.vault)
      var application = try store.find(customer.id, tenant: customer.tenant.id)
      application.phase = phase
      if application.applicant.verified == nil {
        application.applicant.verified = self.application(at: phase).applicant.verified
      }
      _ = try store.update(application, at: clock.now)
    }
  }

  /// Performs what is owed about pictures.
  func deleteImages() async throws {
    for item in try await core.database.read({ try OutboxStore($0).pending() }) where item.topic == ImageDeletion.topic
    {
      try await ImageDeletion(core: core).perform(item)
    }
  }
}
