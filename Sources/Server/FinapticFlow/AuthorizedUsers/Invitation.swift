// SPDX-License-Identifier: Apache-2.0

import FinapticWire
import Foundation
import Kit

/// An owner's invitation to another person to use an account (finaptic §8.10).
struct Invitation: Sendable, Equatable {
  typealias ID = Identifier<Invitation>

  let id: ID
  let tenant: Int
  let account: String
  /// Customer who owned the account.
  let issuer: String
  /// Customer; an invented id when no customer has the identifier.
  let invited: String
  /// Of the identifier that was typed, so that it cannot have two open invitations.
  let identifierDigest: String
  var status: InvitationStatus
  /// Of the latest operation that brought some.
  var metadata: [String: String]
  let createdAt: Instant
  let expiresAt: Instant
  var version = 0

  /// Whether it can no longer be accepted or declined, even if its status does not show that yet.
  func isOverdue(at now: Instant) -> Bool { status == .pending && expiresAt <= now }

  /// What the wire shows: its end is computed when it is looked at.
  /// - Parameter customer: who looks. Whom it is for is shown to them alone until they accept: to anybody else an e-mail
  ///   address and a username would show by one id that they are one customer's, and so that there is such a customer.
  func view(to customer: String, at now: Instant) -> FinapticAPI.Invitation {
    let isShown = customer == invited || [.accepted, .completed].contains(status)
    return FinapticAPI.Invitation(
      invitationId: id.rawValue, issuerCustomerId: issuer,
      invitedCustomerId: isShown ? invited : InvitationIdentity.uuid(identifierDigest), accountId: account,
      status: (isOverdue(at: now) ? InvitationStatus.expired : status).rawValue,
      creationTime: .init(millisecondsSince1970: createdAt.milliseconds),
      expirationTime: .init(millisecondsSince1970: expiresAt.milliseconds), invitationMetadata: metadata)
  }
}
