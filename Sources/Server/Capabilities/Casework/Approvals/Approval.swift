// SPDX-License-Identifier: Apache-2.0

import Identity
import Kit
import Storage

/// A second person's word on one act of a first person.
package struct Approval: Sendable, Equatable {
  package typealias ID = Identifier<Approval>

  /// How long an approval is waited for, and how long a given one can be used.
  package static let lifetime = Duration.hours(24)

  package let id: ID
  /// The institution whose staff decide.
  package let desk: String
  /// What it is about; the content is as the second person saw it.
  package let act: BoundAct
  /// Keyed digest of the act.
  let digest: String
  /// The id of the key subject with whom it is erased.
  let person: String
  /// Who asked, and alone may use it.
  package let maker: String
  package let rule: FourEyes
  package var state: ApprovalState
  /// Who decided.
  package var checker: String?
  package let askedAt: Instant
  package let expiresAt: Instant
  package var version: Int64

  package var checkerPermission: StaffPermission { StaffPermission(rawValue: rule.checker) }
  var chain: String { "approval-\(id)" }

  /// Whether it is about this member of staff themselves.
  func isAbout(_ actor: String) -> Bool {
    [act.subject, person].contains { $0 == actor || "agent:\($0)" == actor }
  }
}

package enum ApprovalState: String, Sendable, CaseIterable, SQLConvertible {
  case pending, approved, refused, withdrawn
  /// The act was done; it cannot be done again by it.
  case used
}

extension ApprovalState {
  var requested: RequestedApproval.State {
    switch self {
    case .pending: .pending
    case .approved: .approved
    case .refused: .refused
    case .withdrawn: .withdrawn
    case .used: .used
    }
  }
}

package enum ApprovalEvent: String, Sendable, CaseIterable {
  case approved, refused, withdrawn, used
}

/// The life of an approval: one word, one use.
package let approvalFlow: TransitionTable<ApprovalState, ApprovalEvent, Never> = .init([
  .init(.pending, on: .approved, to: .approved),
  .init(.pending, on: .refused, to: .refused),
  .init(.pending, on: .withdrawn, to: .withdrawn),
  .init(.approved, on: .used, to: .used),
  .init(.approved, on: .withdrawn, to: .withdrawn),
])

/// The moves of rows of `casework_approval`.
struct ApprovalMachine: StateMachine {
  typealias State = ApprovalState
  typealias Event = ApprovalEvent
  typealias Effect = Never

  let vault: Vault
  let actor: String

  let flow = "approval"
  var table: TransitionTable<State, Event, Effect> { approvalFlow }
  var state: WritableKeyPath<Approval, ApprovalState> { \.state }

  func refusal(of event: ApprovalEvent, in state: ApprovalState) -> any Error {
    event == .used ? Problem.approvalRequired : Problem.approvalDecided
  }

  func prepare(_ approval: inout Approval, for move: Move) {
    if move.event == .approved || move.event == .refused { approval.checker = actor }
  }

  func save(_ approval: inout Approval, in tx: any SQLTransaction) throws {
    try ApprovalStore(tx, vault: vault).save(approval)
    approval.version += 1
  }

  func auditEntry(for move: Move, of approval: Approval) -> AuditEntry? {
    AuditEntry("approval.\(move.event.rawValue)", chain: approval.chain, facts: approval.facts)
  }
}

extension Approval {
  /// As the flow sees it that asked.
  /// - Parameter isVoid: whether who agreed may not any more.
  func asked(at now: Instant, isVoid: Bool = false) -> RequestedApproval {
    let isOver = isVoid || (state == .pending || state == .approved) && expiresAt <= now
    return requested(in: isOver ? .expired : state.requested)
  }

  /// In the state that is stored, also after its time.
  package var requested: RequestedApproval { requested(in: state.requested) }

  private func requested(in state: RequestedApproval.State) -> RequestedApproval {
    RequestedApproval(
      id: id.rawValue, act: act, state: state, maker: maker, checker: checker, askedAt: askedAt, expiresAt: expiresAt)
  }

  /// What is bound, in codes and ids.
  var facts: [String: String] {
    [
      "action": act.action, "subject": act.subject, "version": "\(act.version)", "digest": digest, "maker": maker,
    ]
  }
}

/// What somebody asked for, as they are told of it.
package struct OwnApproval: Sendable {
  /// How long ago it may have been asked for.
  package static let period = Approval.lifetime * 2

  package let asked: RequestedApproval
  /// Whether it can have no effect any more, because its subject changed since or is gone.
  package let isOutdated: Bool

  /// Whether it waits, or was agreed to and is not carried out yet: who asked can take it back.
  package var isOpen: Bool { asked.state == .pending || asked.state == .approved }
}

extension Problem {
  static let approvalOutdated = Problem(
    .conflict, "subject-changed", "What this is about changed since it was asked for; it has to be asked for anew.")
  static let approvalDecided = Problem(.conflict, "approval-decided", "This approval was decided on already.")
  static let approvalExpired = Problem(.conflict, "approval-expired", "This approval has expired; ask again.")
  static let ownApproval = Problem(
    .forbidden, "own-approval", "Another person than the one who asks has to agree.")
  static let approvalOfOneself = Problem(
    .forbidden, "own-approval", "Another person than the one whom it is about has to agree.")
}
