// SPDX-License-Identifier: Apache-2.0

import Kit
import Storage

/// The second person's word on verdicts, where the tenant has two persons decide. The colleague agrees at the desk; the
/// reviewer then decides by the same verdict, or by what was agreed to.
extension ReviewCommands {
  /// Decides on a membership as a colleague agreed, without the reason being given again.
  /// - Throws: `Problem` not-found for what this reviewer did not ask for about it; as `decide`.
  package func carryOut(
    _ approval: String, on id: Membership.ID, tenant: String, by agent: String
  ) async throws -> Outcome {
    let asked = try await core.database.read { [core] in try core.cases.asked(approval.lowercased(), in: $0) }
    guard let asked, asked.maker == agent, asked.act.subject == id.rawValue, let verdict = MembershipVerdict(asked.act)
    else { throw Problem.notFound }
    return try await decide(
      verdict.verdict, reason: verdict.reason, of: id, tenant: tenant, by: agent, approval: asked.id)
  }

  /// Takes back what this reviewer asked a colleague for. The membership stays as it is.
  /// - Throws: `Problem` not-found for what this reviewer did not ask for about it; conflict `approval-decided`,
  ///   `approval-expired`.
  package func withdraw(_ approval: String, on id: Membership.ID, by agent: String) async throws {
    try await core.database.write(retrying: .outdated) { [core] tx in
      try core.cases.withdraw(approval, about: id.rawValue, by: agent, in: tx)
    }
  }

  /// The verdicts on a membership as it is now that wait for a colleague or for the reviewer who asked, newest first.
  /// - Throws: `Problem` not-found.
  package func asked(about id: Membership.ID, tenant: String) async throws -> [RequestedApproval] {
    guard policy.tenantsOfTwo.contains(tenant) else { return [] }
    return try await core.database.read { [core] tx in
      let membership = try memberships.find(id, tenant: tenant, in: tx).membership
      return try core.cases.asked(about: id.rawValue, of: membership.keySubject.id, in: tx).filter {
        $0.act.version == Int64(membership.version) && ($0.state == .pending || $0.state == .approved)
      }
    }
  }

  /// The reviewer's request to a colleague for exactly this verdict.
  /// - Throws: `Problem` case-held; as `CaseRepository.request`.
  func ask(
    _ verdict: MembershipVerdict, on membership: Membership, tenant: String, by agent: String,
    naming approval: String?, in tx: any SQLTransaction
  ) throws -> RequestedApproval {
    try core.cases.request(
      verdict.act(on: membership), under: MembershipVerdict.rule,
      about: MembershipMachine(memberships: memberships).awaitedWork(for: membership, in: tx), tenant: tenant,
      person: membership.keySubject.id, by: agent, naming: approval, in: tx)
  }

  /// Lets what is newly said of a photo move the version of the membership, to which a colleague's word is bound. The
  /// membership keeps its place in the queue.
  func renew(_ membership: inout Membership, of tenant: String, in tx: any SQLTransaction) throws {
    guard policy.tenantsOfTwo.contains(tenant) else { return }
    try MembershipStore(tx, vault: core.vault).renew(membership)
    membership.version += 1
  }
}
