// SPDX-License-Identifier: Apache-2.0

import Kit
import OneAssistCore
import Storage

extension MembershipMachine {
  /// A membership whose photos are in waits for a reviewer.
  func awaitedWork(for membership: Membership, in tx: any SQLTransaction) throws -> AwaitedWork? {
    guard membership.status == .pending,
      let partner = try PartnerStore(tx, vault: memberships.core.vault).find(membership.partner)
    else { return nil }
    var work = AwaitedWork(
      "oneassist-membership", tenant: partner.tenant, subject: membership.id.rawValue,
      person: membership.keySubject.id)
    work.reasons = membership.flags.sorted().map(\.rawValue)
    work.chain = membership.id.chain
    work.risk = membership.flags.map(\.risk).max() ?? 10
    return work
  }
}

extension MembershipMachine {
  /// The photos, each by the keyed digest of its file.
  func decisionBasis(for membership: Membership, in tx: any SQLTransaction) throws -> DecisionBasis {
    let photos = try DocumentStore(tx).current(of: membership.id)
    return DecisionBasis(
      evidence: photos.map { .init($0.name.rawValue, $0.id.rawValue, digest: $0.fileDigest) })
  }
}

extension Membership.Flag {
  /// 0 to 100.
  fileprivate var risk: Int {
    switch self {
    case .blacklisted: 100
    case .codeMismatch: 80
    case .imeiChanged, .imeiRepaired, .makeDiffers: 60
    case .blacklistUnknown: 40
    case .screenshotTaken, .screenRecorded: 50
    }
  }
}

extension MembershipService {
  /// Opens the cases of memberships that began to wait before there were cases.
  func openCases() async throws {
    try await core.database.writeEachDue(paging: .behindLast, retrying: .outdated) {
      [core] (page: DuePage<Membership.ID>, tx) in
      try MembershipStore(tx, vault: core.vault).pending(after: page.last, limit: page.limit)
    } do: { [self] id, tx in
      guard let membership = try MembershipStore(tx, vault: core.vault).find(id),
        let work = try MembershipMachine(memberships: self).awaitedWork(for: membership, in: tx)
      else { return }
      try core.cases.open(work, formerly: work, by: "system", in: tx)
    }
  }
}
