// SPDX-License-Identifier: Apache-2.0

internal import FinapticWire
internal import GatehouseWire

// Invitations to use an account.
extension LiveOnboardingClient {
  func inviteAuthorizedUser(
    request: InviteAuthorizedUserRequest, completion: @escaping FinapticCompletion<InviteAuthorizedUserResponse>
  ) {
    calls.start(completion) { (calls) throws(FinapticError) in
      let answer: FinapticAPI.InvitationResponse = try await calls.send(.inviteAuthorizedUser, request.wire)
      return InviteAuthorizedUserResponse(invitation: AuthorizedUserInvitation(answer.invitation))
    }
  }

  func acceptAuthorizedUserInvitation(
    request: AcceptAuthorizedUserInvitationRequest,
    completion: @escaping FinapticCompletion<AcceptAuthorizedUserInvitationResponse>
  ) {
    calls.start(completion) { (calls) throws(FinapticError) in
      let _: EmptyBody = try await calls.send(.acceptAuthorizedUserInvitation, request.wire)
      return AcceptAuthorizedUserInvitationResponse()
    }
  }

  func declineAuthorizedUserInvitation(
    request: DeclineAuthorizedUserInvitationRequest,
    completion: @escaping FinapticCompletion<DeclineAuthorizedUserInvitationResponse>
  ) {
    calls.start(completion) { (calls) throws(FinapticError) in
      let _: EmptyBody = try await calls.send(.declineAuthorizedUserInvitation, request.wire)
      return DeclineAuthorizedUserInvitationResponse()
    }
  }

  func confirmAuthorizedUserInvitation(
    request: ConfirmAuthorizedUserInvitationRequest,
    completion: @escaping FinapticCompletion<ConfirmAuthorizedUserInvitationResponse>
  ) {
    calls.start(completion) { (calls) throws(FinapticError) in
      let _: EmptyBody = try await calls.send(
        .confirmAuthorizedUserInvitation, FinapticAPI.InvitationRequest(invitationId: request.invitationId))
      return ConfirmAuthorizedUserInvitationResponse()
    }
  }

  func removeAuthorizedUser(
    request: RemoveAuthorizedUserRequest, completion: @escaping FinapticCompletion<RemoveAuthorizedUserResponse>
  ) {
    calls.start(completion) { (calls) throws(FinapticError) in
      let answer: FinapticAPI.AuthorizedUsersResponse = try await calls.send(.removeAuthorizedUser, request.wire)
      return RemoveAuthorizedUserResponse(authorizedUsers: answer.authorizedUsers)
    }
  }

  func getInvitations(
    request: GetAuthorizedUserInvitationsRequest,
    completion: @escaping FinapticCompletion<GetAuthorizedUserInvitationsResponse>
  ) {
    calls.start(completion) { (calls) throws(FinapticError) in
      let answer: FinapticAPI.InvitationsResponse = try await calls.send(.getInvitations, EmptyBody())
      return GetAuthorizedUserInvitationsResponse(
        invitations: answer.invitations.map { AuthorizedUserInvitation($0) })
    }
  }
}
