// SPDX-License-Identifier: Apache-2.0

import Storage

/// What a person of the institution has to do about a subject, as the flow that owns the subject tells it.
package struct AwaitedWork: Sendable, Equatable {
  /// A stable raw value, `flow-what`.
  package let kind: String
  /// As the flow names it.
  package let tenant: String
  /// The id of what waits.
  package let subject: String
  /// The id of the `KeySubject` whose key seals what staff write about it, and with whom it is erased.
  package let person: String
  /// E-mail address of the person, so that members of staff do not work on their own cases. Only its keyed digest is
  /// kept.
  package var email: String?
  /// 0 to 100.
  package var risk = 0
  /// Codes of what makes the risk, never personal data.
  package var reasons: [String] = []
  /// Until when it has to be done; nil leaves it to the policy of the kind.
  package var dueAt: Instant?
  /// How the audit names the flow's story of the subject; nil is the person's id.
  package var chain: String?
  /// Whose call is booked at `dueAt`; nil for what is no booked call.
  package var bookedWith: String?
  /// Who has it in hand by the flow's own rules; nil where the flow knows of none.
  package var holder: String?

  package init(_ kind: String, tenant: String, subject: String, person: String) {
    (self.kind, self.tenant, self.subject, self.person) = (kind, tenant, subject, person)
  }
}

/// Where flows tell what waits for a person, and where they ask whether a second person agreed. Flows know nothing else
/// of the desk on which people work. Every function belongs to the caller's transaction.
package protocol CaseRepository: Sendable {
  /// Opens the case of a subject that waits from now on, and brings one that is open up to date.
  /// - Parameters:
  ///   - former: what waited until now under the same kind; nil when nothing did.
  ///   - actor: who caused it, as in the audit log.
  /// - Throws: `Problem` conflict `case-held` when the flow gives it to one person while another one claimed it.
  func open(_ work: AwaitedWork, formerly former: AwaitedWork?, by actor: String, in tx: any SQLTransaction) throws

  /// Closes the case of a subject that waits no longer; without an open case it does nothing.
  /// - Parameters:
  ///   - outcome: a code of how it ended, such as the event of the move.
  ///   - basis: what a decision rests on; it stands in the receipt.
  /// - Throws: `Problem` conflict `case-held` when a member of staff decides what a colleague has in hand.
  func conclude(
    _ work: AwaitedWork, outcome: String, on basis: DecisionBasis, by actor: String, in tx: any SQLTransaction) throws

  /// Lets only who could decide ask a second person.
  /// - Throws: `Problem` conflict `case-held` when a colleague has the case in hand.
  func requireFree(_ work: AwaitedWork, for actor: String, in tx: any SQLTransaction) throws

  /// Lets one transaction at a time ask a second person: the later of two that ask at once runs again and finds what
  /// the first one asked for. For new requests only: a move locks its subject first and then the case, and the other
  /// order would make the two wait for each other.
  /// - Throws: `SQLError.outdated`.
  func take(_ work: AwaitedWork, in tx: any SQLTransaction) throws

  /// Why somebody may look at what waits, or waited, for the audit: a code of how they stand to its case.
  /// - Parameter actor: as in the audit log.
  /// - Returns: nil where no case of it is kept.
  func look(at subject: String, by actor: String, in tx: any SQLTransaction) throws -> String?

  /// Deletes what is kept of the cases of a person, with the transaction that erases the person.
  func forget(person: String, in tx: any SQLTransaction) throws

  /// Asks for a second person's approval of an act. The caller has proved that the maker may ask.
  /// - Parameters:
  ///   - tenant: of the flow.
  ///   - person: the id of the key subject whom it is about; their key seals the content. Of an act on a member of
  ///     staff it, or the act's subject, is the member's id: a member agrees to nothing about themselves.
  ///   - maker: who asks and will act, as in the audit log.
  /// - Returns: the id of the approval, which is to be given with the act.
  func propose(
    _ act: BoundAct, under rule: FourEyes, tenant: String, person: String, by maker: String, in tx: any SQLTransaction
  ) throws -> String

  /// Uses up the approval of an act.
  /// - Throws: `Problem` forbidden `approval-required` without one that a second person gave to exactly this act, in
  ///   this version, for this maker, and that was not used before; also when that person is no active member of staff
  ///   with the permission any more.
  func spend(
    _ approval: String?, on act: BoundAct, under rule: FourEyes, by actor: String, in tx: any SQLTransaction) throws

  /// What became of a request for a second person's word; nil for one that is not there.
  func asked(_ approval: String, in tx: any SQLTransaction) throws -> RequestedApproval?

  /// What was asked for about a subject and waits, or was agreed to and not carried out; the newest first, at most
  /// `RequestedApproval.listMax`. Approved by somebody who may not agree any more counts as expired.
  /// - Parameter person: as it was given to `propose`.
  func asked(about subject: String, of person: String, in tx: any SQLTransaction) throws -> [RequestedApproval]

  /// A maker's requests for exactly one act, but for those that were taken back; the newest first, at most
  /// `RequestedApproval.listMax`, however much was asked for about the subject since.
  /// - Parameter person: as it was given to `propose`.
  func asked(
    for act: BoundAct, of person: String, by maker: String, in tx: any SQLTransaction
  ) throws -> [RequestedApproval]

  /// How many requests about a subject there were within `RequestedApproval.countedTime`.
  /// - Parameter person: as it was given to `propose`.
  /// - Returns: those that are in force, and those that were taken back.
  func askedCounts(
    about subject: String, of person: String, in tx: any SQLTransaction
  ) throws -> (inForce: Int, takenBack: Int)

  /// The word of another program of the institution in the place of a second person. The caller has proved the program,
  /// and that the request belongs to its tenant.
  /// - Parameters:
  ///   - checker: the program, as in the audit log.
  ///   - permission: what it may agree to.
  /// - Returns: the request as it stands now.
  /// - Throws: `Problem` not-found; forbidden `own-approval` for the member who asked, and for another permission than
  ///   the rule's; conflict `approval-decided`, `approval-expired`.
  func decide(
    _ approval: String, agreeing: Bool, by checker: String, holding permission: String, in tx: any SQLTransaction
  ) throws -> RequestedApproval

  /// Takes a request back, also one that was agreed to and not carried out. What it is about stays as it is.
  /// - Parameter maker: who asked, as in the audit log; the caller has proved who it is.
  /// - Returns: the request as it stands now.
  /// - Throws: `Problem` not-found, also for what another one asked for; conflict `approval-decided`,
  ///   `approval-expired`.
  func withdraw(_ approval: String, by maker: String, in tx: any SQLTransaction) throws -> RequestedApproval
}

/// A request for a second person's word, as the flow sees it that asked.
package struct RequestedApproval: Sendable, Equatable {
  /// How many requests about one subject are looked at, and how many may stand within `countedTime`.
  package static let listMax = 50
  /// How many besides may be taken back in that time: each is a row that is kept.
  package static let takenBackMax = 200
  package static let countedTime = Duration.days(30)

  package enum State: String, Sendable, CaseIterable {
    case pending, approved, refused, withdrawn, used
    /// It was not decided in time, what was approved was not done in time, or who agreed may not agree any more.
    case expired
  }

  package let id: String
  package let act: BoundAct
  package let state: State
  /// Who asked, as in the audit log.
  package let maker: String
  /// Who decided; nil while it waits.
  package let checker: String?
  package let askedAt: Instant
  package let expiresAt: Instant
  /// Whether it was asked for just now.
  package fileprivate(set) var isNew = false

  package init(
    id: String, act: BoundAct, state: State, maker: String, checker: String?, askedAt: Instant, expiresAt: Instant
  ) {
    (self.id, self.act, self.state) = (id, act, state)
    (self.maker, self.checker, self.askedAt, self.expiresAt) = (maker, checker, askedAt, expiresAt)
  }
}

extension CaseRepository {
  package func withdraw(_ approval: String, by maker: String, in tx: any SQLTransaction) throws -> RequestedApproval {
    throw Problem.notFound
  }

  package func requireFree(_ work: AwaitedWork, for actor: String, in tx: any SQLTransaction) throws {}

  package func take(_ work: AwaitedWork, in tx: any SQLTransaction) throws {}

  package func look(at subject: String, by actor: String, in tx: any SQLTransaction) throws -> String? { nil }

  /// The same as a fact of an audit line, for code that gives out a picture or a record and knows no other reason.
  package func lookFact(
    at subject: String, by actor: String, in tx: any SQLTransaction
  ) throws -> String { try look(at: subject, by: actor, in: tx) ?? RecordAccess.direct.rawValue }

  package func asked(about subject: String, of person: String, in tx: any SQLTransaction) throws -> [RequestedApproval]
  {
    []
  }

  package func asked(
    for act: BoundAct, of person: String, by maker: String, in tx: any SQLTransaction
  ) throws -> [RequestedApproval] { [] }

  package func askedCounts(
    about subject: String, of person: String, in tx: any SQLTransaction
  ) throws -> (inForce: Int, takenBack: Int) { (0, 0) }

  /// Takes a request back that is about one subject.
  /// - Throws: as the other, and `Problem` not-found for what is about something else.
  package func withdraw(
    _ approval: String, about subject: String, by maker: String, in tx: any SQLTransaction
  ) throws {
    let id = approval.lowercased()
    guard try asked(id, in: tx)?.act.subject == subject else { throw Problem.notFound }
    _ = try withdraw(id, by: maker, in: tx)
  }

  /// The maker's request for a second person's word on exactly this act; a new one where the maker did not ask for it,
  /// or it has expired.
  /// - Parameters:
  ///   - work: that waits for the decision; nil where no case is kept.
  ///   - person: as of `propose`.
  ///   - named: which request it was, as the maker says; nil finds it.
  /// - Returns: one that waits or was agreed to.
  /// - Throws: `Problem` not-found; conflict `case-held`; `approval-refused`, also after too many requests about one
  ///   subject within `RequestedApproval.countedTime`; of the named one `approval-expired`, and
  ///   `subject-changed` when it was about something else.
  package func request(
    _ act: BoundAct, under rule: FourEyes, about work: AwaitedWork?, tenant: String, person: String, by maker: String,
    naming named: String?, in tx: any SQLTransaction
  ) throws -> RequestedApproval {
    if let work { try requireFree(work, for: maker, in: tx) }
    let refused = Problem(.conflict, "approval-refused", "The second person refused this, or was asked too often.")
    // Another one may be there, made while who agreed to the first might not agree: the one that was agreed to counts.
    // One that was taken back counts for nothing: what was asked for before it stands.
    let same = try asked(for: act, of: person, by: maker, in: tx)
    var known = same.first { $0.state == .approved } ?? same.first
    if let named {
      let id = named.lowercased()
      known = try same.first { $0.id == id } ?? asked(id, in: tx)
      guard let known, known.maker == maker, known.act.subject == act.subject else { throw Problem.notFound }
      guard known.act == act else {
        throw Problem(.conflict, "subject-changed", "This is not what was agreed to, or it changed since; ask again.")
      }
      if known.state == .expired {
        throw Problem(.conflict, "approval-expired", "The approval has expired; ask again.")
      }
    }
    if let known, known.state != .expired {
      switch known.state {
      case .pending, .approved: return known
      case .withdrawn where named != nil: throw Problem.approvalWithdrawn
      // The maker who took it back may ask again.
      case .withdrawn, .expired: break
      case .refused, .used: throw refused
      }
    }
    let counts = try askedCounts(about: act.subject, of: person, in: tx)
    guard counts.inForce < RequestedApproval.listMax, counts.takenBack < RequestedApproval.takenBackMax else {
      throw refused
    }
    if let work { try take(work, in: tx) }
    let id = try propose(act, under: rule, tenant: tenant, person: person, by: maker, in: tx)
    guard var asked = try asked(id, in: tx) else { throw Problem.approvalRequired }
    asked.isNew = true
    return asked
  }

  /// Follows a subject whose state or particulars changed.
  package func follow(
    _ former: AwaitedWork?, _ current: AwaitedWork?, on event: String, by actor: String,
    basis: @autoclosure () throws -> DecisionBasis = DecisionBasis(), in tx: any SQLTransaction
  ) throws {
    let goesOn = former?.kind == current?.kind && former?.subject == current?.subject
    if let former, !goesOn { try conclude(former, outcome: event, on: basis(), by: actor, in: tx) }
    if let current { try open(current, formerly: goesOn ? former : nil, by: actor, in: tx) }
  }
}

/// Keeps no cases, and knows of no approval: what demands one is refused.
package struct NoCases: CaseRepository {
  package init() {}

  package func open(
    _ work: AwaitedWork, formerly former: AwaitedWork?, by actor: String, in tx: any SQLTransaction
  ) {}
  package func conclude(
    _ work: AwaitedWork, outcome: String, on basis: DecisionBasis, by actor: String, in tx: any SQLTransaction
  ) {}
  package func forget(person: String, in tx: any SQLTransaction) {}
  package func propose(
    _ act: BoundAct, under rule: FourEyes, tenant: String, person: String, by maker: String, in tx: any SQLTransaction
  ) throws -> String { throw Problem.approvalRequired }
  package func spend(
    _ approval: String?, on act: BoundAct, under rule: FourEyes, by actor: String, in tx: any SQLTransaction
  ) throws { throw Problem.approvalRequired }
  package func asked(_ approval: String, in tx: any SQLTransaction) -> RequestedApproval? { nil }
  package func decide(
    _ approval: String, agreeing: Bool, by checker: String, holding permission: String, in tx: any SQLTransaction
  ) throws -> RequestedApproval { throw Problem.notFound }
}

extension Problem {
  package static let approvalRequired = Problem(
    .forbidden, "approval-required", "A second person has to agree to exactly this first.")
  package static let approvalWithdrawn = Problem(
    .conflict, "approval-withdrawn", "Who asked for this took it back; it has to be asked for anew.")
}
