// SPDX-License-Identifier: Apache-2.0

/// What to ask `inviteAuthorizedUser` for.
public struct InviteAuthorizedUserRequest: Hashable, Codable, Sendable {
  /// E-mail address or user name.
  public var invitedCustomerIdentifier: String
  public var accountId: String
  /// Up to 20 texts; those of the latest operation.
  public var invitationMetadata: [String: String]?

  /// Creates the value from its members.
  public init(invitedCustomerIdentifier: String, accountId: String, invitationMetadata: [String: String]? = nil) {
    self.invitedCustomerIdentifier = invitedCustomerIdentifier
    self.accountId = accountId
    self.invitationMetadata = invitationMetadata
  }
}

/// What `inviteAuthorizedUser` answers.
public struct InviteAuthorizedUserResponse: Hashable, Codable, Sendable {
  public var invitation: AuthorizedUserInvitation

  /// Creates the value from its members.
  public init(invitation: AuthorizedUserInvitation) {
    self.invitation = invitation
  }
}

/// What to ask `acceptAuthorizedUserInvitation` for.
public struct AcceptAuthorizedUserInvitationRequest: Hashable, Codable, Sendable {
  public var invitationId: String
  /// Up to 20 texts; those of the latest operation.
  public var invitationMetadata: [String: String]?

  /// Creates the value from its members.
  public init(invitationId: String, invitationMetadata: [String: String]? = nil) {
    (self.invitationId, self.invitationMetadata) = (invitationId, invitationMetadata)
  }
}

/// What `acceptAuthorizedUserInvitation` answers.
public struct AcceptAuthorizedUserInvitationResponse: Hashable, Codable, Sendable {
  /// Creates the empty value.
  public init() {}
}

/// What to ask `declineAuthorizedUserInvitation` for.
public struct DeclineAuthorizedUserInvitationRequest: Hashable, Codable, Sendable {
  public var invitationId: String
  /// Up to 20 texts; those of the latest operation.
  public var invitationMetadata: [String: String]?

  /// Creates the value from its members.
  public init(invitationId: String, invitationMetadata: [String: String]? = nil) {
    (self.invitationId, self.invitationMetadata) = (invitationId, invitationMetadata)
  }
}

/// What `declineAuthorizedUserInvitation` answers.
public struct DeclineAuthorizedUserInvitationResponse: Hashable, Codable, Sendable {
  /// Creates the empty value.
  public init() {}
}

/// What to ask `confirmAuthorizedUserInvitation` for.
public struct ConfirmAuthorizedUserInvitationRequest: Hashable, Codable, Sendable {
  public var invitationId: String

  /// Creates the value from its members.
  public init(invitationId: String) {
    self.invitationId = invitationId
  }
}

/// What `confirmAuthorizedUserInvitation` answers.
public struct ConfirmAuthorizedUserInvitationResponse: Hashable, Codable, Sendable {
  /// Creates the empty value.
  public init() {}
}

/// What to ask `removeAuthorizedUser` for.
public struct RemoveAuthorizedUserRequest: Hashable, Codable, Sendable {
  public var accountId: String
  /// The customer to take off the account.
  public var authorizedUser: String

  /// Creates the value from its members.
  public init(accountId: String, authorizedUser: String) {
    (self.accountId, self.authorizedUser) = (accountId, authorizedUser)
  }
}

/// What `removeAuthorizedUser` answers.
public struct RemoveAuthorizedUserResponse: Hashable, Codable, Sendable {
  /// Ids of customers.
  public var authorizedUsers: [String]

  /// Creates the value from its members.
  public init(authorizedUsers: [String]) {
    self.authorizedUsers = authorizedUsers
  }
}

/// What to ask `getInvitations` for.
public struct GetAuthorizedUserInvitationsRequest: Hashable, Codable, Sendable {
  /// Creates the empty value.
  public init() {}
}

/// What `getInvitations` answers.
public struct GetAuthorizedUserInvitationsResponse: Hashable, Codable, Sendable {
  public var invitations: [AuthorizedUserInvitation]

  /// Creates the value from its members.
  public init(invitations: [AuthorizedUserInvitation]) {
    self.invitations = invitations
  }
}
