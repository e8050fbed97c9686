// SPDX-License-Identifier: Apache-2.0

/// The application of one customer, and the authorized users of accounts (finaptic §3.1, §3.2).
public protocol OnboardingClient: AnyObject, Sendable {
  /// Begins an application; comes before every other call.
  func initiateApplication(
    request: InitiateApplicationRequest, completion: @escaping FinapticCompletion<InitiateApplicationResponse>)
  /// The document about electronic communication.
  func getConsentElectronicCommunication() -> TermsAndConditions
  /// The terms of use.
  func getConsentTermsOfUse() -> TermsAndConditions
  /// The product agreement.
  func getConsentProductAgreement() -> TermsAndConditions
  /// The privacy policy.
  func getConsentPrivacyPolicy() -> TermsAndConditions
  /// Puts personal details into the application.
  func updatePersonalDetails(
    request: UpdatePersonalDetailsRequest, completion: @escaping FinapticCompletion<UpdatePersonalDetailsResponse>)
  /// Puts contact details into the application.
  func updateContactDetails(
    request: UpdateContactDetailsRequest, completion: @escaping FinapticCompletion<UpdateContactDetailsResponse>)
  /// Puts account details into the application.
  func updateAccountDetails(
    request: UpdateAccountDetailsRequest, completion: @escaping FinapticCompletion<UpdateAccountDetailsResponse>)
  /// Puts addresses into the application.
  func updateAddresses(
    request: UpdateAddressesRequest, completion: @escaping FinapticCompletion<UpdateAddressesResponse>)
  /// Puts consents into the application.
  func updateConsents(request: UpdateConsentsRequest, completion: @escaping FinapticCompletion<UpdateConsentsResponse>)
  /// Puts customer residency into the application.
  func updateCustomerResidency(
    request: UpdateCustomerResidencyRequest, completion: @escaping FinapticCompletion<UpdateCustomerResidencyResponse>)
  /// Puts disclosures into the application.
  func updateDisclosures(
    request: UpdateDisclosuresRequest, completion: @escaping FinapticCompletion<UpdateDisclosuresResponse>)
  /// Puts employment into the application.
  func updateEmployment(
    request: UpdateEmploymentRequest, completion: @escaping FinapticCompletion<UpdateEmploymentResponse>)
  /// Puts communication preferences into the application.
  func updateCommunicationPreferences(
    request: UpdateCommunicationPreferencesRequest,
    completion: @escaping FinapticCompletion<UpdateCommunicationPreferencesResponse>)
  /// Makes a name and an address for one picture.
  func createFileUploadURL(
    request: CreateFileUploadUrlRequest, completion: @escaping FinapticCompletion<CreateFileUploadUrlResponse>)
  /// Has the document's pictures looked at.
  func validateDocuments(
    request: ValidateDocumentsRequest, completion: @escaping FinapticCompletion<ValidateDocumentsResponse>)
  /// Has the face looked at.
  func validateSelfie(request: ValidateSelfieRequest, completion: @escaping FinapticCompletion<ValidateSelfieResponse>)
  /// Decides on the whole application.
  func validateApplication(
    request: ValidateApplicationRequest, completion: @escaping FinapticCompletion<ValidateApplicationResponse>)
  /// Accepts the decided application.
  func acceptApplication(
    request: AcceptApplicationRequest, completion: @escaping FinapticCompletion<AcceptApplicationResponse>)
  /// Makes the signed-in user a customer. The session has a customer's rights when this calls back.
  func finalizeApplicationCreateCustomer(
    request: FinalizeApplicationCreateCustomerRequest,
    completion: @escaping FinapticCompletion<FinalizeApplicationCreateCustomerResponse>)
  /// Opens the bundle's products.
  func finalizeApplicationCreateProduct(
    request: FinalizeApplicationCreateProductRequest,
    completion: @escaping FinapticCompletion<FinalizeApplicationCreateProductResponse>)
  /// Invites a person to an account. The answer does not show whether the person is a customer.
  func inviteAuthorizedUser(
    request: InviteAuthorizedUserRequest, completion: @escaping FinapticCompletion<InviteAuthorizedUserResponse>)
  /// Accepts, by the invited.
  func acceptAuthorizedUserInvitation(
    request: AcceptAuthorizedUserInvitationRequest,
    completion: @escaping FinapticCompletion<AcceptAuthorizedUserInvitationResponse>)
  /// Declines, by the invited.
  func declineAuthorizedUserInvitation(
    request: DeclineAuthorizedUserInvitationRequest,
    completion: @escaping FinapticCompletion<DeclineAuthorizedUserInvitationResponse>)
  /// Confirms, by the issuer: now the invited may use the account.
  func confirmAuthorizedUserInvitation(
    request: ConfirmAuthorizedUserInvitationRequest,
    completion: @escaping FinapticCompletion<ConfirmAuthorizedUserInvitationResponse>)
  /// Takes an authorized user off an account; needs the scope `remove:authorized_user`.
  func removeAuthorizedUser(
    request: RemoveAuthorizedUserRequest, completion: @escaping FinapticCompletion<RemoveAuthorizedUserResponse>)
  /// Every invitation issued or received.
  func getInvitations(
    request: GetAuthorizedUserInvitationsRequest,
    completion: @escaping FinapticCompletion<GetAuthorizedUserInvitationsResponse>)
  /// Ends the application.
  func cancelApplication(
    request: CancelApplicationRequest, completion: @escaping FinapticCompletion<CancelApplicationResponse>)
  /// Where the application stands.
  func getApplicationStatus(
    request: GetApplicationStatusRequest, completion: @escaping FinapticCompletion<GetApplicationStatusResponse>)
}
