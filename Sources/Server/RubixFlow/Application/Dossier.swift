// SPDX-License-Identifier: Apache-2.0

import Identity
import Kit
import RubixWire
import Scheduling
import Storage

/// An application with the rows around it that decide what comes next.
package struct Dossier: Sendable {
  package var application: Application
  /// The application as this transaction wrote it last; nil before. Views are kept by the version of the row, so that
  /// a command which changed only rows around the application writes it as well.
  var written: Application?
  var session: CaptureSession?
  /// Images in force.
  var images: [CapturedImage]
  var appointment: Appointment?
  let tenant: Tenant

  var documents: [CapturedImage] { images.filter { DocumentKind(documentType: $0.type) != nil } }

  func document(_ kind: DocumentKind) -> CapturedImage? { images.last { $0.type == kind.documentType } }

  /// Sub-types of the selfies that are in, in the required order.
  var selfies: [SelfieSubType] {
    SelfieSubType.known.filter { subType in images.contains { $0.type == .selfie && $0.subType == subType } }
  }

  var facts: ApplicationFacts {
    var facts = ApplicationFacts()
    let read = Set(documents.filter { $0.state == .processed }.map(\.type))
    facts.documentsComplete =
      tenant.documents.isSatisfied(by: read) && !documents.contains { $0.state == .processing }
    // Of what a person asked for, everything is taken again.
    let isWanted = application.applicant.retakeWords != nil && !application.retake.isEmpty
    facts.evidenceRetaken =
      application.evaluation == nil && selfies.count == SelfieSubType.known.count && !isWanted
    facts.contactsConfirmed =
      application.sms == .confirmed && (application.email == .confirmed || !tenant.emailRequired)
    facts.formsComplete = ComplianceFormKind.allCases.allSatisfy { application.completedSteps.contains($0.step) }
    facts.callNeeded = (tenant.agentAlways || application.callRequired) && !application.agentAccepted
    facts.appointmentActive = appointment != nil
    return facts
  }
}

extension Dossier {
  /// What the customer is to do now, first the one that the app shows (rubix-onboarding §4.4).
  var nextSteps: [NextStep] {
    guard let node = ApplicationFlow.node(application.phase) else { return [] }
    let asked: [NextStep] =
      switch node.asks {
      case .nothing: []
      case .call(let call): [step(call, reason: node.phase.isInReview ? application.reviewReason?.rawValue : nil)]
      case .documents: documentSteps
      case .retakes: retakeSteps
      case .forms:
        ComplianceFormKind.allCases.filter { !application.completedSteps.contains($0.step) }
          .map { step(.submitForm($0)) }
      }
    switch node.contacts {
    case .offered: return asked + contactSteps(optional: true)
    case .required: return asked + contactSteps(optional: false)
    case .accepted, .closed: return asked
    }
  }

  /// Images that are read next, then sides that are still to be taken.
  private var documentSteps: [NextStep] {
    let reading = documents.filter { $0.state == .processing }.compactMap { DocumentKind(documentType: $0.type) }
    let read = Set(documents.filter { $0.state == .processed }.map(\.type))
    let taken = Set(documents.filter { $0.state != .failed }.map(\.type))
    let missing = tenant.documents.missing(read: read, begun: taken).filter { item in
      !reading.contains { $0.documentType == item.type }
    }
    return reading.map { step(.processDocument($0)) }
      + missing.compactMap { item in
        DocumentKind(documentType: item.type).map {
          step(.uploadDocument($0), optional: item.optional || !reading.isEmpty)
        }
      }
  }

  private var retakeSteps: [NextStep] {
    let reading = documents.filter { $0.state == .processing }.compactMap { DocumentKind(documentType: $0.type) }
    guard reading.isEmpty else { return reading.map { step(.processDocument($0)) } }
    let words = application.applicant.retakeWords
    return application.retake.compactMap { type in
      let call: RubixCall? =
        switch type {
        case .selfie: .uploadSelfie
        case .liveness: .uploadLiveness
        default: DocumentKind(documentType: type).map { .uploadDocument($0) }
        }
      return call.map { call in
        var next = step(call, reason: words == nil ? nil : RetakeCommands.reason)
        next.message = words
        return next
      }
    }
  }

  private func contactSteps(optional: Bool) -> [NextStep] {
    let channels: [OTPChannel] = tenant.emailRequired ? [.sms, .email] : [.sms]
    return channels.flatMap { channel -> [NextStep] in
      switch application.contact(channel) {
      case .confirmed: []
      case .unconfirmed: [step(.sendOTP(channel), optional: optional, reason: missingContact(channel))]
      case .codeSent: [step(.verifyOTP(channel), optional: optional), step(.sendOTP(channel), optional: true)]
      }
    }
  }

  /// Why a code cannot be sent yet: the address has to be given first, with `PUT /auth/me`.
  private func missingContact(_ channel: OTPChannel) -> String? {
    ContactCommands.destination(channel, application) == nil ? "email-missing" : nil
  }

  private func step(_ call: RubixCall, optional: Bool = false, reason: String? = nil) -> NextStep {
    NextStep(step: call.step, method: "POST", path: call.path, optional: optional, reason: reason)
  }
}

/// Loads applications with the rows around them, and moves them.
package struct Applications: Sendable {
  /// An application that is not used for so long has expired (rubix-onboarding §4.3).
  package static let idleLifetime = Duration.days(90)

  let core: CoreDependencies
  let tenants: Tenants
  /// Where browsers reach the pages of this server, calls among them.
  let callPages: String
  /// Whether the institution's recorder is told of calls on them.
  var recordsCalls = false

  /// The customer's application with what is around it; an application whose time ran out lapses here.
  func open(_ customer: Customer, in tx: any SQLTransaction) throws -> Dossier {
    var dossier = try load(customer.id, tenant: customer.tenant, in: tx)
    try lapse(&dossier, in: tx)
    return dossier
  }

  /// Ends an application whose time has run out.
  func lapse(_ dossier: inout Dossier, in tx: any SQLTransaction) throws {
    let application = dossier.application
    guard application.expiresAt <= core.world.now(), applicationFlow.allows(.lapsed, from: application.phase) else {
      return
    }
    try move(&dossier, on: .lapsed, by: "system", in: tx)
  }

  package func load(_ id: Application.ID, tenant: Tenant, in tx: any SQLTransaction) throws -> Dossier {
    let application = try ApplicationStore(tx, vault: core.vault).find(id, tenant: tenant.id)
    let images = ImageStore(tx, vault: core.vault)
    let session = try images.activeSession(of: id)
    // Only those of an active session are in force.
    return Dossier(
      application: application, session: session, images: session == nil ? [] : try images.current(of: id),
      appointment: try AppointmentStore(tx, core.vault).live(for: id.rawValue, .verification), tenant: tenant)
  }

  /// The application of a customer who is known by id only, to providers and to the worker.
  /// - Returns: nil when there is no such customer or institution any more.
  func load(_ id: Application.ID, in tx: any SQLTransaction) throws -> Dossier? {
    let found = try ApplicationStore(tx, vault: core.vault).tenant(of: id)
    return try tenants.all.first { $0.id == found }.map { try load(id, tenant: $0, in: tx) }
  }

  package func appointments(of tenant: Tenant) throws -> Appointments {
    try tenant.appointments(vault: core.vault, world: core.world, mover: core.mover)
  }

  /// Moves the application and saves it: what a step changes besides is set before.
  /// - Parameter renewsTime: false where the customer did nothing.
  /// - Throws: `IllegalMove`.
  package func move(
    _ dossier: inout Dossier, on event: ApplicationEvent, by actor: String = "customer", facts: [String: String] = [:],
    renewsTime: Bool = true, verdict: String? = nil, approval: String? = nil, in tx: any SQLTransaction
  ) throws {
    let machine = ApplicationMachine(
      core: core, tenant: dossier.tenant, renewsTime: renewsTime, call: dossier.appointment, verdict: verdict)
    try core.mover.move(
      &dossier.application, on: event, of: machine, by: actor, facts: facts, approval: approval, in: tx)
    dossier.written = dossier.application
  }

  /// Moves a contact of the application and saves the application with it.
  /// - Parameter passcode: the code that `codeRequested` promises.
  /// - Throws: `IllegalMove`.
  func move(
    _ channel: OTPChannel, of dossier: inout Dossier, on event: ContactEvent, passcode: Passcode.ID? = nil,
    in tx: any SQLTransaction
  ) throws {
    let machine = ContactMachine(core: core, tenant: dossier.tenant, channel: channel, passcode: passcode)
    try core.mover.move(&dossier.application, on: event, of: machine, by: "customer", in: tx)
    dossier.written = dossier.application
  }

  /// Stores a new image by its first move, in the place of the one before it.
  func take(
    _ image: inout CapturedImage, on event: ImageEvent, hints: ClientHints? = nil, of dossier: inout Dossier,
    in tx: any SQLTransaction
  ) throws {
    try replace(
      dossier.images.filter { [image] in $0.type == image.type && $0.subType == image.subType }, of: dossier, in: tx)
    let machine = ImageMachine(image, of: dossier.tenant, hints: hints, vault: core.vault)
    try core.mover.move(&image, on: event, of: machine, by: "customer", in: tx)
    try TraitStore(tx, vault: core.vault).note(
      [.picture(sha256: image.sha256)], of: dossier.application, at: core.world.now())
    dossier.images = try ImageStore(tx, vault: core.vault).current(of: dossier.application.id)
  }

  /// Puts images aside.
  func replace(_ images: [CapturedImage], of dossier: Dossier, in tx: any SQLTransaction) throws {
    for var image in images {
      let machine = ImageMachine(image, of: dossier.tenant, vault: core.vault)
      try core.mover.move(&image, on: .replaced, of: machine, by: "customer", in: tx)
    }
  }

  /// Applies what follows by itself, then writes the row unless a move has just done so: every command ends here.
  package func save(_ dossier: inout Dossier, in tx: any SQLTransaction) throws {
    for _ in ApplicationPhase.allCases {
      guard let event = ApplicationFlow.automaticEvent(in: dossier.application.phase, dossier.facts) else { break }
      try move(&dossier, on: event, by: "system", in: tx)
    }
    guard dossier.application != dossier.written else { return }
    let now = core.world.now()
    dossier.application.renewTime(at: now)
    dossier.application = try ApplicationStore(tx, vault: core.vault).update(dossier.application, at: now)
    dossier.written = dossier.application
  }
}
