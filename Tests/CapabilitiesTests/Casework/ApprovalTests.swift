// SPDX-License-Identifier: Apache-2.0

import Identity
import Kit
import Storage
import TestSupport
import Testing

@testable import Casework

/// A small flow with one move under four eyes.
private struct Payout: Sendable {
  enum State: String, CaseIterable, SQLConvertible { case held, paid }
  enum Event: String, CaseIterable { case paid }

  static let rule = FourEyes(maker: "attend:video", checker: "decide:aml")
  static let table = TransitionTable<State, Event, Never>([.init(.held, on: .paid, to: .paid).under(rule)])

  var state = State.held
  var version: Int64 = 1
  var amount = "10.00"
}

private struct PayoutMachine: StateMachine {
  typealias State = Payout.State
  typealias Event = Payout.Event
  typealias Effect = Never

  let flow = "payout"
  var table: TransitionTable<State, Event, Effect> { Payout.table }
  var state: WritableKeyPath<Payout, Payout.State> { \.state }

  func save(_ payout: inout Payout, in tx: any SQLTransaction) { payout.version += 1 }
  func auditEntry(for move: Move, of payout: Payout) -> AuditEntry? { nil }
  func boundAct(of event: Payout.Event, on payout: Payout) -> BoundAct? {
    BoundAct("payout.\(event.rawValue)", subject: "p1", version: payout.version, content: payout.amount)
  }
}

@Suite("Casework: four eyes")
struct ApprovalTests {
  private let app: CaseworkTestApp
  private let maker: CaseWorker
  private let checker: CaseWorker

  init() async throws {
    app = try await CaseworkTestApp()
    maker = CaseWorker(try await app.member("maker@bank.example", .attendVideo, .decideAML))
    checker = CaseWorker(try await app.member("checker@bank.example", .decideAML))
  }

  private func ask(_ payout: Payout = Payout()) async throws -> Approval.ID {
    try await app.database.write { [app, maker] tx in
      guard let act = PayoutMachine().boundAct(of: .paid, on: payout) else { throw SQLError.unreadable("no act") }
      let id = try app.core.cases.propose(
        act, under: Payout.rule, tenant: "bank", person: "person-1", by: maker.actor, in: tx)
      return Approval.ID(rawValue: id)
    }
  }

  /// Pays, and tells the state after it.
  private func pay(
    _ payout: Payout = Payout(), with approval: Approval.ID?, by actor: String? = nil
  ) async throws -> Payout.State {
    try await app.database.write { [app, maker] tx in
      var paid = payout
      try app.core.mover.move(
        &paid, on: .paid, of: PayoutMachine(), by: actor ?? maker.actor, approval: approval?.rawValue, in: tx)
      return paid.state
    }
  }

  @Test("a move under four eyes happens with a second person's approval, once")
  func whole() async throws {
    let id = try await ask()
    await #expect(throws: Problem.approvalRequired) { try await pay(with: nil) }
    await #expect(throws: Problem.approvalRequired) { try await pay(with: id) }
    #expect(try await app.approvals.pending(for: checker).map(\.id) == [id])
    #expect(try await app.approvals.decide(id, agreeing: true, by: checker).checker == checker.actor)
    #expect(try await pay(with: id) == .paid)
    // The same word again.
    await #expect(throws: Problem.approvalRequired) { try await pay(with: id) }
    let trail = try await app.database.read { try AuditStore($0).lines(of: "approval-\(id)").map(\.action) }
    #expect(trail == ["approval.asked", "approval.approved", "approval.used"])
  }

  @Test("a member who asks cannot agree, whatever their permissions are, and does not even see it in the list")
  func selfApproval() async throws {
    let id = try await ask()
    await #expect(throws: Problem.ownApproval) { try await app.approvals.decide(id, agreeing: true, by: maker) }
    #expect(try await app.approvals.pending(for: maker).isEmpty)
    await #expect(throws: Problem.approvalRequired) { try await pay(with: id) }
  }

  @Test(
    "a member of staff does not agree to what was asked for under their name at the machine or by a program",
    arguments: ["checker", "Checker", "checkerbank.example", ""], ["operator:", "client:house/agent:"])
  func sameName(name: String, asker: String) async throws {
    let member = try #require(checker.member)
    let id = try await app.database.write { [app] tx in
      Approval.ID(
        rawValue: try app.core.cases.propose(
          BoundAct("payout.paid", subject: "p1", version: 1), under: Payout.rule, tenant: "bank", person: "person-1",
          by: "\(asker)\(name.isEmpty ? member.id.rawValue : name)", in: tx))
    }
    let colleague = CaseWorker(try await app.member("colleague@bank.example", .decideAML))
    await #expect(throws: Problem.ownApproval) { try await app.approvals.decide(id, agreeing: true, by: checker) }
    #expect(try await app.approvals.pending(for: checker).isEmpty)
    #expect(try await app.approvals.decide(id, agreeing: true, by: colleague).checker == colleague.actor)
  }

  @Test("who lacks the checker's permission, another institution and a machine's user do not agree")
  func strangers() async throws {
    let id = try await ask()
    let agent = try await app.agent()
    let stranger = CaseWorker(try await app.member("x@other.example", .decideAML, tenant: "other"))
    for worker in [agent, stranger, CaseWorker(operator: "operator:root", at: "bank")] {
      await #expect(throws: Problem.self) { try await app.approvals.decide(id, agreeing: true, by: worker) }
      #expect(try await app.approvals.pending(for: worker).isEmpty)
    }
  }

  @Test("an approval counts while the member who gave it is an active member of staff with the permission")
  func standing() async throws {
    let (id, member) = (try await ask(), try #require(checker.member?.id))
    _ = try await app.approvals.decide(id, agreeing: true, by: checker)
    try await app.database.write { [app] tx in try app.staff.setActive(false, of: member, by: "operator", in: tx) }
    await #expect(throws: Problem.approvalRequired) { try await pay(with: id) }
    try await app.database.write { [app] tx in
      try app.staff.setActive(true, of: member, by: "operator", in: tx)
      try app.staff.setPermissions([.attendVideo], of: member, by: "operator", in: tx)
    }
    await #expect(throws: Problem.approvalRequired) { try await pay(with: id) }
    try await app.database.write { [app] tx in
      try app.staff.setPermissions([.decideAML], of: member, by: "operator", in: tx)
    }
    #expect(try await pay(with: id) == .paid)
  }

  @Test("a member of staff agrees to nothing about themselves: as a member, as the person, as a customer")
  func concerned() async throws {
    let member = try #require(checker.member)
    let colleague = CaseWorker(try await app.member("colleague@bank.example", .decideAML))
    // As a customer they have a case, with the address that they sign in with.
    try await app.open(CaseworkTestApp.work("s1") { $0.email = "Checker@bank.example" })
    let asked = [
      (BoundAct("staff.suspended", subject: member.id.rawValue, version: 1), "person-1"),
      (BoundAct("staff.suspended", subject: member.actor, version: 1), "person-1"),
      (BoundAct("payout.paid", subject: "p1", version: 1), member.id.rawValue),
      (BoundAct("payout.paid", subject: "p1", version: 1), "person-s1"),
    ]
    for (act, person) in asked {
      let id = try await app.database.write { [app, maker] tx in
        Approval.ID(
          rawValue: try app.core.cases.propose(
            act, under: Payout.rule, tenant: "bank", person: person, by: maker.actor, in: tx))
      }
      #expect(try await app.approvals.pending(for: checker).isEmpty, "\(act.action) \(person)")
      await #expect(throws: Problem.approvalOfOneself) {
        try await app.approvals.decide(id, agreeing: true, by: checker)
      }
      #expect(try await app.approvals.pending(for: colleague).map(\.id) == [id])
      #expect(try await app.approvals.decide(id, agreeing: true, by: colleague).checker == colleague.actor)
    }
  }

  @Test("changed content, a later version and another maker are another act")
  func bound() async throws {
    let id = try await ask()
    _ = try await app.approvals.decide(id, agreeing: true, by: checker)
    var dearer = Payout()
    dearer.amount = "1000.00"
    await #expect(throws: Problem.approvalRequired) { try await pay(dearer, with: id) }
    var later = Payout()
    later.version = 2
    await #expect(throws: Problem.approvalRequired) { try await pay(later, with: id) }
    await #expect(throws: Problem.approvalRequired) { try await pay(with: id, by: checker.actor) }
    // What was refused has not used it up.
    #expect(try await pay(with: id) == .paid)
  }

  @Test("a refusal stands, a request taken back is over, and an approval expires")
  func endings() async throws {
    let refused = try await ask()
    _ = try await app.approvals.decide(refused, agreeing: false, by: checker)
    await #expect(throws: Problem.approvalDecided) {
      try await app.approvals.decide(refused, agreeing: true, by: checker)
    }
    await #expect(throws: Problem.approvalRequired) { try await pay(with: refused) }
    let withdrawn = try await ask()
    await #expect(throws: Problem.notFound) { try await app.approvals.withdraw(withdrawn, by: checker) }
    try await app.approvals.withdraw(withdrawn, by: maker)
    await #expect(throws: Problem.approvalDecided) {
      try await app.approvals.decide(withdrawn, agreeing: true, by: checker)
    }
    let (given, waiting) = (try await ask(), try await ask())
    _ = try await app.approvals.decide(given, agreeing: true, by: checker)
    app.clock.advance(by: Approval.lifetime)
    await #expect(throws: Problem.approvalExpired) {
      try await app.approvals.decide(waiting, agreeing: true, by: checker)
    }
    await #expect(throws: Problem.approvalRequired) { try await pay(with: given) }
  }

  @Test("who asked takes a request back, also an approved one; it is audited, and asked for anew it is another one")
  func takenBack() async throws {
    func request() async throws -> RequestedApproval {
      try await app.database.write { [app, maker] tx in
        guard let act = PayoutMachine().boundAct(of: .paid, on: Payout()) else { throw SQLError.unreadable("no act") }
        return try app.core.cases.request(
          act, under: Payout.rule, about: nil, tenant: "bank", person: "person-1", by: maker.actor, naming: nil, in: tx)
      }
    }
    let first = try await request()
    let id = Approval.ID(rawValue: first.id)
    #expect(try await request().id == first.id)
    #expect(try await app.approvals.withdraw(id, by: maker).state == .withdrawn)
    await #expect(throws: Problem.approvalDecided) { try await app.approvals.withdraw(id, by: maker) }
    #expect(try await app.approvals.pending(for: checker).isEmpty)
    #expect(try await app.approvals.own(of: maker).map(\.asked.state) == [.withdrawn])
    let second = try await request()
    #expect(second.id != first.id && second.isNew)
    let again = Approval.ID(rawValue: second.id)
    _ = try await app.approvals.decide(again, agreeing: true, by: checker)
    _ = try await app.approvals.withdraw(again, by: maker)
    await #expect(throws: Problem.approvalRequired) { try await pay(with: again) }
    let named = await #expect(throws: Problem.self) {
      try await app.database.write { [app, maker] tx in
        guard let act = PayoutMachine().boundAct(of: .paid, on: Payout()) else { throw SQLError.unreadable("no act") }
        _ = try app.core.cases.request(
          act, under: Payout.rule, about: nil, tenant: "bank", person: "person-1", by: maker.actor,
          naming: second.id, in: tx)
      }
    }
    #expect(named == .approvalWithdrawn)
    // A refusal stands, whatever was taken back after it.
    app.clock.advance(by: .seconds(1))
    let third = try await request()
    _ = try await app.approvals.decide(.init(rawValue: third.id), agreeing: false, by: checker)
    let refusal = await #expect(throws: Problem.self) { _ = try await request() }
    #expect(refusal?.code == "approval-refused")
    let lines = try await app.database.read { try AuditStore($0).lines(of: "approval-\(again)") }
    #expect(lines.map(\.action) == ["approval.asked", "approval.approved", "approval.withdrawn"])
    #expect(lines.last?.actor == maker.actor)
  }

  @Test("what was carried out, and what is too old, is not taken back")
  func tooLate() async throws {
    let (paid, old) = (try await ask(), try await ask())
    _ = try await app.approvals.decide(paid, agreeing: true, by: checker)
    #expect(try await pay(with: paid) == .paid)
    await #expect(throws: Problem.approvalDecided) { try await app.approvals.withdraw(paid, by: maker) }
    app.clock.advance(by: Approval.lifetime)
    await #expect(throws: Problem.approvalExpired) { try await app.approvals.withdraw(old, by: maker) }
  }

  @Test("without a service of approvals a move under four eyes is refused")
  func closed() async throws {
    let mover = Mover(audit: app.core.audit, moves: .uncounted)
    await #expect(throws: Problem.approvalRequired) {
      try await app.database.write { [maker] tx in
        var payout = Payout()
        try mover.move(&payout, on: .paid, of: PayoutMachine(), by: maker.actor, approval: "any", in: tx)
      }
    }
  }
}
