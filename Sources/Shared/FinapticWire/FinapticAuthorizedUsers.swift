// SPDX-License-Identifier: Apache-2.0

extension FinapticAPI {
  /// Whom to invite to which account (finaptic §8.10).
  public struct InviteAuthorizedUserRequest: Codable, Sendable, Hashable {
    /// E-mail address or user name.
    public var invitedCustomerIdentifier: String?
    public var accountId: String?
    public var invitationMetadata: [String: String]?

    /// Creates the value from its members.
    public init(
      invitedCustomerIdentifier: String? = nil, accountId: String? = nil, invitationMetadata: [String: String]? = nil
    ) {
      self.invitedCustomerIdentifier = invitedCustomerIdentifier
      self.accountId = accountId
      self.invitationMetadata = invitationMetadata
    }

    enum CodingKeys: String, CodingKey {
      case invitedCustomerIdentifier = "invited_customer_identifier"
      case accountId = "account_id"
      case invitationMetadata = "invitation_metadata"
    }
  }

  /// What accepting, declining and confirming take; confirming takes no metadata.
  public struct InvitationRequest: Codable, Sendable, Hashable {
    public var invitationId: String?
    public var invitationMetadata: [String: String]?

    /// Creates the value from its members.
    public init(invitationId: String? = nil, invitationMetadata: [String: String]? = nil) {
      (self.invitationId, self.invitationMetadata) = (invitationId, invitationMetadata)
    }

    enum CodingKeys: String, CodingKey {
      case invitationId = "invitation_id"
      case invitationMetadata = "invitation_metadata"
    }
  }

  /// The invitation as it is now.
  public struct InvitationResponse: Codable, Sendable, Hashable {
    public var invitation: Invitation

    /// Creates the value from its members.
    public init(invitation: Invitation) {
      self.invitation = invitation
    }
  }

  /// See `InvitationResponse`.
  public struct Invitation: Codable, Sendable, Hashable {
    public var invitationId: String
    public var issuerCustomerId: String
    public var invitedCustomerId: String
    public var accountId: String
    /// `PENDING`, `ACCEPTED`, `DECLINED`, `COMPLETED` or `EXPIRED`.
    public var status: String
    public var creationTime: Instant
    public var expirationTime: Instant
    public var invitationMetadata: [String: String]?

    /// Creates the value from its members.
    public init(
      invitationId: String, issuerCustomerId: String, invitedCustomerId: String, accountId: String, status: String,
      creationTime: Instant, expirationTime: Instant, invitationMetadata: [String: String]? = nil
    ) {
      self.invitationId = invitationId
      self.issuerCustomerId = issuerCustomerId
      self.invitedCustomerId = invitedCustomerId
      (self.accountId, self.status, self.creationTime) = (accountId, status, creationTime)
      (self.expirationTime, self.invitationMetadata) = (expirationTime, invitationMetadata)
    }

    enum CodingKeys: String, CodingKey {
      case status
      case invitationId = "invitation_id"
      case issuerCustomerId = "issuer_customer_id"
      case invitedCustomerId = "invited_customer_id"
      case accountId = "account_id"
      case creationTime = "creation_time"
      case expirationTime = "expiration_time"
      case invitationMetadata = "invitation_metadata"
    }
  }

  /// Whom to take off which account.
  public struct RemoveAuthorizedUserRequest: Codable, Sendable, Hashable {
    public var accountId: String?
    /// A customer's id.
    public var authorizedUser: String?

    /// Creates the value from its members.
    public init(accountId: String? = nil, authorizedUser: String? = nil) {
      (self.accountId, self.authorizedUser) = (accountId, authorizedUser)
    }

    enum CodingKeys: String, CodingKey {
      case accountId = "account_id"
      case authorizedUser = "authorized_user"
    }
  }

  /// Who may use the account.
  public struct AuthorizedUsersResponse: Codable, Sendable, Hashable {
    public var authorizedUsers: [String]

    /// Creates the value from its members.
    public init(authorizedUsers: [String]) {
      self.authorizedUsers = authorizedUsers
    }

    enum CodingKeys: String, CodingKey {
      case authorizedUsers = "authorized_users"
    }
  }

  /// Issued and received, in every status.
  public struct InvitationsResponse: Codable, Sendable, Hashable {
    public var invitations: [Invitation]

    /// Creates the value from its members.
    public init(invitations: [Invitation]) {
      self.invitations = invitations
    }
  }
}
