// SPDX-License-Identifier: Apache-2.0

internal import FinapticWire

// The updates: each puts one part into the application and answers with its state.
extension LiveOnboardingClient {
  func updatePersonalDetails(
    request: UpdatePersonalDetailsRequest, completion: @escaping FinapticCompletion<UpdatePersonalDetailsResponse>
  ) {
    ask(
      .updatePersonalDetails, request.wire(CivilDays(in: calls.timeZone())), completion,
      answer: UpdatePersonalDetailsResponse.init)
  }

  func updateContactDetails(
    request: UpdateContactDetailsRequest, completion: @escaping FinapticCompletion<UpdateContactDetailsResponse>
  ) {
    ask(.updateContactDetails, request.wire, completion, answer: UpdateContactDetailsResponse.init)
  }

  func updateAccountDetails(
    request: UpdateAccountDetailsRequest, completion: @escaping FinapticCompletion<UpdateAccountDetailsResponse>
  ) {
    ask(.updateAccountDetails, request.wire, completion, answer: UpdateAccountDetailsResponse.init)
  }

  func updateAddresses(
    request: UpdateAddressesRequest, completion: @escaping FinapticCompletion<UpdateAddressesResponse>
  ) {
    ask(.updateAddresses, request.wire, completion, answer: UpdateAddressesResponse.init)
  }

  func updateConsents(
    request: UpdateConsentsRequest, completion: @escaping FinapticCompletion<UpdateConsentsResponse>
  ) {
    ask(.updateConsents, request.wire, completion, answer: UpdateConsentsResponse.init)
  }

  func updateCustomerResidency(
    request: UpdateCustomerResidencyRequest, completion: @escaping FinapticCompletion<UpdateCustomerResidencyResponse>
  ) {
    ask(.updateCustomerResidency, request.wire, completion, answer: UpdateCustomerResidencyResponse.init)
  }

  func updateDisclosures(
    request: UpdateDisclosuresRequest, completion: @escaping FinapticCompletion<UpdateDisclosuresResponse>
  ) {
    ask(.updateDisclosures, request.wire, completion, answer: UpdateDisclosuresResponse.init)
  }

  func updateEmployment(
    request: UpdateEmploymentRequest, completion: @escaping FinapticCompletion<UpdateEmploymentResponse>
  ) {
    ask(
      .updateEmployment, request.wire(CivilDays(in: calls.timeZone())), completion,
      answer: UpdateEmploymentResponse.init)
  }

  func updateCommunicationPreferences(
    request: UpdateCommunicationPreferencesRequest,
    completion: @escaping FinapticCompletion<UpdateCommunicationPreferencesResponse>
  ) {
    ask(.updateCommunicationPreferences, request.wire, completion, answer: UpdateCommunicationPreferencesResponse.init)
  }
}
