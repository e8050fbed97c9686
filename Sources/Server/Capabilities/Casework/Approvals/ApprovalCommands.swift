// SPDX-License-Identifier: Apache-2.0

import Kit
import Storage

/// What members of staff do with approvals that others ask for. Each of them is audited.
package struct ApprovalCommands: Sendable {
  let database: any SQLDatabase
  let approvals: Approvals

  /// - Parameter subjects: how what acts are about stands now.
  package init(_ core: CoreDependencies, caseService: CaseService, subjects: SubjectVersions = .none) {
    (database, approvals) = (core.database, Approvals(caseService: caseService, subjects: subjects))
  }

  /// Approvals on which this person may decide, the longest waiting first.
  package func pending(for worker: CaseWorker) async throws -> [Approval] {
    try await database.write(retrying: .outdated) { [approvals] tx in
      try approvals.caseService.audit.append(
        "approvals.listed", to: worker.chain, by: worker.actor, facts: RecordAccess.list.facts, in: tx)
      return try approvals.pending(for: worker, in: tx)
    }
  }

  /// What this person asked for lately, the newest first.
  package func own(of worker: CaseWorker) async throws -> [OwnApproval] {
    try await database.read { [approvals] in try approvals.own(of: worker, in: $0) }
  }

  /// - Throws: `Problem` as `Approvals.decide`.
  package func decide(_ id: Approval.ID, agreeing: Bool, by worker: CaseWorker) async throws -> Approval {
    try await database.write(retrying: .outdated) { [approvals] tx in
      try approvals.decide(id, agreeing: agreeing, by: worker, in: tx)
    }
  }

  /// Takes one's own request back.
  /// - Throws: `Problem` as `Approvals.withdraw`.
  @discardableResult
  package func withdraw(_ id: Approval.ID, by worker: CaseWorker) async throws -> Approval {
    try await database.write(retrying: .outdated) { [approvals] tx in
      try approvals.withdraw(id, by: worker.actor, in: tx)
    }
  }
}
