// SPDX-License-Identifier: Apache-2.0

import Foundation
import Identity
import Kit
import Storage
import Synchronization
import TestSupport
import Testing

@testable import Casework

@Suite("Casework: export and erasure with a second person")
struct RightsRequestTests {
  private static let person = "0198c3a1-0000-7000-8000-000000000001"
  private static let place = FlowTenant(flow: "parcels", tenant: "bank")

  /// A flow that keeps one file of one person, and can be made to refuse.
  private final class Flow: SubjectExporter, SubjectSettler {
    let erasures: SubjectErasures
    let database: any SQLDatabase
    let cases: any CaseRepository
    let person = RightsRequestTests.person
    let ways = ["payout"]
    let settling = FourEyes(maker: "post:money", checker: "approve:money")
    let refusal = Mutex<Problem?>(nil)
    let erased = Mutex<[String]>([])

    init(_ app: CaseworkTestApp) {
      (erasures, database, cases) = (SubjectErasures(app.core, columns: []), app.database, app.core.cases)
    }

    func tenants(in scope: TenantScope, in tx: any SQLTransaction) -> [String] { ["bank"].filter(scope.contains) }

    /// The bank calls the person by another name than their id, too.
    func person(_ name: String, of tenant: String, in tx: any SQLTransaction) -> NamedPerson? {
      let key = KeySubject(person, of: TenantID("parcels", tenant))
      return [person, "erika@example.com", "checker"].contains(name) ? NamedPerson(name, of: key) : nil
    }

    func requireNoDuty(_ subject: DataSubject, in tx: any SQLTransaction) throws {
      if let refusal = refusal.withLock({ $0 }) { throw refusal }
    }

    func propose(
      _ way: String, of subject: DataSubject, despiteDuty: Bool, in tx: any SQLTransaction
    ) throws -> String? {
      try cases.propose(
        BoundAct("parcels.erase", subject: person, version: 0, content: "20.00 EUR, \(way)"), under: settling,
        tenant: "bank", person: person, by: subject.actor, in: tx)
    }

    func erase(
      _ subject: DataSubject, settling way: String, approval: String, for reason: ErasureReason, despiteDuty: Bool
    ) async throws -> [String] {
      let state = try await database.read { [cases] in try cases.asked(approval, in: $0)?.state }
      guard state == .approved else { throw Problem.approvalRequired }
      return try await erase(subject, for: reason, despiteDuty: despiteDuty) + [way]
    }

    func export(
      _ subject: DataSubject, includingRestricted: Bool, _ add: (_ path: String, _ bytes: Data) throws -> Void
    ) async throws { try add("customer.json", Data("\(subject.id) \(includingRestricted)".utf8)) }

    func erase(_ subject: DataSubject, for reason: ErasureReason, despiteDuty: Bool) async throws -> [String] {
      if let refusal = refusal.withLock({ $0 }) { throw refusal }
      try await database.write { [erasures, person] tx in
        let part = try erasures.part(of: KeySubject(person), objects: 2, in: tx)
        try erasures.destroy([part], of: subject.id, for: reason, chains: [], in: tx)
      }
      erased.withLock { $0.append("\(subject.id) \(subject.actor) \(despiteDuty)") }
      return ["Erased."]
    }
  }

  private let folder: TestFolder
  private let app: CaseworkTestApp
  private let flow: Flow
  private let commands: RightsCommands
  private let maker: CaseWorker
  private let checker: CaseWorker

  init() async throws {
    folder = try TestFolder()
    app = try await CaseworkTestApp(personsKeysIn: folder)
    flow = Flow(app)
    commands = RightsCommands(
      app.core, erasures: flow.erasures, parties: ["parcels": .init(exporter: flow, eraser: flow)],
      policy: app.caseService.policy)
    maker = CaseWorker(try await app.member("maker@bank.example", RightsRequest.permission))
    checker = CaseWorker(try await app.member("checker@bank.example", RightsRequest.permission))
  }

  private func ask(_ kind: RightsRequest.Kind = .erasure, despiteDuty: Bool = false) async throws -> RightsRequest {
    try await commands.ask(
      .init(kind, of: Self.person, at: Self.place, for: "art-17-request", despiteDuty: despiteDuty), by: maker)
  }

  private func agree(_ request: RightsRequest, _ isAgreed: Bool = true) async throws {
    _ = try await app.approvals.decide(.init(rawValue: request.approval), agreeing: isAgreed, by: checker)
  }

  /// The code of the problem that an attempt ends with; nil for success.
  private func code(_ attempt: () async throws -> Void) async throws -> String? {
    do { try await attempt() } catch let problem as Problem { return problem.code }
    return nil
  }

  @Test("an erasure happens once, by its maker, after the second person agreed to exactly it; its proof stays")
  func erasure() async throws {
    let request = try await ask(despiteDuty: true)
    let content = try await app.approvals.pending(for: checker).map(\.act.content)
    let words = "person \(Self.person); flow parcels; tenant bank; reason art-17-request; despite a duty to keep"
    #expect(content == [words])
    let told = try await app.approvals.pending(for: checker).first.flatMap { RightsRequest.Summary($0.act) }
    #expect(told?.person == Self.person && told?.place == Self.place && told?.reason == "art-17-request")
    #expect(told?.despiteDuty == true && told?.money == nil)
    #expect(try await code { _ = try await commands.erase(request.id, by: maker) } == "approval-required")
    try await agree(request)
    #expect(try await code { _ = try await commands.erase(request.id, by: checker) } == "not-the-maker")
    #expect(try await code { try await commands.export(request.id, by: maker) { _, _ in } } == "not-found")
    let (lines, finished) = try await commands.erase(request.id, by: maker)
    #expect(lines == ["Erased."] && finished.subject == nil && finished.state == .finished)
    #expect(flow.erased.withLock { $0 } == ["\(Self.person) \(maker.actor) true"])
    #expect(try await code { _ = try await commands.erase(request.id, by: maker) } == "rights-over")
    let proof = try ErasureProof(try await commands.proof(request.id, for: checker), by: app.vault)
    #expect(proof.reason == "art-17-request" && proof.objects == 2)
    let (trail, word) = try await app.database.read { tx in
      try (AuditStore(tx).lines(of: request.chain), AuditStore(tx).lines(of: "approval-\(request.approval)"))
    }
    #expect(trail.map(\.action) == ["rights.asked", "rights.begun", "rights.finished", "rights.proof_read"])
    // The chains outlive the person, whom no line of them names.
    #expect(word.count == 3 && (trail + word).allSatisfy { !$0.facts.values.contains(Self.person) })
  }

  @Test("what the second person reads goes with the key of the person, who had none before")
  func erasedWords() async throws {
    let request = try await ask()
    let word = try await app.database.read { tx in
      try tx.first("SELECT content FROM casework_approval WHERE id = \(request.approval)")?
        .get("content", as: Data.self)
    }
    let sealed = try #require(word)
    let context = "casework_approval.content:\(request.approval)"
    func read() async throws -> String {
      try await app.database.read { [vault = app.vault] tx in
        try vault.open(sealed, as: String.self, context: context, in: tx)
      }
    }
    #expect(try await read().contains(Self.person))
    try await agree(request)
    _ = try await commands.erase(request.id, by: maker)
    // As a backup still has it.
    await #expect(throws: VaultError.erased) { try await read() }
  }

  @Test("whom the bank calls by the name or the address of a member of staff is another member's to agree to")
  func oneself() async throws {
    let erika = CaseWorker(try await app.member("Erika@example.com", RightsRequest.permission))
    for (name, own, other) in [("checker", checker, erika), ("erika@example.com", erika, checker)] {
      let asked = try await commands.ask(
        .init(.export, of: name, at: Self.place, for: "art-15-request"), by: maker)
      let id = Approval.ID(rawValue: asked.approval)
      #expect(try await app.approvals.pending(for: own).isEmpty, "\(name)")
      await #expect(throws: Problem.approvalOfOneself) {
        try await app.approvals.decide(id, agreeing: true, by: own)
      }
      #expect(try await app.approvals.pending(for: other).map(\.id) == [id], "\(name)")
      _ = try await app.approvals.decide(id, agreeing: true, by: other)
    }
  }

  @Test("an erasure that its flow refused, or that was interrupted, goes on without another word, for a day")
  func interrupted() async throws {
    let request = try await ask()
    try await agree(request)
    flow.refusal.withLock { $0 = Problem(.conflict, "duty-to-keep", "") }
    #expect(try await code { _ = try await commands.erase(request.id, by: maker) } == "duty-to-keep")
    #expect(try await commands.list(for: maker).entries.map(\.request.state) == [.begun])
    // The person's rows go, and with them the approval; the request keeps the id until its proof is kept.
    try await app.database.write { [app] in try app.core.cases.forget(person: Self.person, in: $0) }
    flow.refusal.withLock { $0 = nil }
    #expect(try await commands.erase(request.id, by: maker).request.state == .finished)
    let late = try await ask()
    try await agree(late)
    app.clock.advance(by: Approval.lifetime)
    #expect(try await code { _ = try await commands.erase(late.id, by: maker) } == "rights-over")
    // What was begun and never finished here keeps no id beyond its day.
    let begun = try await ask()
    try await agree(begun)
    flow.refusal.withLock { $0 = Problem(.conflict, "duty-to-keep", "") }
    #expect(try await code { _ = try await commands.erase(begun.id, by: maker) } == "duty-to-keep")
    for (wait, subject) in [(Duration.zero, Self.person), (Approval.lifetime + .seconds(1), nil)] {
      app.clock.advance(by: wait)
      try await app.database.write { [app] tx in
        let before = app.clock.now - Approval.lifetime
        _ = try RightsRequestStore.forgetBegun(before: before, limit: 10, in: tx)
      }
      let kept = try await commands.list(for: maker).entries.first { $0.request.id == begun.id }
      #expect(kept?.request.subject?.id == subject)
    }
    #expect(flow.erased.withLock { $0.count } == 1)
  }

  @Test("whose file may have to be kept is told before anybody agrees, unless the request says that it is known")
  func duty() async throws {
    flow.refusal.withLock { $0 = Problem(.conflict, "duty-to-keep", "") }
    #expect(try await code { _ = try await ask() } == "duty-to-keep")
    #expect(try await app.approvals.pending(for: checker).isEmpty)
    _ = try await ask(despiteDuty: true)
    _ = try await ask(.export)
    #expect(try await app.approvals.pending(for: checker).count == 2)
  }

  @Test("an export is given out after the second person agreed, and the request loses the id with the person")
  func export() async throws {
    let (request, refused) = (try await ask(.export), try await ask(.export))
    try await agree(request)
    try await agree(refused, false)
    var files: [String: String] = [:]
    for _ in 0..<2 {
      try await commands.export(request.id, by: maker) { files[$0] = String(decoding: $1, as: UTF8.self) }
    }
    #expect(files == ["customer.json": "\(Self.person) false"])
    #expect(try await code { try await commands.export(refused.id, by: maker) { _, _ in } } == "approval-required")
    try await app.database.write { [app] in try app.core.cases.forget(person: Self.person, in: $0) }
    #expect(try await commands.list(for: maker).entries.allSatisfy { $0.request.subject == nil })
  }

  @Test("whom the bank calls by another name is sealed, and erased after two words where their money ends too")
  func settled() async throws {
    let order = RightsCommands.NewRequest(
      .erasure, of: "erika@example.com", at: Self.place, for: "art-17-request", money: "payout")
    #expect(try await code { _ = try await commands.ask(order, by: maker) } == "forbidden")
    let teller = CaseWorker(
      try await app.member("teller@bank.example", RightsRequest.permission, .postMoney))
    let cashier = CaseWorker(try await app.member("cashier@bank.example", .init(rawValue: "approve:money")))
    let request = try await commands.ask(order, by: teller)
    let money = try #require(request.money)
    let sealed = try await app.database.read { tx in
      try tx.first("SELECT subject_id, sealed_name FROM casework_rights WHERE id = \(request.id)")
        .map { (try $0.get("subject_id", as: String.self), try $0.get("sealed_name", as: Data.self)) }
    }
    #expect(sealed?.0 == Self.person && sealed.map { $0.1.range(of: Data("erika".utf8)) == nil } == true)
    try await agree(request)
    #expect(try await code { _ = try await commands.erase(request.id, by: teller) } == "approval-required")
    #expect(try await commands.list(for: teller).entries.map(\.request.state) == [.awaiting])
    _ = try await app.approvals.decide(.init(rawValue: money.approval), agreeing: true, by: cashier)
    #expect(try await commands.erase(request.id, by: teller).lines == ["Erased.", "payout"])
    #expect(flow.erased.withLock { $0 } == ["erika@example.com \(teller.actor) false"])
    // Without the word on the money, that on the erasure is not used up.
    let denied = try await commands.ask(order, by: teller)
    try await agree(denied)
    _ = try await app.approvals.decide(
      .init(rawValue: try #require(denied.money).approval), agreeing: false, by: cashier)
    #expect(try await code { _ = try await commands.erase(denied.id, by: teller) } == "approval-required")
    let kept = try await commands.list(for: teller).entries.first { $0.request.id == denied.id }
    #expect(kept?.request.state == .awaiting)
    let unknown = RightsCommands.NewRequest(
      .erasure, of: Self.person, at: Self.place, for: "art-17-request", money: "gift")
    #expect(try await code { _ = try await commands.ask(unknown, by: teller) } == "validation-failed")
  }

  @Test("an erasure that is taken back takes the request about the money with it; without that it is void")
  func takenBack() async throws {
    let order = RightsCommands.NewRequest(
      .erasure, of: Self.person, at: Self.place, for: "art-17-request", money: "payout")
    let teller = CaseWorker(
      try await app.member("teller@bank.example", RightsRequest.permission, .postMoney))
    let cashier = CaseWorker(try await app.member("cashier@bank.example", .init(rawValue: "approve:money")))
    func states(_ request: RightsRequest) async throws -> [RequestedApproval.State?] {
      let entry = try await commands.list(for: teller).entries.first { $0.request.id == request.id }
      return [entry?.approval?.state, entry?.money?.state]
    }
    let request = try await commands.ask(order, by: teller)
    #expect(try await code { try await app.approvals.withdraw(.init(rawValue: request.approval), by: maker) } != nil)
    try await app.approvals.withdraw(.init(rawValue: request.approval), by: teller)
    #expect(try await states(request) == [.withdrawn, .withdrawn])
    #expect(try await code { _ = try await commands.erase(request.id, by: teller) } == "approval-required")
    for worker in [checker, cashier] { #expect(try await app.approvals.pending(for: worker).isEmpty) }

    let other = try await commands.ask(order, by: teller)
    #expect(try await app.approvals.pending(for: checker).map(\.id.rawValue) == [other.approval])
    try await app.approvals.withdraw(.init(rawValue: try #require(other.money).approval), by: teller)
    #expect(try await states(other) == [.pending, .withdrawn])
    #expect(try await app.approvals.pending(for: checker).isEmpty)
    #expect(try await code { try await agree(other) } == "subject-changed")
    #expect(try await app.approvals.own(of: teller).contains { $0.asked.id == other.approval && $0.isOutdated })
    #expect(flow.erased.withLock { $0 }.isEmpty)
  }

  @Test("another desk, a place of another desk, and what is no id or no code find nothing")
  func refused() async throws {
    let request = try await ask()
    let stranger = CaseWorker(try await app.member("x@other.example", RightsRequest.permission, tenant: "other"))
    #expect(try await commands.list(for: stranger).entries.isEmpty)
    #expect(try await code { _ = try await commands.erase(request.id, by: stranger) } == "not-found")
    #expect(try await code { _ = try await commands.proof(request.id, for: stranger) } == "not-found")
    let attempts: [(CaseWorker, String, String, String, String)] = [
      (stranger, Self.person, "parcels", "art-17-request", "not-found"),
      (maker, Self.person, "letters", "art-17-request", "not-found"),
      (maker, "otto@example.com", "parcels", "art-17-request", "not-found"),
      (maker, "erika; flow letters", "parcels", "art-17-request", "validation-failed"),
      (maker, Self.person, "parcels", "Erika Mustermann", "validation-failed"),
    ]
    for (worker, person, flow, reason, expected) in attempts {
      let found = try await code {
        try await commands.ask(
          .init(.erasure, of: person, at: FlowTenant(flow: flow, tenant: "bank"), for: reason), by: worker)
      }
      #expect(found == expected, "\(person) \(flow) \(reason)")
    }
  }
}
