internal import GatehouseWire

extension InviteAuthorizedUserRequest {
  var wire: FinapticWire.InviteAuthorizedUserRequest {
    FinapticWire.InviteAuthorizedUserRequest(
      invitedCustomerIdentifier: invitedCustomerIdentifier, accountId: accountId, invitationMetadata: invitationMetadata
    )
  }
}

extension AcceptAuthorizedUserInvitationRequest {
  var wire: FinapticWire.InvitationRequest {
    FinapticWire.InvitationRequest(invitationId: invitationId, invitationMetadata: invitationMetadata)
  }
}

extension DeclineAuthorizedUserInvitationRequest {
  var wire: FinapticWire.InvitationRequest {
    FinapticWire.InvitationRequest(invitationId: invitationId, invitationMetadata: invitationMetadata)
  }
}

extension RemoveAuthorizedUserRequest {
  var wire: FinapticWire.RemoveAuthorizedUserRequest {
    FinapticWire.RemoveAuthorizedUserRequest(accountId: accountId, authorizedUser: authorizedUser)
  }
}

extension AuthorizedUserInvitation {
  init(_ wire: FinapticWire.Invitation) {
    self.init(
      invitationId: wire.invitationId, issuerCustomerId: wire.issuerCustomerId,
      invitedCustomerId: wire.invitedCustomerId, accountId: wire.accountId,
      status: AuthorizedUserInvitationStatus(rawValue: wire.status) ?? .unspecified,
      creationTime: wire.creationTime.date, expirationTime: wire.expirationTime.date,
      invitationMetadata: wire.invitationMetadata ?? [:])
  }
}
