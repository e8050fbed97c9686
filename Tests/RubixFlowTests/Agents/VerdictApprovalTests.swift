// SPDX-License-Identifier: Apache-2.0

import Casework
import DocumentCore
import Evidence
import Foundation
import HTTP
import Identity
import Kit
import RubixWire
import Scheduling
import Specimens
import Storage
import TestSupport
import Testing

@testable import RubixFlow

@Suite("Rubix: the verdict of an agent takes a colleague, where the bank has two persons decide")
struct VerdictApprovalTests {
  /// An agent after a call, and a colleague who may agree.
  private struct Desk {
    let app: AgentTestApp
    let maker, checker: Agent
    let customer: Customer
    let call: AppointmentView

    init(_ phase: ApplicationPhase = .awaitingAppointment) async throws {
      let app = try await AgentTestApp(verdictsNeedTwo: true)
      // May agree to what others ask for, too.
      maker = try await Self.member("maker", may: [.attendVideo, .readCustomers, .approveVerdicts], app)
      checker = try await Self.member("checker", may: [.approveVerdicts], app)
      customer = try await app.customer(at: phase)
      call = try await app.calls.book(app.request(customer, AppointmentRequest(callTime: AgentTestApp.slot())))
        .view(AppointmentView.self)
      self.app = app
    }

    /// Without a session, which would end meanwhile.
    static func member(
      _ name: String, may permissions: Set<StaffPermission>, _ app: AgentTestApp
    ) async throws -> Agent {
      let agent = try await app.agent("\(name)@bank.example", may: permissions)
      return Agent(member: agent.member, identity: nil, tenant: agent.tenant)
    }

    func request(
      _ verdict: AgentVerdict = .successful, retry: Bool = false, notes: String? = nil
    ) -> AgentVerificationRequest {
      AgentVerificationRequest(
        appointmentID: call.id, customerID: customer.id.rawValue, verdict: verdict, checklist: VerdictTests.yes,
        failureReason: verdict == .failed ? .other : nil, retryAllowed: retry, notes: notes,
        call: AgentTestApp.callRecord)
    }

    func decide(
      _ request: AgentVerificationRequest, approval: String? = nil, by agent: Agent? = nil
    ) async throws -> VerdictCommands.Outcome {
      try await app.rubix.verdicts.decide(AgentTestApp.content(request), by: agent ?? maker, approval: approval)
    }

    /// The id of what waits.
    func ask(_ request: AgentVerificationRequest, by agent: Agent? = nil) async throws -> String {
      guard case .waiting(let approval) = try await decide(request, by: agent) else { throw Problem.unexpected }
      #expect(approval.state == .pending && approval.maker == (agent ?? maker).actor)
      return approval.id
    }

    func say(_ approval: String, _ agreeing: Bool = true, by agent: Agent? = nil) async throws {
      let approvals = ApprovalCommands(app.core, caseService: try #require(app.caseService))
      _ = try await approvals.decide(
        .init(rawValue: approval), agreeing: agreeing, by: CaseWorker((agent ?? checker).member))
    }

    /// Suspends the colleague, or lets them work again.
    func setActive(_ isActive: Bool) async throws {
      try await app.core.database.write { [app, checker] tx in
        try app.staff.setActive(isActive, of: checker.member.id, by: "operator", in: tx)
      }
    }

    /// Keeps a picture of the call.
    func keepPicture() async throws {
      try await app.core.database.write { [app, customer] tx in
        try ImageStore(tx, vault: app.core.vault).insert(
          CaptureSession(id: .init(app.core.world), application: customer.id, createdAt: app.clock.now))
      }
      let day = try #require(CalendarDate(year: 2026, month: 11, day: 21))
      let picture = try Selfie.draw(of: Holder.random(seed: 1, reference: day), seed: 1, reference: day).data
      _ = try await app.rubix.snapshots(evidence: EvidenceReader()).keep(
        picture, of: Appointment.ID(rawValue: call.id), by: maker)
    }

    func application() async throws -> RubixFlow.Application { try await app.application(of: customer) }
  }

  private static let ends: [(ApplicationPhase, AgentVerdict, Bool, ApplicationPhase)] = [
    (.awaitingAppointment, .successful, false, .completed), (.awaitingAppointment, .failed, false, .rejected),
    (.awaitingAppointment, .failed, true, .awaitingAppointment),
    (.awaitingReviewAppointment, .successful, false, .awaitingScreening),
    (.awaitingReviewAppointment, .failed, false, .rejected),
    (.awaitingReviewAppointment, .failed, true, .awaitingReviewAppointment),
  ]

  @Test("nothing moves before a colleague agrees; then the same request decides, and both are named", arguments: ends)
  func whole(phase: ApplicationPhase, verdict: AgentVerdict, retry: Bool, end: ApplicationPhase) async throws {
    let desk = try await Desk(phase)
    let (request, before) = (desk.request(verdict, retry: retry), try await desk.application())
    let approval = try await desk.ask(request)
    #expect(try await desk.ask(request) == approval)
    let waiting = try await desk.application()
    #expect(waiting.phase == before.phase && waiting.version == before.version)
    try await desk.say(approval)
    // A word is good while who gave it may give it; of two requests the one that was agreed to counts.
    desk.app.clock.advance(by: .seconds(1))
    try await desk.setActive(false)
    #expect(try await desk.ask(request) != approval)
    try await desk.setActive(true)
    guard case .decided(let view) = try await desk.decide(request),
      case .decided(let again) = try await desk.decide(request)
    else { throw Problem.unexpected }
    #expect(again == view && view.agentID == desk.maker.member.id.rawValue)
    #expect(try await desk.application().phase == end)
    let (line, documents) = try await desk.app.core.database.read { tx in
      (
        try AuditStore(tx).lines(of: desk.customer.id.rawValue).last { $0.action.hasPrefix("application.agent") },
        try tx.query("SELECT document FROM casework_receipt").map { try $0.get("document") as Data }
      )
    }
    #expect(line?.actor == desk.maker.actor && line?.facts["checker"] == desk.checker.actor)
    #expect(documents.count == 1)
    let receipt = try DecisionReceipt(SignedDocument(document: try #require(documents.first)))
    #expect(receipt.decidedBy == desk.maker.actor && receipt.agreedBy == desk.checker.actor)
  }

  @Test("nothing else than what was agreed to: other verdict, words, agent, pictures; nor a colleague's case")
  func bound() async throws {
    let desk = try await Desk()
    let colleague = try await Desk.member("colleague", may: [.attendVideo, .readCustomers], desk.app)
    let (request, agreed) = (desk.request(), try await desk.ask(desk.request()))
    try await desk.say(agreed)
    for other in [desk.request(notes: "Other words."), desk.request(.failed), desk.request(.failed, retry: true)] {
      #expect(try await problem { try await desk.decide(other, approval: agreed) }?.code == "subject-changed")
      #expect(try await desk.ask(other) != agreed)
    }
    #expect(try await desk.ask(request, by: colleague) != agreed)
    #expect(
      try await problem { try await desk.decide(request, approval: agreed, by: colleague) }?.code == "not-found")
    let (core, verdicts, applications) = (desk.app.core, desk.app.rubix.verdicts, desk.app.rubix.applications)
    for (subject, agent) in [(desk.customer.id, colleague), (.init(core.world), desk.maker)] {
      #expect(try await problem { try await verdicts.carryOut(agreed, on: subject, by: agent) }?.code == "not-found")
    }
    for event in [ApplicationEvent.agentAccepted, .agentRefused, .agentRefusedOnce] {
      let refusal = try await problem {
        try await core.database.write { tx in
          var dossier = try applications.load(desk.customer.id, tenant: desk.customer.tenant, in: tx)
          try applications.move(
            &dossier, on: event, by: desk.maker.actor, verdict: "{}", approval: agreed, in: tx)
        }
      }
      #expect(refusal?.code == "approval-required", "\(event)")
    }
    try await desk.keepPicture()
    #expect(try await problem { try await desk.decide(request, approval: agreed) }?.code == "subject-changed")
    #expect(try await desk.ask(request) != agreed)
    let held = try await core.database.read { tx in
      try #require(try CaseStore(tx).find(subject: desk.customer.id.rawValue, kind: .rubixCall))
    }
    let caseService = try #require(desk.app.caseService)
    _ = try await CaseCommands(core, caseService: caseService, staff: desk.app.staff).claim(
      held.id, by: CaseWorker(colleague.member))
    for asked in [request, desk.request(notes: "Never asked for.")] {
      #expect(try await problem { try await desk.decide(asked) }?.code == "case-held")
    }
    #expect(try await desk.application().phase == .awaitingCall)
  }

  @Test("the same verdict, asked for many times at once on a call that runs, is asked for once")
  func atOnce() async throws {
    let desk = try await Desk()
    // With the first one the call begins; nothing else of it changes when another one is asked for.
    let (first, request) = (try await desk.ask(desk.request()), desk.request(notes: "Asked for at once."))
    let asked = try await withThrowingTaskGroup(of: String.self) { group in
      for _ in 0..<8 { group.addTask { try await desk.ask(request) } }
      return try await group.reduce(into: Set()) { $0.insert($1) }
    }
    #expect(asked.count == 1 && !asked.contains(first))
    let count = try await desk.app.core.database.read { tx in try tx.query("SELECT id FROM casework_approval").count }
    #expect(count == 2)
  }

  @Test("who asks does not agree, nor who may not; a refusal stands, and a word ends with who gave it and after a day")
  func secondOne() async throws {
    let desk = try await Desk()
    let request = desk.request()
    let reader = try await Desk.member("reader", may: [.attendVideo], desk.app)
    let refused = try await desk.ask(request)
    #expect(try await problem { try await desk.say(refused, by: desk.maker) }?.code == "own-approval")
    #expect(try await problem { try await desk.say(refused, by: reader) }?.code == "forbidden")
    try await desk.say(refused, false)
    for approval in [refused, nil] {
      #expect(try await problem { try await desk.decide(request, approval: approval) }?.code == "approval-refused")
    }
    let other = desk.request(notes: "What the colleague missed.")
    let agreed = try await desk.ask(other)
    try await desk.say(agreed)
    // Shown by a transaction that reads, which can lock nothing.
    let (verdicts, tenant) = (desk.app.rubix.verdicts, desk.app.tenant)
    #expect(try await verdicts.asked(about: desk.customer.id, tenant: tenant).map(\.id) == [agreed])
    try await desk.setActive(false)
    #expect(try await verdicts.asked(about: desk.customer.id, tenant: tenant).isEmpty)
    #expect(try await problem { try await desk.decide(other, approval: agreed) }?.code == "approval-expired")
    try await desk.setActive(true)
    desk.app.clock.advance(by: .hours(24))
    #expect(try await problem { try await desk.decide(other, approval: agreed) }?.code == "approval-expired")
    let later = try await desk.ask(other)
    #expect(later != agreed)
    try await desk.say(later)
    // What was agreed to is carried out without being typed again.
    guard case .decided = try await desk.app.rubix.verdicts.carryOut(later, on: desk.customer.id, by: desk.maker)
    else {
      throw Problem.unexpected
    }
    #expect(try await desk.application().phase == .completed)
  }
}
