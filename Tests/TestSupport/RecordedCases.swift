// SPDX-License-Identifier: Apache-2.0

import Kit
import Storage
import Synchronization

/// A case book that writes down what a flow tells it. Its cases have no holder, and it grants no approval.
package final class RecordedCases: CaseRepository {
  /// What waits now, by kind and subject.
  private let state = Mutex<(waiting: [String: AwaitedWork], lines: [String], bases: [DecisionBasis])>(([:], [], []))

  package init() {}

  /// `open <kind>` when something begins to wait, `conclude <kind> <outcome> <actor>` and `forget <person>`.
  package var lines: [String] { state.withLock { $0.lines } }
  /// What was decided on, in order.
  package var bases: [DecisionBasis] { state.withLock { $0.bases } }
  package var waiting: [AwaitedWork] { state.withLock { $0.waiting.values.sorted { $0.subject < $1.subject } } }

  package func open(
    _ work: AwaitedWork, formerly former: AwaitedWork?, by actor: String, in tx: any SQLTransaction
  ) {
    state.withLock { state in
      if state.waiting.updateValue(work, forKey: Self.key(work)) == nil { state.lines.append("open \(work.kind)") }
    }
  }

  package func conclude(
    _ work: AwaitedWork, outcome: String, on basis: DecisionBasis, by actor: String, in tx: any SQLTransaction
  ) {
    state.withLock { state in
      guard state.waiting.removeValue(forKey: Self.key(work)) != nil else { return }
      state.lines.append("conclude \(work.kind) \(outcome) \(actor)")
      state.bases.append(basis)
    }
  }

  package func forget(person: String, in tx: any SQLTransaction) {
    state.withLock { state in
      let before = state.waiting.count
      state.waiting = state.waiting.filter { $0.value.person != person }
      if state.waiting.count < before { state.lines.append("forget \(person)") }
    }
  }

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

  private static func key(_ work: AwaitedWork) -> String { "\(work.kind) \(work.subject)" }
}
