// SPDX-License-Identifier: Apache-2.0

public import Foundation

/// Where an invitation stands.
public enum AuthorizedUserInvitationStatus: String, CaseIterable, Codable, Hashable, Sendable {
  case unspecified = "AUTHORIZED_USER_INVITATION_STATUS_UNSPECIFIED"
  /// Waits for the invited.
  case pending = "PENDING"
  /// Waits for the issuer to confirm.
  case accepted = "ACCEPTED"
  case declined = "DECLINED"
  case completed = "COMPLETED"
  case expired = "EXPIRED"

  /// A word that this version does not know becomes `unspecified`.
  public init(from decoder: any Decoder) throws {
    self = Self(rawValue: try decoder.singleValueContainer().decode(String.self)) ?? .unspecified
  }
}

/// An invitation to use an account.
public struct AuthorizedUserInvitation: Hashable, Codable, Sendable {
  public var invitationId: String
  public var issuerCustomerId: String
  public var invitedCustomerId: String
  public var accountId: String
  public var status: AuthorizedUserInvitationStatus
  public var creationTime: Date
  public var expirationTime: Date
  /// Up to 20 texts; those of the latest operation.
  public var invitationMetadata: [String: String]

  /// Creates the value from its members.
  public init(
    invitationId: String, issuerCustomerId: String, invitedCustomerId: String, accountId: String,
    status: AuthorizedUserInvitationStatus, creationTime: Date, expirationTime: Date,
    invitationMetadata: [String: String] = [:]
  ) {
    self.invitationId = invitationId
    self.issuerCustomerId = issuerCustomerId
    self.invitedCustomerId = invitedCustomerId
    (self.accountId, self.status, self.creationTime) = (accountId, status, creationTime)
    (self.expirationTime, self.invitationMetadata) = (expirationTime, invitationMetadata)
  }
}
