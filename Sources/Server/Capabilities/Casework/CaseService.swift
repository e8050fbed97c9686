// SPDX-License-Identifier: Apache-2.0

import Foundation
import Kit
import Storage

/// Keeps a case for whatever waits for a person, in the transactions in which flows move.
package struct CaseService: CaseRepository {
  let world: World
  let vault: Vault
  package let policy: CaseworkPolicy
  let audit: Audit
  let mover: Mover
  let events: LiveEvents
  /// The version of the program, which receipts name.
  let program: String

  package init(
    database: any SQLDatabase, world: World, vault: Vault, policy: CaseworkPolicy, program: String,
    moves: FlowMoves = .uncounted
  ) {
    (self.world, self.vault, self.policy, self.program) = (world, vault, policy, program)
    audit = Audit(world: world, vault: vault)
    mover = Mover(audit: audit, moves: moves)
    events = LiveEvents(database: database, world: world)
  }

  package var now: Instant { world.now() }

  /// The topic on which the changes at a desk are published: the event of the case, with its id.
  package static func topic(of desk: String) -> String { "cases-\(desk)" }

  package func open(
    _ work: AwaitedWork, formerly former: AwaitedWork?, by actor: String, in tx: any SQLTransaction
  ) throws {
    let kind = CaseKind(rawValue: work.kind)
    var item: Case
    if let known = try CaseStore(tx).find(subject: work.subject, kind: kind) {
      item = known
      if known.state.isClosed {
        try move(&item, on: .reopened, by: actor, in: tx) { $0.renewed = fresh(work, kind) }
      } else {
        try update(&item, to: work, in: tx)
      }
    } else {
      item = fresh(work, kind)
      try CaseStore(tx).insert(item)
      try audit.append(
        "case.opened", to: item.chain, by: actor, facts: ["kind": work.kind, "subject": work.subject], in: tx)
      try tell("opened", item, in: tx)
    }
    try hold(&item, as: work.holder, formerly: former?.holder, by: actor, in: tx)
  }

  package func conclude(
    _ work: AwaitedWork, outcome: String, on basis: DecisionBasis, by actor: String, in tx: any SQLTransaction
  ) throws {
    guard var item = try waiting(work, in: tx) else { return }
    let isDecision = actor == work.holder || Self.isStaff(actor)
    let name = actor == work.holder ? Self.staffName(actor) : actor
    if isDecision, let holder = item.holder, holder != name { throw Problem.caseHeld }
    try move(&item, on: isDecision ? .decided : .withdrawn, by: name, in: tx) { $0.code = outcome }
    guard isDecision else { return }
    try keepReceipt(
      of: item, outcome: outcome, basis: basis, chain: work.chain ?? work.person, by: name, in: tx)
  }

  package func requireFree(_ work: AwaitedWork, for actor: String, in tx: any SQLTransaction) throws {
    guard let holder = try waiting(work, in: tx)?.holder, holder != actor else { return }
    throw Problem.caseHeld
  }

  package func take(_ work: AwaitedWork, in tx: any SQLTransaction) throws {
    if let item = try waiting(work, in: tx) { try CaseStore(tx).take(item) }
  }

  private func waiting(_ work: AwaitedWork, in tx: any SQLTransaction) throws -> Case? {
    let item = try CaseStore(tx).find(subject: work.subject, kind: CaseKind(rawValue: work.kind))
    return item.flatMap { $0.state.isClosed ? nil : $0 }
  }

  package func look(at subject: String, by actor: String, in tx: any SQLTransaction) throws -> String? {
    let all = try CaseStore(tx).all(subject: subject)
    let open = all.filter { !$0.state.isClosed }
    guard let item = open.first(where: { $0.holder == actor }) ?? open.first ?? all.first else { return nil }
    let isAsked = try Approvals(caseService: self).waits(about: item, for: actor, in: tx)
    return CaseAccess(item, by: actor, isAsked: isAsked).rawValue
  }

  package func forget(person: String, in tx: any SQLTransaction) throws {
    try CaseStore(tx).deleteAll(of: person)
    try ApprovalStore(tx, vault: vault).deleteAll(of: person)
    try RightsRequestStore(tx, vault: vault).forget(person)
  }

  package func propose(
    _ act: BoundAct, under rule: FourEyes, tenant: String, person: String, by maker: String, in tx: any SQLTransaction
  ) throws -> String {
    try Approvals(caseService: self).propose(act, under: rule, tenant: tenant, person: person, by: maker, in: tx).id
      .rawValue
  }

  package func spend(
    _ approval: String?, on act: BoundAct, under rule: FourEyes, by actor: String, in tx: any SQLTransaction
  ) throws {
    try Approvals(caseService: self).spend(approval, on: act, under: rule, by: actor, in: tx)
  }

  package func asked(_ approval: String, in tx: any SQLTransaction) throws -> RequestedApproval? {
    do {
      return try Approvals(caseService: self).find(.init(rawValue: approval), in: tx)?.asked(at: world.now())
    } catch VaultError.erased {
      // What was asked for cannot be read any more: it went with the key of the person.
      return nil
    }
  }

  package func asked(about subject: String, of person: String, in tx: any SQLTransaction) throws -> [RequestedApproval]
  {
    let now = world.now()
    return try shown(ApprovalStore(tx, vault: vault).open(about: subject, of: person, now: now), at: now, in: tx)
  }

  package func asked(
    for act: BoundAct, of person: String, by maker: String, in tx: any SQLTransaction
  ) throws -> [RequestedApproval] {
    let digest = Approvals(caseService: self).digest(act)
    let found = try ApprovalStore(tx, vault: vault).all(digest: digest, of: person, by: maker)
    return try shown(found.filter { $0.act == act }, at: world.now(), in: tx)
  }

  package func askedCounts(
    about subject: String, of person: String, in tx: any SQLTransaction
  ) throws -> (inForce: Int, takenBack: Int) {
    try ApprovalStore(tx, vault: vault).counts(
      about: subject, of: person, since: world.now() - RequestedApproval.countedTime)
  }

  private func shown(
    _ found: [Approval], at now: Instant, in tx: any SQLTransaction
  ) throws -> [RequestedApproval] {
    let approvals = Approvals(caseService: self)
    return try found.map { $0.asked(at: now, isVoid: try approvals.isVoid($0, in: tx)) }
  }

  package func decide(
    _ approval: String, agreeing: Bool, by checker: String, holding permission: String, in tx: any SQLTransaction
  ) throws -> RequestedApproval {
    try Approvals(caseService: self).decide(
      .init(rawValue: approval), agreeing: agreeing, by: checker, holding: .init(rawValue: permission), in: tx
    ).asked(at: world.now())
  }

  package func withdraw(_ approval: String, by maker: String, in tx: any SQLTransaction) throws -> RequestedApproval {
    try Approvals(caseService: self).withdraw(.init(rawValue: approval), by: maker, in: tx).asked(at: world.now())
  }

  /// A keyed digest under which a member of staff is found to be the person of a case.
  func owner(_ email: String) -> String { vault.digest(email.lowercased(), for: "case owner") }

  /// Moves a case and tells the desk.
  func move(
    _ item: inout Case, on event: CaseEvent, by actor: String, in tx: any SQLTransaction,
    _ with: (inout CaseMachine) -> Void = { _ in }
  ) throws {
    var machine = CaseMachine(world: world, actor: actor)
    with(&machine)
    try mover.move(&item, on: event, of: machine, by: actor, in: tx)
    try tell(event.rawValue, item, in: tx)
  }

  private func tell(_ event: String, _ item: Case, in tx: any SQLTransaction) throws {
    try events.publish(event, payload: Data("{\"case\":\"\(item.id)\"}".utf8), to: Self.topic(of: item.desk), in: tx)
  }

  private func fresh(_ work: AwaitedWork, _ kind: CaseKind) -> Case {
    let now = world.now()
    return Case(
      id: .init(world), desk: policy.desk(of: work.tenant), tenant: work.tenant, kind: kind, subject: work.subject,
      person: work.person, owner: work.email.map(owner), state: .open, holder: nil,
      bookedWith: work.bookedWith.map(Self.staffName), risk: min(max(work.risk, 0), 100), reasons: work.reasons,
      openedAt: now, dueAt: work.dueAt ?? policy.dueAt(kind, openedAt: now), closedAt: nil, outcome: nil,
      decidedBy: nil, version: 1)
  }

  /// Brings what the queue sorts by up to date; who holds it keeps it.
  private func update(_ item: inout Case, to work: AwaitedWork, in tx: any SQLTransaction) throws {
    var updated = item
    (updated.risk, updated.reasons) = (min(max(work.risk, 0), 100), work.reasons)
    updated.dueAt = work.dueAt ?? item.dueAt
    // A call that its agent put back stays so until it is booked anew.
    if item.bookedWith != Case.handedBack || updated.dueAt != item.dueAt || work.bookedWith == nil {
      updated.bookedWith = work.bookedWith.map(Self.staffName)
    }
    guard updated != item else { return }
    try CaseStore(tx).save(updated)
    updated.version += 1
    item = updated
    try tell("changed", item, in: tx)
  }

  /// Follows a flow that knows by itself who has the work in hand.
  private func hold(
    _ item: inout Case, as given: String?, formerly former: String?, by actor: String, in tx: any SQLTransaction
  ) throws {
    let (holder, earlier) = (given.map(Self.staffName), former.map(Self.staffName))
    guard holder != item.holder else { return }
    // The flow moved nothing: what was decided at the desk stands.
    if holder == earlier, item.holder != nil { return }
    switch (holder, item.holder) {
    case (let holder?, nil): try move(&item, on: .claimed, by: holder, in: tx) { $0.holder = holder }
    case (let holder?, let present?):
      guard present == earlier else { throw Problem.caseHeld }
      let giver = Self.isStaff(actor) ? actor : holder
      try move(&item, on: .handedOver, by: giver, in: tx) { $0.holder = holder }
    case (nil, let present?) where present == earlier:
      try move(&item, on: .released, by: Self.isStaff(actor) ? actor : present, in: tx)
    default: break
    }
  }

  /// Flows name colleagues by their ids, the audit log as `agent:<id>`.
  private static func staffName(_ name: String) -> String { name.contains(":") ? name : "agent:\(name)" }

  private static func isStaff(_ actor: String) -> Bool {
    ["agent:", "client:", "operator:"].contains { actor.hasPrefix($0) }
  }
}
