// SPDX-License-Identifier: Apache-2.0

internal import FinapticWire

extension InviteAuthorizedUserRequest {
  var wire: FinapticAPI.InviteAuthorizedUserRequest {
    FinapticAPI.InviteAuthorizedUserRequest(
      invitedCustomerIdentifier: invitedCustomerIdentifier, accountId: accountId, invitationMetadata: invitationMetadata
    )
  }
}

extension AcceptAuthorizedUserInvitationRequest {
  var wire: FinapticAPI.InvitationRequest {
    FinapticAPI.InvitationRequest(invitationId: invitationId, invitationMetadata: invitationMetadata)
  }
}

extension DeclineAuthorizedUserInvitationRequest {
  var wire: FinapticAPI.InvitationRequest {
    FinapticAPI.InvitationRequest(invitationId: invitationId, invitationMetadata: invitationMetadata)
  }
}

extension RemoveAuthorizedUserRequest {
  var wire: FinapticAPI.RemoveAuthorizedUserRequest {
    FinapticAPI.RemoveAuthorizedUserRequest(accountId: accountId, authorizedUser: authorizedUser)
  }
}

extension AuthorizedUserInvitation {
  init(_ wire: FinapticAPI.Invitation) {
    self.init(
      invitationId: wire.invitationId, issuerCustomerId: wire.issuerCustomerId,
      invitedCustomerId: wire.invitedCustomerId, accountId: wire.accountId,
      status: AuthorizedUserInvitationStatus(rawValue: wire.status) ?? .unspecified,
      creationTime: wire.creationTime.date, expirationTime: wire.expirationTime.date,
      invitationMetadata: wire.invitationMetadata ?? [:])
  }
}
