// SPDX-License-Identifier: Apache-2.0

// swift-format-ignore-file
// The seed's own lines, with the typing errors of finaptic-swift-api §14 mended.

package import Finaptic

/// What each sample names without declaring is its parameter.
@MainActor
package enum AuthorizedUserSamples {
  /// Line 987 of the seed.
  package static func inviteAuthorizedUser(sdk: FinapticSDK, account: Account) {
    let request = InviteAuthorizedUserRequest(
                        invitedCustomerIdentifier: "test@finaptic.com",
                        accountId: account.id)
    sdk.onboardingClient.inviteAuthorizedUser(request: request) { result in
        switch result {
        case .success(let response):
            print("Invite authorized user success with id \(response.invitation.invitationId)")

        case .failure(let error):
            print("Invite authorized user error: \(error)")
        }
    }
  }

  /// Line 1039 of the seed.
  package static func acceptAuthorizedUserInvitation(sdk: FinapticSDK, invitation: AuthorizedUserInvitation) {
    let request = AcceptAuthorizedUserInvitationRequest(
                        invitationId: invitation.invitationId)
    sdk.onboardingClient.acceptAuthorizedUserInvitation(request: request) { result in
        switch result {
        case .success(_):
            print("Accepted authorized user invitation with id \(invitation.invitationId)")

        case .failure(let error):
            print("Accept authorized user invitation error: \(error)")
        }
    }
  }

  /// Line 1070 of the seed.
  package static func declineAuthorizedUserInvitation(sdk: FinapticSDK, invitation: AuthorizedUserInvitation) {
    let request = DeclineAuthorizedUserInvitationRequest(
                        invitationId: invitation.invitationId)
    sdk.onboardingClient.declineAuthorizedUserInvitation(request: request) { result in
        switch result {
        case .success(_):
            print("Declined authorized user invitation with id \(invitation.invitationId)")

        case .failure(let error):
            print("Decline authorized user invitation error: \(error)")
        }
    }
  }

  /// Line 1098 of the seed.
  package static func confirmAuthorizedUserInvitation(sdk: FinapticSDK, invitation: AuthorizedUserInvitation) {
    let request = ConfirmAuthorizedUserInvitationRequest(
        invitationId: invitation.invitationId)
    sdk.onboardingClient.confirmAuthorizedUserInvitation(request: request) { result in
        switch result {
        case .success(_):
            print("Confirm authorized user invitation with id \(invitation.invitationId)")

        case .failure(let error):
            print("Confirm authorized user invitation error: \(error)")
        }
    }
  }

  /// Line 1142 of the seed.
  package static func signInToStepUp(sdk: FinapticSDK, credential: Credential) {
    let request = SignInRequest(credential: credential, scope: "remove:authorized_user")
    sdk.authenticationClient.signIn(request: request) { result in
        switch result {
        case .success(_):
            print("You may call removeAuthorizedUser")

        case .failure(let error):
            print("Sign in error: \(error)")
        }
    }
  }

  /// Line 1169 of the seed.
  package static func getInvitations(sdk: FinapticSDK, completion: @escaping ([AuthorizedUserInvitation]) -> Void) {
    sdk.onboardingClient.getInvitations(request: GetAuthorizedUserInvitationsRequest()) { result in
        switch result {
        case .success(let response):
            if (response.invitations.isEmpty) {
                print("No invitations")
            } else {
                response.invitations.forEach { print("Invitation with \($0.status) status and id \($0.invitationId)") }
            }
            completion(response.invitations)

        case .failure(let error):
            print("Get invitations error: \(error)")
        }
    }
  }
}
