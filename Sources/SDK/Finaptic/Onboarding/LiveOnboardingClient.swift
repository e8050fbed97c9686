// SPDX-License-Identifier: Apache-2.0

internal import FinapticWire

/// The application and its users, over the wire.
final class LiveOnboardingClient: OnboardingClient {
  let calls: FinapticCalls
  private let consents: ConsentDocuments

  init(calls: FinapticCalls, consents: ConsentDocuments) {
    self.calls = calls
    self.consents = consents
  }

  func getConsentElectronicCommunication() -> TermsAndConditions { consents.electronicCommunication }
  func getConsentTermsOfUse() -> TermsAndConditions { consents.termsOfUse }
  func getConsentProductAgreement() -> TermsAndConditions { consents.productAgreement }
  func getConsentPrivacyPolicy() -> TermsAndConditions { consents.privacyPolicy }

  func initiateApplication(
    request: InitiateApplicationRequest, completion: @escaping FinapticCompletion<InitiateApplicationResponse>
  ) {
    ask(.initiateApplication, request.wire, completion, answer: InitiateApplicationResponse.init)
  }

  func validateDocuments(
    request: ValidateDocumentsRequest, completion: @escaping FinapticCompletion<ValidateDocumentsResponse>
  ) {
    ask(.validateDocuments, request.wire, completion, answer: ValidateDocumentsResponse.init)
  }

  func validateSelfie(
    request: ValidateSelfieRequest, completion: @escaping FinapticCompletion<ValidateSelfieResponse>
  ) {
    ask(.validateSelfie, request.wire, completion, answer: ValidateSelfieResponse.init)
  }

  func validateApplication(
    request: ValidateApplicationRequest, completion: @escaping FinapticCompletion<ValidateApplicationResponse>
  ) {
    ask(.validateApplication, request.wire, completion, answer: ValidateApplicationResponse.init)
  }

  func acceptApplication(
    request: AcceptApplicationRequest, completion: @escaping FinapticCompletion<AcceptApplicationResponse>
  ) {
    let application = FinapticAPI.ApplicationRequest(onboardingApplicationId: request.onboardingApplicationId)
    ask(.acceptApplication, application, completion, answer: AcceptApplicationResponse.init)
  }

  func cancelApplication(
    request: CancelApplicationRequest, completion: @escaping FinapticCompletion<CancelApplicationResponse>
  ) {
    let application = FinapticAPI.ApplicationRequest(onboardingApplicationId: request.onboardingApplicationId)
    ask(.cancelApplication, application, completion, answer: CancelApplicationResponse.init)
  }

  func getApplicationStatus(
    request: GetApplicationStatusRequest, completion: @escaping FinapticCompletion<GetApplicationStatusResponse>
  ) {
    ask(.getApplicationStatus, request.wire, completion, answer: GetApplicationStatusResponse.init)
  }

  func createFileUploadURL(
    request: CreateFileUploadUrlRequest, completion: @escaping FinapticCompletion<CreateFileUploadUrlResponse>
  ) {
    let application = FinapticAPI.ApplicationRequest(onboardingApplicationId: request.onboardingApplicationId)
    calls.start(completion) { (calls) throws(FinapticError) in
      let file: FinapticAPI.FileUploadResponse = try await calls.send(.createFileUploadURL, application)
      return CreateFileUploadUrlResponse(filename: file.filename, uploadUrl: file.uploadUrl)
    }
  }

  func finalizeApplicationCreateCustomer(
    request: FinalizeApplicationCreateCustomerRequest,
    completion: @escaping FinapticCompletion<FinalizeApplicationCreateCustomerResponse>
  ) {
    let application = FinapticAPI.ApplicationRequest(onboardingApplicationId: request.onboardingApplicationId)
    calls.start(completion) { (calls) throws(FinapticError) in
      let answer: FinapticAPI.ApplicationResponse = try await calls.send(
        .finalizeApplicationCreateCustomer, application)
      // The next call may need a customer's token (finaptic §2.4).
      if answer.customerId != nil { await calls.session.renewForNewRights() }
      return FinalizeApplicationCreateCustomerResponse(
        basicDetails: OnboardingOperationResponseDetails(answer.basicDetails), customerId: answer.customerId)
    }
  }

  func finalizeApplicationCreateProduct(
    request: FinalizeApplicationCreateProductRequest,
    completion: @escaping FinapticCompletion<FinalizeApplicationCreateProductResponse>
  ) {
    let application = FinapticAPI.ApplicationRequest(onboardingApplicationId: request.onboardingApplicationId)
    calls.start(completion) { (calls) throws(FinapticError) in
      let answer: FinapticAPI.ApplicationResponse = try await calls.send(
        .finalizeApplicationCreateProduct, application)
      return FinalizeApplicationCreateProductResponse(
        basicDetails: OnboardingOperationResponseDetails(answer.basicDetails),
        products: (answer.products ?? []).map {
          OnboardedProduct(productId: $0.productId, sourceDomain: $0.sourceDomain)
        })
    }
  }
}

extension LiveOnboardingClient {
  /// A call about an application that is answered with its state.
  func ask<Answer: Sendable>(
    _ method: FinapticMethod, _ body: some Encodable & Sendable, _ completion: @escaping FinapticCompletion<Answer>,
    answer: @escaping @Sendable (OnboardingOperationResponseDetails) -> Answer
  ) {
    calls.start(completion) { (calls) throws(FinapticError) in
      let response: FinapticAPI.ApplicationResponse = try await calls.send(method, body)
      return answer(OnboardingOperationResponseDetails(response.basicDetails))
    }
  }
}
