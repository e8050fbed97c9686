// SPDX-License-Identifier: Apache-2.0

extension OnboardingClient {
  /// Begins an application; comes before every other call.
  public func initiateApplication(
    request: InitiateApplicationRequest
  ) async throws(FinapticError) -> InitiateApplicationResponse {
    try await withCheckedContinuation { done in initiateApplication(request: request) { done.resume(returning: $0) } }
      .get()
  }

  /// Puts personal details into the application.
  public func updatePersonalDetails(
    request: UpdatePersonalDetailsRequest
  ) async throws(FinapticError) -> UpdatePersonalDetailsResponse {
    try await withCheckedContinuation { done in updatePersonalDetails(request: request) { done.resume(returning: $0) } }
      .get()
  }

  /// Puts contact details into the application.
  public func updateContactDetails(
    request: UpdateContactDetailsRequest
  ) async throws(FinapticError) -> UpdateContactDetailsResponse {
    try await withCheckedContinuation { done in updateContactDetails(request: request) { done.resume(returning: $0) } }
      .get()
  }

  /// Puts account details into the application.
  public func updateAccountDetails(
    request: UpdateAccountDetailsRequest
  ) async throws(FinapticError) -> UpdateAccountDetailsResponse {
    try await withCheckedContinuation { done in updateAccountDetails(request: request) { done.resume(returning: $0) } }
      .get()
  }

  /// Puts addresses into the application.
  public func updateAddresses(request: UpdateAddressesRequest) async throws(FinapticError) -> UpdateAddressesResponse {
    try await withCheckedContinuation { done in updateAddresses(request: request) { done.resume(returning: $0) } }.get()
  }

  /// Puts consents into the application.
  public func updateConsents(request: UpdateConsentsRequest) async throws(FinapticError) -> UpdateConsentsResponse {
    try await withCheckedContinuation { done in updateConsents(request: request) { done.resume(returning: $0) } }.get()
  }

  /// Puts customer residency into the application.
  public func updateCustomerResidency(
    request: UpdateCustomerResidencyRequest
  ) async throws(FinapticError) -> UpdateCustomerResidencyResponse {
    try await withCheckedContinuation { done in updateCustomerResidency(request: request) { done.resume(returning: $0) }
    }.get()
  }

  /// Puts disclosures into the application.
  public func updateDisclosures(
    request: UpdateDisclosuresRequest
  ) async throws(FinapticError) -> UpdateDisclosuresResponse {
    try await withCheckedContinuation { done in updateDisclosures(request: request) { done.resume(returning: $0) } }
      .get()
  }

  /// Puts employment into the application.
  public func updateEmployment(
    request: UpdateEmploymentRequest
  ) async throws(FinapticError) -> UpdateEmploymentResponse {
    try await withCheckedContinuation { done in updateEmployment(request: request) { done.resume(returning: $0) } }
      .get()
  }

  /// Puts communication preferences into the application.
  public func updateCommunicationPreferences(
    request: UpdateCommunicationPreferencesRequest
  ) async throws(FinapticError) -> UpdateCommunicationPreferencesResponse {
    try await withCheckedContinuation { done in
      updateCommunicationPreferences(request: request) { done.resume(returning: $0) }
    }.get()
  }

  /// Makes a name and an address for one picture.
  public func createFileUploadURL(
    request: CreateFileUploadUrlRequest
  ) async throws(FinapticError) -> CreateFileUploadUrlResponse {
    try await withCheckedContinuation { done in createFileUploadURL(request: request) { done.resume(returning: $0) } }
      .get()
  }

  /// Has the document's pictures looked at.
  public func validateDocuments(
    request: ValidateDocumentsRequest
  ) async throws(FinapticError) -> ValidateDocumentsResponse {
    try await withCheckedContinuation { done in validateDocuments(request: request) { done.resume(returning: $0) } }
      .get()
  }

  /// Has the face looked at.
  public func validateSelfie(request: ValidateSelfieRequest) async throws(FinapticError) -> ValidateSelfieResponse {
    try await withCheckedContinuation { done in validateSelfie(request: request) { done.resume(returning: $0) } }.get()
  }

  /// Decides on the whole application.
  public func validateApplication(
    request: ValidateApplicationRequest
  ) async throws(FinapticError) -> ValidateApplicationResponse {
    try await withCheckedContinuation { done in validateApplication(request: request) { done.resume(returning: $0) } }
      .get()
  }

  /// Accepts the decided application.
  public func acceptApplication(
    request: AcceptApplicationRequest
  ) async throws(FinapticError) -> AcceptApplicationResponse {
    try await withCheckedContinuation { done in acceptApplication(request: request) { done.resume(returning: $0) } }
      .get()
  }

  /// Makes the signed-in user a customer. The session has a customer's rights when this calls back.
  public func finalizeApplicationCreateCustomer(
    request: FinalizeApplicationCreateCustomerRequest
  ) async throws(FinapticError) -> FinalizeApplicationCreateCustomerResponse {
    try await withCheckedContinuation { done in
      finalizeApplicationCreateCustomer(request: request) { done.resume(returning: $0) }
    }.get()
  }

  /// Opens the bundle's products.
  public func finalizeApplicationCreateProduct(
    request: FinalizeApplicationCreateProductRequest
  ) async throws(FinapticError) -> FinalizeApplicationCreateProductResponse {
    try await withCheckedContinuation { done in
      finalizeApplicationCreateProduct(request: request) { done.resume(returning: $0) }
    }.get()
  }

  /// Invites a person to an account. The answer does not show whether the person is a customer.
  public func inviteAuthorizedUser(
    request: InviteAuthorizedUserRequest
  ) async throws(FinapticError) -> InviteAuthorizedUserResponse {
    try await withCheckedContinuation { done in inviteAuthorizedUser(request: request) { done.resume(returning: $0) } }
      .get()
  }

  /// Accepts, by the invited.
  public func acceptAuthorizedUserInvitation(
    request: AcceptAuthorizedUserInvitationRequest
  ) async throws(FinapticError) -> AcceptAuthorizedUserInvitationResponse {
    try await withCheckedContinuation { done in
      acceptAuthorizedUserInvitation(request: request) { done.resume(returning: $0) }
    }.get()
  }

  /// Declines, by the invited.
  public func declineAuthorizedUserInvitation(
    request: DeclineAuthorizedUserInvitationRequest
  ) async throws(FinapticError) -> DeclineAuthorizedUserInvitationResponse {
    try await withCheckedContinuation { done in
      declineAuthorizedUserInvitation(request: request) { done.resume(returning: $0) }
    }.get()
  }

  /// Confirms, by the issuer: now the invited may use the account.
  public func confirmAuthorizedUserInvitation(
    request: ConfirmAuthorizedUserInvitationRequest
  ) async throws(FinapticError) -> ConfirmAuthorizedUserInvitationResponse {
    try await withCheckedContinuation { done in
      confirmAuthorizedUserInvitation(request: request) { done.resume(returning: $0) }
    }.get()
  }

  /// Takes an authorized user off an account; needs the scope `remove:authorized_user`.
  public func removeAuthorizedUser(
    request: RemoveAuthorizedUserRequest
  ) async throws(FinapticError) -> RemoveAuthorizedUserResponse {
    try await withCheckedContinuation { done in removeAuthorizedUser(request: request) { done.resume(returning: $0) } }
      .get()
  }

  /// Every invitation issued or received.
  public func getInvitations(
    request: GetAuthorizedUserInvitationsRequest
  ) async throws(FinapticError) -> GetAuthorizedUserInvitationsResponse {
    try await withCheckedContinuation { done in getInvitations(request: request) { done.resume(returning: $0) } }.get()
  }

  /// Ends the application.
  public func cancelApplication(
    request: CancelApplicationRequest
  ) async throws(FinapticError) -> CancelApplicationResponse {
    try await withCheckedContinuation { done in cancelApplication(request: request) { done.resume(returning: $0) } }
      .get()
  }

  /// Where the application stands.
  public func getApplicationStatus(
    request: GetApplicationStatusRequest
  ) async throws(FinapticError) -> GetApplicationStatusResponse {
    try await withCheckedContinuation { done in getApplicationStatus(request: request) { done.resume(returning: $0) } }
      .get()
  }
}
