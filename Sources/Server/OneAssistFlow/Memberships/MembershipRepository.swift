// SPDX-License-Identifier: Apache-2.0

import GatehouseWire
import Kit
import OneAssistCore
import Storage

/// The memberships, for staff who look one up: by their ids, order, activation code, application number, or by the
/// number of a phone or an IMEI, of which keyed digests are kept.
package struct MembershipRepository: RecordRepository {
  package let kind = "memberships"
  package let states = MembershipStatus.allCases.map(\.rawValue)
  let core: CoreDependencies

  package init(_ core: CoreDependencies) { self.core = core }

  package func page(_ question: RecordQuestion, for reader: RecordReader) async throws -> RecordPage {
    try await core.database.write(retrying: .outdated) { [core, kind] tx in
      try core.audit.append("records.listed", to: reader.chain, by: reader.actor, facts: reader.listed(kind), in: tx)
    }
    // Without a lock: a search may look at many rows.
    return try await core.database.read { [core] tx in
      let store = MembershipStore(tx, vault: core.vault)
      let tenants = try store.tenants()
      func row(_ membership: Membership) -> RecordRow {
        Self.row(membership, tenant: tenants[membership.partner] ?? "")
      }
      if let name = question.name {
        guard RecordQuestion.isName(name) else { return RecordPage([]) }
        let names = Set(tenants.values).filter(reader.scope.contains)
        let mobiles = names.map { core.vault.digest("\($0)\u{0}\(name)", for: "oneassist mobile") }
        let imei = IMEI(name).map { core.vault.digest(imei: $0) }
        return RecordPage(
          try store.named(
            name, mobiles: mobiles, imei: imei ?? "", before: question.after, in: reader.scope,
            limit: RecordQuestion.pageMax + 1
          ).map(row))
      }
      let statuses = question.state.flatMap(MembershipStatus.init(rawValue:)).map { [$0] } ?? MembershipStatus.allCases
      return RecordPage(
        try store.page(statuses, before: question.after, in: reader.scope, limit: RecordQuestion.pageMax + 1).map(row))
    }
  }

  package func record(_ id: String, for reader: RecordReader) async throws -> RecordFile {
    try await core.database.write(retrying: .outdated) { [core] tx in
      let store = MembershipStore(tx, vault: core.vault)
      guard let membership = try store.find(.init(rawValue: id)),
        let tenant = try store.tenants()[membership.partner], reader.scope.contains(tenant)
      else { throw Problem.notFound }
      let content = membership.content
      try reader.requireOther(than: content.email)
      try core.audit.note("membership.seen", membership.id, by: reader.actor, reader.looked, in: tx)
      let name = [content.firstName, content.lastName].filter { !$0.isEmpty }.joined(separator: " ")
      return RecordFile(
        Self.row(membership, tenant: tenant),
        facts: [
          ("name", name), ("email", content.email), ("phone", content.mobile), ("make", content.make),
          ("model", content.model), ("imei", content.imei), ("imei2", content.imei2), ("address", content.address),
          ("activation", membership.activationCode), ("application", membership.applicationNumber),
          ("begins", membership.startsOn.description), ("ends", membership.endsOn.description),
        ] + membership.flags.sorted().map { ("flag", $0.rawValue) },
        subjects: [membership.id.rawValue], chain: membership.id.chain)
    }
  }

  private static func row(_ membership: Membership, tenant: String) -> RecordRow {
    RecordRow(
      id: membership.id.rawValue, name: "\(membership.orderNumber)", tenant: tenant,
      state: membership.status.rawValue, at: membership.createdAt)
  }
}
