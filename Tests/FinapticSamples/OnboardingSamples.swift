// SPDX-License-Identifier: Apache-2.0

// swift-format-ignore-file
// The seed's own lines, with the typing errors of finaptic-swift-api §14 mended.

package import Finaptic
import Foundation

/// What each sample names without declaring is its parameter.
@MainActor
package enum OnboardingSamples {
  /// Line 140 of the seed.
  package static func initialize() {
    FinapticSDK.initialize(sdkKey: "") { result in
       switch result {
       case .success(let sdk):
           print("FinapticSDK initialized")

       case .failure(let error):
           print("Initialization failed: \(error)")
       }
    }
  }

  /// Line 232 of the seed.
  package static func initiateApplication(sdk: FinapticSDK) {
    let request = InitiateApplicationRequest(customerId: nil, productId: "prepaidV1")
    sdk.onboardingClient.initiateApplication(request: request) { result in
       switch result {
       case .success(let response):
           if (response.basicDetails.requestStatus != "OK") {
               // Could not process the request properly. You can retry the request.
           }
           let applicationId = response.basicDetails.applicationId

            print("Verification needed for an onboarding application:")
            response.basicDetails.verificationNeeded.forEach { print($0) }

       case .failure(let error):
           print("Initiate application error: \(error)")
       }
    }
  }

  /// Line 266 of the seed.
  package static func getConsentElectronicCommunication(sdk: FinapticSDK) -> TermsAndConditions {
        let response = sdk.onboardingClient.getConsentElectronicCommunication()
        return response
  }

  /// Line 271 of the seed.
  package static func getConsentTermsOfUse(sdk: FinapticSDK) -> TermsAndConditions {
        let response = sdk.onboardingClient.getConsentTermsOfUse()
        return response
  }

  /// Line 276 of the seed.
  package static func getConsentProductAgreement(sdk: FinapticSDK) -> TermsAndConditions {
        let response = sdk.onboardingClient.getConsentProductAgreement()
        return response
  }

  /// Line 281 of the seed.
  package static func getConsentPrivacyPolicy(sdk: FinapticSDK) -> TermsAndConditions {
        let response = sdk.onboardingClient.getConsentPrivacyPolicy()
        return response
  }

  /// Line 287 of the seed.
  package static func updatePersonalDetails(sdk: FinapticSDK, applicationId: String) {
    let request = UpdatePersonalDetailsRequest(
       onboardingApplicationId: applicationId,
       customerPersonalDetails: PersonalDetails(
           firstName: "COMPANY",
           middleName: nil,
           lastName: "SAMPLE",
           dateOfBirth: Calendar.current.date(from: DateComponents(year: 2000, month: 3, day: 6))!)
    )
    sdk.onboardingClient.updatePersonalDetails(request: request) { result in
       switch result {
       case .success(let response):
           if (response.basicDetails.requestStatus != "OK") {
               // Could not process the request properly. You can retry the request.
           }

       case .failure(let error):
           print("Update personal details error: \(error)")
       }
    }
  }

  /// Line 326 of the seed.
  package static func updateContactDetails(sdk: FinapticSDK, applicationId: String) {
    let contactPhoneNumber = PhoneNumberType(smsCompatible: true, number: "+15141234567")
    let request = UpdateContactDetailsRequest(
       onboardingApplicationId: applicationId,
       customerContactDetails: ContactDetails(
           contactPhoneNumber: contactPhoneNumber,
           customerEmail: "john.miller@mail.com")
    )
    sdk.onboardingClient.updateContactDetails(request: request) { result in
       switch result {
       case .success(let response):
           if (response.basicDetails.requestStatus != "OK") {
               // Could not process the request properly. You can retry the request.
           }

       case .failure(let error):
           print("Update contact details error: \(error)")
       }
    }
  }

  /// Line 368 of the seed.
  package static func updateAccountDetails(sdk: FinapticSDK, applicationId: String, accountPurpose: ReferenceData, sourceOfFunds: ReferenceData, authorizedThirdPartyUsage: Bool) {
    let request = UpdateAccountDetailsRequest(
       onboardingApplicationId: applicationId,
       accountDetails: AccountUsageDetails(
           accountPurpose: accountPurpose.code,
           primarySourceOfFunds: [sourceOfFunds.code],
            authorizedThirdPartyUsage: authorizedThirdPartyUsage)
    )
    sdk.onboardingClient.updateAccountDetails(request: request) { result in
       switch result {
       case .success(let response):
           if (response.basicDetails.requestStatus != "OK") {
               // Could not process the request properly. You can retry the request.
           }

       case .failure(let error):
           print("Update account details error: \(error)")
       }
    }
  }

  /// Line 409 of the seed.
  package static func updateAddresses(sdk: FinapticSDK, applicationId: String, address: Address) {
    let request = UpdateAddressesRequest(
       onboardingApplicationId: applicationId,
       addresses: [address]
    )
    sdk.onboardingClient.updateAddresses(request: request) { result in
       switch result {
       case .success(let response):
           if (response.basicDetails.requestStatus != "OK") {
               // Could not process the request properly. You can retry the request.
           }

       case .failure(let error):
           print("Update addresses error: \(error)")
       }
    }
  }

  /// Line 459 of the seed.
  package static func updateConsents(sdk: FinapticSDK, applicationId: String, consent: ReferenceData) {
    let request = UpdateConsentsRequest(
       onboardingApplicationId: applicationId,
       consents: [
           Consent(consentType: consent.code,
                   consentTimestamp: Date(),
                   documentNameAndVersion: "https://must-be-a-well-formed-url.com/document/1.0",
                   viewTimestamp: Date())
       ]
    )
    sdk.onboardingClient.updateConsents(request: request) { result in
       switch result {
       case .success(let response):
           if (response.basicDetails.requestStatus != "OK") {
               // Could not process the request properly. You can retry the request.
           }

       case .failure(let error):
           print("Update consents error: \(error)")
       }
    }
  }

  /// Line 501 of the seed.
  package static func updateCustomerResidency(sdk: FinapticSDK, applicationId: String) {
    let request = UpdateCustomerResidencyRequest(
       onboardingApplicationId: applicationId,
       residency: CustomerResidency(
           isCanadianTaxResident: true,
           otherResidences: nil,
           sinToken: nil,
           citizenship: "CA")
    )
    sdk.onboardingClient.updateCustomerResidency(request: request) { result in
       switch result {
       case .success(let response):
           if (response.basicDetails.requestStatus != "OK") {
               // Could not process the request properly. You can retry the request.
           }

       case .failure(let error):
           print("Update customer residency error: \(error)")
       }
    }
  }

  /// Line 552 of the seed.
  package static func updateDisclosures(sdk: FinapticSDK, applicationId: String, disclosure: ReferenceData) {
    let request = UpdateDisclosuresRequest(
       onboardingApplicationId: applicationId,
       disclosures: [
           Disclosure(
               disclosureType: disclosure.code,
               timestamp: Date(),
               documentNameAndVersion: "https://must-be-a-well-formed-url.com/document/1.0")
       ]
    )
    sdk.onboardingClient.updateDisclosures(request: request) { result in
       switch result {
       case .success(let response):
           if (response.basicDetails.requestStatus != "OK") {
               // Could not process the request properly. You can retry the request.
           }

       case .failure(let error):
           print("Update disclosures error: \(error)")
       }
    }
  }

  /// Line 600 of the seed.
  package static func updateEmployment(sdk: FinapticSDK, applicationId: String, employment: ReferenceData, industry: ReferenceData, occupation: ReferenceData, address: Address) {
    let phoneNumber = PhoneNumberType(smsCompatible: true, number: "+15141234567")
    let request = UpdateEmploymentRequest(
       onboardingApplicationId: applicationId,
       employmentInfo: Employment(
           employmentStatus: employment.code,
           employerName: "Finaptic",
           industry: industry.code,
           occupation: occupation.code,
           startDate: Calendar.current.date(from: DateComponents(year: 2019, month: 1, day: 1)),
           endDate: Calendar.current.date(from: DateComponents(year: 2020, month: 12, day: 31)),
           workAddress: address,
           phoneNumber: phoneNumber)
    )
    sdk.onboardingClient.updateEmployment(request: request) { result in
       switch result {
       case .success(let response):
           if (response.basicDetails.requestStatus != "OK") {
               // Could not process the request properly. You can retry the request.
           }

       case .failure(let error):
           print("Update employment error: \(error)")
       }
    }
  }

  /// Line 652 of the seed.
  package static func updateCommunicationPreferences(sdk: FinapticSDK, applicationId: String, communicationPreference: ReferenceData) {
    let request = UpdateCommunicationPreferencesRequest(
               onboardingApplicationId: applicationId,
               customerCommunicationPref: communicationPreference.code
    )
    sdk.onboardingClient.updateCommunicationPreferences(request: request) { result in
       switch result {
       case .success(let response):
           if (response.basicDetails.requestStatus != "OK") {
               // Could not process the request properly. You can retry the request.
           }

       case .failure(let error):
           print("Update communication preferences error: \(error)")
       }
    }
  }
}
