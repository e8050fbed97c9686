// SPDX-License-Identifier: Apache-2.0

import Identity
import Kit
import Storage

/// Approvals by a second person (four eyes): a maker asks for one, another person with the permission gives it, and the
/// maker uses it once, for exactly the act that was shown.
package struct Approvals: Sendable {
  package static let pageMax = 100
  /// Pages that are read to fill one that is shown: approvals whose subject has changed stay until they expire, and are
  /// left out.
  static let pagesMax = 10

  let caseService: CaseService
  private let subjects: SubjectVersions
  private var vault: Vault { caseService.vault }

  package init(caseService: CaseService, subjects: SubjectVersions = .none) {
    (self.caseService, self.subjects) = (caseService, subjects)
  }

  func propose(
    _ act: BoundAct, under rule: FourEyes, tenant: String, person: String, by maker: String, in tx: any SQLTransaction
  ) throws -> Approval {
    let now = caseService.world.now()
    let approval = Approval(
      id: .init(caseService.world), desk: caseService.policy.desk(of: tenant), act: act, digest: digest(act),
      person: person,
      maker: maker, rule: rule, state: .pending, checker: nil, askedAt: now, expiresAt: now + Approval.lifetime,
      version: 1)
    try ApprovalStore(tx, vault: vault).insert(approval)
    try caseService.audit.append("approval.asked", to: approval.chain, by: maker, facts: approval.facts, in: tx)
    return approval
  }

  /// Approvals on which this person may decide, the longest waiting first: never those that they asked for, or that are
  /// about themselves, or whose subject changed since, so that an approval would have no effect.
  package func pending(for worker: CaseWorker, in tx: any SQLTransaction) throws -> [Approval] {
    let permissions = worker.member?.permissions.map(\.rawValue).sorted() ?? []
    let (store, now) = (ApprovalStore(tx, vault: vault), caseService.world.now())
    var (found, next): ([Approval], ApprovalStore.Cursor?) = ([], .init())
    // A page may consist of approvals that are left out, so the next ones are read too.
    for _ in 0..<Self.pagesMax {
      guard let start = next, found.count < Self.pageMax else { break }
      let page = try store.pending(
        at: worker.desk, for: permissions, besides: worker.actor, now: now, after: start, limit: Self.pageMax)
      let own = try themselves(worker, among: page.approvals, in: tx)
      found += try page.approvals.filter {
        try !Self.isMaker(worker, of: $0) && !own.contains($0.id) && !isOutdated($0, in: tx)
      }
      next = page.next
    }
    return Array(found.prefix(Self.pageMax))
  }

  /// Whether a decision on a case waits for the approval of this person.
  func waits(about item: Case, for worker: CaseWorker, in tx: any SQLTransaction) throws -> Bool {
    guard let permissions = worker.member?.permissions else { return false }
    return try checkers(about: item, besides: worker.actor, in: tx).contains(where: permissions.contains)
  }

  /// The same for an actor as audit lines name it. Nothing waits for actors who are not members of staff.
  func waits(about item: Case, for actor: String, in tx: any SQLTransaction) throws -> Bool {
    let permissions = StaffPermissions(tx)
    return try checkers(about: item, besides: actor, in: tx).contains {
      try permissions.may(actor, $0, at: item.desk, locking: false)
    }
  }

  /// The permissions of those whose approval decisions on a case wait for.
  private func checkers(
    about item: Case, besides maker: String, in tx: any SQLTransaction
  ) throws -> [StaffPermission] {
    try ApprovalStore(tx, vault: vault).checkers(
      about: item.subject, of: item.person, besides: maker, now: caseService.world.now())
  }

  /// What this person asked for lately, the newest first, and what became of it.
  package func own(of worker: CaseWorker, in tx: any SQLTransaction) throws -> [OwnApproval] {
    let (now, store) = (caseService.world.now(), ApprovalStore(tx, vault: vault))
    return try store.asked(by: worker.actor, since: now - OwnApproval.period, limit: Self.pageMax).map { approval in
      let asked = approval.asked(at: now, isVoid: try isVoid(approval, in: tx))
      let own = OwnApproval(asked: asked, isOutdated: false)
      return OwnApproval(asked: asked, isOutdated: try own.isOpen && isOutdated(approval, in: tx))
    }
  }

  /// Agrees or refuses, once.
  /// - Throws: `Problem` not-found; forbidden `own-approval` for the member who asked and for the one whom it is about,
  ///   and without the permission that the rule names; conflict `approval-decided`, `approval-expired`, and
  ///   `subject-changed` for an agreement to what cannot be done any more as it was asked for.
  package func decide(
    _ id: Approval.ID, agreeing: Bool, by worker: CaseWorker, in tx: any SQLTransaction
  ) throws -> Approval {
    guard var approval = try ApprovalStore(tx, vault: vault).find(id), approval.desk == worker.desk else {
      throw Problem.notFound
    }
    guard approval.maker != worker.actor, !Self.isMaker(worker, of: approval) else { throw Problem.ownApproval }
    guard try themselves(worker, among: [approval], in: tx).isEmpty else { throw Problem.approvalOfOneself }
    guard may(worker, check: approval) else {
      throw Problem(.forbidden, "forbidden", "Your account does not have the permission for this.")
    }
    guard approval.expiresAt > caseService.world.now() else { throw Problem.approvalExpired }
    if agreeing, approval.state == .pending, try isOutdated(approval, in: tx) {
      throw Problem.approvalOutdated
    }
    try move(&approval, on: agreeing ? .approved : .refused, by: worker.actor, in: tx)
    return approval
  }

  /// Whether it cannot be carried out as it was asked for: its subject changed since, or, of the erasure of a person
  /// who has money, the request about the money is over or outdated.
  private func isOutdated(_ approval: Approval, in tx: any SQLTransaction) throws -> Bool {
    if try subjects.isOutdated(approval.act, in: tx) { return true }
    guard approval.act.action.hasPrefix(RightsRequest.actPrefix),
      let money = try RightsRequestStore(tx, vault: vault).find(approval: approval.id)?.money
    else { return false }
    guard let other = try find(.init(rawValue: money.approval), in: tx) else { return true }
    switch other.asked(at: caseService.world.now()).state {
    case .pending, .approved: return try subjects.isOutdated(other.act, in: tx)
    case .used: return false
    case .refused, .withdrawn, .expired: return true
    }
  }

  func find(_ id: Approval.ID, in tx: any SQLTransaction) throws -> Approval? {
    try ApprovalStore(tx, vault: vault).find(id)
  }

  /// The word of a program of the institution, whose credentials and tenant the caller has proved.
  /// - Throws: as `CaseRepository.decide`.
  func decide(
    _ id: Approval.ID, agreeing: Bool, by checker: String, holding permission: StaffPermission,
    in tx: any SQLTransaction
  ) throws -> Approval {
    guard var approval = try find(id, in: tx) else { throw Problem.notFound }
    guard approval.maker != checker else { throw Problem.ownApproval }
    guard approval.checkerPermission == permission else {
      throw Problem(.forbidden, "forbidden", "This client may not agree to this.")
    }
    guard approval.expiresAt > caseService.world.now() else { throw Problem.approvalExpired }
    try move(&approval, on: agreeing ? .approved : .refused, by: checker, in: tx)
    return approval
  }

  /// Takes a request back, also one that was agreed to and not carried out; only its maker does. What it is about stays
  /// as it is. With a request for the erasure of a person goes the one about their money, which has no other use.
  /// - Throws: `Problem` not-found, also for everybody else; conflict `approval-decided` after it was refused, used or
  ///   taken back, and `approval-expired`.
  func withdraw(_ id: Approval.ID, by maker: String, in tx: any SQLTransaction) throws -> Approval {
    let (store, now) = (ApprovalStore(tx, vault: vault), caseService.world.now())
    guard var approval = try store.find(id), approval.maker == maker else { throw Problem.notFound }
    if approvalFlow.allows(.withdrawn, from: approval.state), approval.expiresAt <= now {
      throw Problem.approvalExpired
    }
    try move(&approval, on: .withdrawn, by: maker, in: tx)
    if let money = try RightsRequestStore(tx, vault: vault).find(approval: id)?.money,
      var other = try store.find(.init(rawValue: money.approval)), other.maker == maker,
      approvalFlow.allows(.withdrawn, from: other.state)
    {
      try move(&other, on: .withdrawn, by: maker, in: tx)
    }
    return approval
  }

  /// The approver is checked again: the approval of a member who was suspended since, or lost the permission, is void.
  /// - Throws: `Problem` approval-required.
  func spend(
    _ approval: String?, on act: BoundAct, under rule: FourEyes, by actor: String, in tx: any SQLTransaction
  ) throws {
    guard let approval, var given = try ApprovalStore(tx, vault: vault).find(.init(rawValue: approval)),
      given.maker == actor, let checker = given.checker, checker != actor, !given.isAbout(checker), given.rule == rule,
      given.expiresAt > caseService.world.now(), given.act == act, given.digest == digest(act),
      try stands(checker, given, in: tx)
    else { throw Problem.approvalRequired }
    try move(&given, on: .used, by: actor, in: tx)
  }

  /// Whether it was agreed to by somebody who may not agree any more, as far as is shown: `spend` looks again.
  func isVoid(_ approval: Approval, in tx: any SQLTransaction) throws -> Bool {
    guard approval.state == .approved, let checker = approval.checker else { return false }
    return try !stands(checker, approval, locking: false, in: tx)
  }

  private func stands(
    _ checker: String, _ given: Approval, locking: Bool = true, in tx: any SQLTransaction
  ) throws -> Bool {
    try StaffPermissions(tx).may(checker, given.checkerPermission, at: given.desk, locking: locking)
      || ServiceClientPermissions(tx).may(checker, given.checkerPermission, locking: locking)
  }

  /// A permission is a member's: who runs commands on the machine is no second person.
  private func may(_ worker: CaseWorker, check approval: Approval) -> Bool {
    worker.member?.permissions.contains(approval.checkerPermission) ?? false
  }

  /// Whether the machine's user who asked, or the agent for whom a program of the institution asked, has the name of
  /// this member. One person under two other names is not known.
  private static func isMaker(_ worker: CaseWorker, of approval: Approval) -> Bool {
    guard let member = worker.member else { return false }
    let maker = approval.maker
    if maker.hasPrefix("operator:") { return isCalled(String(maker.dropFirst("operator:".count)), member) }
    return maker.firstRange(of: "/agent:").map { isCalled(String(maker[$0.upperBound...]), member) } ?? false
  }

  private static func isCalled(_ name: String, _ member: StaffMember) -> Bool {
    StaffNames(email: member.email, id: member.id.rawValue).contains(name)
  }

  /// Which of some approvals are about this member of staff: as a member; as a customer, by the e-mail address that
  /// flows tell with cases; or as the user of a bank, by the name in a request for an export or an erasure. That name is
  /// all that Wultra and Salt Edge know of a person.
  private func themselves(
    _ worker: CaseWorker, among approvals: [Approval], in tx: any SQLTransaction
  ) throws -> Set<Approval.ID> {
    var own = Set(approvals.filter { $0.isAbout(worker.actor) }.map(\.id))
    guard let member = worker.member else { return own }
    let persons = try CaseStore(tx).persons(approvals.map(\.person), ownedBy: caseService.owner(member.email))
    own.formUnion(approvals.filter { persons.contains($0.person) }.map(\.id))
    let names = try RightsRequestStore(tx, vault: vault).names(ofApprovals: approvals.map(\.id))
    return own.union(names.filter { Self.isCalled($0.value, member) }.keys)
  }

  private func move(
    _ approval: inout Approval, on event: ApprovalEvent, by actor: String, in tx: any SQLTransaction
  ) throws {
    try caseService.mover.move(&approval, on: event, of: ApprovalMachine(vault: vault, actor: actor), by: actor, in: tx)
  }

  /// Of every part with its length, so that no two acts have one text.
  func digest(_ act: BoundAct) -> String {
    let parts = [act.action, act.subject, "\(act.version)", act.content]
    return vault.digest(parts.map { "\($0.utf8.count):\($0)" }.joined(), for: "approval")
  }
}
