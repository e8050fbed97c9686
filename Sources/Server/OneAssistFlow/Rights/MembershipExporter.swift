// SPDX-License-Identifier: Apache-2.0

import Delivery
import Foundation
import Kit
import Storage

/// Gathers what is kept of one membership. An audit entry is written before anything is read.
package struct MembershipExporter: Sendable {
  /// Secure screens that are read; limits keep a membership far below.
  private static let screensMax = 100_000

  let core: CoreDependencies
  let devOutbox: DevOutbox?
  let memberships: MembershipService

  /// What there is of a membership, as of one instant; the photos are `addPictures`'s.
  /// - Throws: `Problem` not-found, also for one that was erased.
  package func export(
    _ id: Membership.ID, tenant: String, by actor: String
  ) async throws -> MembershipExport {
    try await core.database.write(retrying: .outdated) { [core] tx in
      _ = try memberships.find(id, tenant: tenant, in: tx)
      try core.audit.note("exported", id, by: actor, in: tx)
    }
    return try await core.database.read { tx in try gathered(id, tenant, in: tx) }
  }

  /// Opens the photos of an export one after the other, hands each one over and lists it. One that is gone is left out.
  package func addPictures(
    to export: inout MembershipExport, _ write: (ExportedFile, Data) throws -> Void
  ) async throws {
    for index in export.photos.indices {
      let id = Photo.ID(rawValue: export.photos[index].id)
      let picture = try await core.blobs.exported(
        id.rawValue, as: "photo", context: Photo.context(id), by: core.vault, in: core.database)
      guard let (file, bytes) = picture else { continue }
      try write(file, bytes)
      export.photos[index].files.append(file)
    }
  }

  private func gathered(
    _ id: Membership.ID, _ tenant: String, in tx: any SQLTransaction
  ) throws -> MembershipExport {
    let (membership, partner) = try memberships.find(id, tenant: tenant, in: tx)
    let plan = try PartnerStore(tx, vault: core.vault).plan(membership.planCode, of: partner.id)
    let photos = try DocumentStore(tx).all(of: id)
    let links = try LinkStore(tx).records(of: id)
    let screens = try ScreenStore(tx, vault: core.vault).times(of: id, limit: Self.screensMax)
    let sessions = try TokenStore(tx).records(of: membership.customer)
    let messages = try devOutbox?.list(about: id.rawValue, in: tx) ?? []
    let sent = try MessageLog.list(about: id.rawValue, vault: core.vault, in: tx)
    // Reasons stand among the decisions, which do not say who decided.
    var content = membership.content
    content.decisions = nil
    let decisions = (membership.content.decisions ?? []).map { MembershipExport.Decision($0) }
    return MembershipExport(
      exportedAt: core.world.now().rfc3339, tenant: tenant, membershipID: id.rawValue,
      customerID: membership.customer, partner: .init(code: partner.code, name: partner.name),
      plan: .init(
        code: membership.planCode, name: plan?.name, startsOn: membership.startsOn, endsOn: membership.endsOn),
      order: .init(
        uuid: membership.orderUUID, number: membership.orderNumber, applicationNumber: membership.applicationNumber),
      status: membership.status.rawValue, standing: .init(membership), content: content,
      decisions: decisions,
      photos: photos.map { MembershipExport.Picture($0.photo, replacedAt: $0.replacedAt) },
      links: links.map { MembershipExport.Link($0) }, secureScreens: screens.map(\.rfc3339).reversed(),
      sessions: sessions.map { MembershipExport.Session($0) }, messages: messages.map { MembershipExport.Sent($0) },
      sentMessages: sent.map { ExportedMessage($0) },
      told: try Webhooks.told(about: id.rawValue, in: tx),
      history: try AuditStore(tx).exported(id.chain))
  }
}
