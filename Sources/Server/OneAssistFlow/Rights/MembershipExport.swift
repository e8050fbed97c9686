// SPDX-License-Identifier: Apache-2.0

import Delivery
import GatehouseWire
import Kit

/// Everything that is kept of one membership, opened, for whose it is (GDPR art. 15 and 20). Structure: docs/rights.md.
///
/// Colleagues are not named. What the app begins with, links, tokens, the keys of secure screens and digests are not in
/// it. Instants are RFC 3339 in UTC.
package struct MembershipExport: Encodable, Sendable {
  let format = "gatehouse-membership-export/1"
  let exportedAt: String
  let tenant: String
  let membershipID: String
  /// Stands for the same person in all of a partner's orders.
  let customerID: String
  /// Who sold it.
  let partner: Seller
  let plan: Cover
  let order: Order
  let status: String
  let standing: State
  /// What was said of the person and of the phone.
  let content: Membership.Content
  let decisions: [Decision]
  var photos: [Picture]
  let links: [Link]
  /// When secure screens were opened.
  let secureScreens: [String]
  let sessions: [Session]
  let messages: [Sent]
  /// Messages that went out, without their words.
  let sentMessages: [ExportedMessage]
  /// What the partner was told.
  let told: [ExportedWebhook]
  let history: [ExportedAuditEntry]

  struct Seller: Encodable, Sendable {
    let code: Int64
    let name: String
  }

  struct Cover: Encodable, Sendable {
    let code: Int64
    let name: String?
    let startsOn: WireDate
    let endsOn: WireDate
  }

  struct Order: Encodable, Sendable {
    let uuid: String
    let number: Int64
    let applicationNumber: String
  }

  struct State: Encodable, Sendable {
    /// What a reviewer had to know.
    let flags: [String]
    /// How often photos were asked for again.
    let reuploads: Int
    /// Photos whose code was another phone's.
    let mismatches: Int
    /// Of the second phone's number.
    let secondLastFour: String?
    let linkSentAt: String?
    let createdAt: String
    /// Until when photos have to be in.
    let documentsUntil: String
    /// When all this is forgotten; nil while the membership lives.
    let eraseAfter: String?
  }

  struct Decision: Encodable, Sendable {
    let at: String
    let actor: String
    let verdict: String
    let reason: String
  }

  struct Picture: Encodable, Sendable {
    let id: String
    let name: String
    let status: String
    /// Why it was refused, in words for the person.
    let reason: String?
    /// Of a photo of the secure screen: what its code proved.
    let code: String?
    let uploadedAt: String
    /// When another one took its place.
    let replacedAt: String?
    /// Written once the file is.
    var files: [ExportedFile] = []
  }

  struct Link: Encodable, Sendable {
    let createdAt: String
    let expiresAt: String
    let withdrawnAt: String?
    /// When its message was refused for good.
    let refusedAt: String?
  }

  /// Since when, and for how long, the app may call.
  struct Session: Encodable, Sendable {
    let issuedAt: String
    let expiresAt: String
  }

  /// A message that was kept instead of sent. Its words hold a link, which is a secret.
  struct Sent: Encodable, Sendable {
    let channel: String
    let recipient: String
    let sentAt: String
  }
}

// Rows as their subject is shown them.

extension MembershipExport.State {
  init(_ membership: Membership) {
    self.init(
      flags: membership.flags.sorted().map(\.rawValue), reuploads: membership.reuploads,
      mismatches: membership.mismatches, secondLastFour: membership.secondLastFour,
      linkSentAt: membership.linkSentAt?.rfc3339, createdAt: membership.createdAt.rfc3339,
      documentsUntil: membership.documentsUntil.rfc3339, eraseAfter: membership.eraseAfter?.rfc3339)
  }
}

extension MembershipExport.Decision {
  init(_ decision: Membership.Decision) {
    self.init(
      at: Instant(milliseconds: decision.at).rfc3339, actor: ExportedAuditEntry.role(of: decision.actor),
      verdict: decision.verdict, reason: decision.reason)
  }
}

extension MembershipExport.Picture {
  init(_ photo: Photo, replacedAt: Instant?) {
    self.init(
      id: photo.id.rawValue, name: photo.name.rawValue, status: photo.status.rawValue, reason: photo.reason,
      code: photo.verdict?.rawValue, uploadedAt: photo.uploadedAt.rfc3339, replacedAt: replacedAt?.rfc3339)
  }
}

extension MembershipExport.Link {
  init(_ link: LinkStore.Record) {
    self.init(
      createdAt: link.createdAt.rfc3339, expiresAt: link.expiresAt.rfc3339, withdrawnAt: link.withdrawnAt?.rfc3339,
      refusedAt: link.refusedAt?.rfc3339)
  }
}

extension MembershipExport.Session {
  init(_ token: TokenStore.Record) {
    self.init(issuedAt: token.issuedAt.rfc3339, expiresAt: token.expiresAt.rfc3339)
  }
}

extension MembershipExport.Sent {
  init(_ kept: DevMessage) {
    self.init(
      channel: kept.message.channel.rawValue, recipient: kept.message.recipient, sentAt: kept.sentAt.rfc3339)
  }
}
