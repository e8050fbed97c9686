// swift-format-ignore-file: the seed's own lines, with the typing errors of finaptic-swift-api §14 mended.
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

  /// Line 707 of the seed.
  package static func validateDocuments(sdk: FinapticSDK, applicationId: String, documentType: ReferenceData, documentStateType: ReferenceData, idFrontFileUpload: CreateFileUploadUrlResponse, idBackFileUpload: CreateFileUploadUrlResponse) {
    let request = ValidateDocumentsRequest(
       onboardingApplicationId: applicationId,
       documentDetails: [
           DocumentInfo(
               documentType: documentType.code,
               documentCountry: "CA",
               frontImageFileName: idFrontFileUpload.filename,
               backImageFileName: idBackFileUpload.filename,

                // The state issuing the document used to identify the applicant.
                // documentState must be set when document type is driver license.
                // The value stored here is one of the code values retrieved from the
                // ReferenceDataClient with dataType set to ReferenceDataTypes.state concatenate with country code retrieved from dataType set to ReferenceDataTypes.country.
                // e.g. 'STATE_CA' will retrieve all states from Canada ('BC', 'AB', 'QC'...)
                documentState: documentStateType.code)
       ]
    )
    sdk.onboardingClient.validateDocuments(request: request) { result in
       switch result {
       case .success(let response):
           if (response.basicDetails.requestStatus != "OK") {
               // Could not process the request properly. You can retry the request.
           }

           // The following check is only for validateSelfie, validateDocuments and validateApplication
           if (response.basicDetails.onboardingApplicationStatus == ApplicationStatus.dataCollection ||
               response.basicDetails.onboardingApplicationStatus == ApplicationStatus.kycFailed ||
               response.basicDetails.onboardingApplicationStatus == ApplicationStatus.kycRejected) {

               // The user was not approved during validation.
               // You may ask the user to check his info, retake the images and update/validate again.

               let failureStatusCodes = response.basicDetails.failureStatusCodes
               if (!failureStatusCodes.isEmpty) {
                    // The list of codes explaining the reason of the request outcome.
                    // This list will only be populated when request status is "KYC Failed", "KYC Rejected", or "Application Rejected".
                    // The list will otherwise be empty. The value stored here is one of the code values retrieved from the
                    // ReferenceDataClient with dataType set to ReferenceDataClient.failureCode.

                    // You can't retry after getting one of the following error codes:
                    // FAILURE_CODE_DEFAULT
                    // FAILURE_CODE_AGE_OF_MAJORITY

                    print("failureStatusCodes: \(failureStatusCodes)")
               }
           }

       case .failure(let error):
           print("Validate documents error: \(error)")
       }
    }
  }

  /// Line 789 of the seed.
  package static func validateSelfie(sdk: FinapticSDK, applicationId: String, selfieFileUpload: CreateFileUploadUrlResponse) {
    let request = ValidateSelfieRequest(
       onboardingApplicationId: applicationId,
       fileName: selfieFileUpload.filename
    )
    sdk.onboardingClient.validateSelfie(request: request) { result in
       switch result {
       case .success(let response):
           if (response.basicDetails.requestStatus != "OK") {
               // Could not process the request properly. You can retry the request.
           }

           // The following check is only for validateSelfie, validateDocuments and validateApplication
           if (response.basicDetails.onboardingApplicationStatus == ApplicationStatus.dataCollection ||
               response.basicDetails.onboardingApplicationStatus == ApplicationStatus.kycFailed ||
               response.basicDetails.onboardingApplicationStatus == ApplicationStatus.kycRejected) {

               // The user was not approved during validation.
               // You may ask the user to check his info, retake the images and update/validate again.

               let failureStatusCodes = response.basicDetails.failureStatusCodes
               if (!failureStatusCodes.isEmpty) {
                    // The list of codes explaining the reason of the request outcome.
                    // This list will only be populated when request status is "KYC Failed", "KYC Rejected", or "Application Rejected".
                    // The list will otherwise be empty. The value stored here is one of the code values retrieved from the
                    // ReferenceDataClient with dataType set to ReferenceDataClient.failureCode.

                    // You can't retry after getting one of the following error codes:
                    // FAILURE_CODE_DEFAULT
                    // FAILURE_CODE_AGE_OF_MAJORITY

                    print("failureStatusCodes: \(failureStatusCodes)")
               }
           }

       case .failure(let error):
           print("Validate selfie error: \(error)")
       }
    }
  }

  /// Line 848 of the seed.
  package static func validateApplication(sdk: FinapticSDK, applicationId: String) {
    let request = ValidateApplicationRequest(onboardingApplicationId: applicationId)
    sdk.onboardingClient.validateApplication(request: request) { result in
       switch result {
       case .success(let response):
           if (response.basicDetails.requestStatus != "OK") {
               // Could not process the request properly. You can retry the request.
           }

           // The following check is only for validateSelfie, validateDocuments and validateApplication
           if (response.basicDetails.onboardingApplicationStatus == ApplicationStatus.dataCollection ||
               response.basicDetails.onboardingApplicationStatus == ApplicationStatus.kycFailed ||
               response.basicDetails.onboardingApplicationStatus == ApplicationStatus.kycRejected) {

               // The user was not approved during validation.
               // You may ask the user to check his info, retake the images and update/validate again.

               let failureStatusCodes = response.basicDetails.failureStatusCodes
               if (!failureStatusCodes.isEmpty) {
                    // The list of codes explaining the reason of the request outcome.
                    // This list will only be populated when request status is "KYC Failed", "KYC Rejected", or "Application Rejected".
                    // The list will otherwise be empty. The value stored here is one of the code values retrieved from the
                    // ReferenceDataClient with dataType set to ReferenceDataClient.failureCode.

                    // You can't retry after getting one of the following error codes:
                    // FAILURE_CODE_DEFAULT
                    // FAILURE_CODE_AGE_OF_MAJORITY

                    print("failureStatusCodes: \(failureStatusCodes)")
               }
           }

       case .failure(let error):
           print("Validate application error: \(error)")
       }
    }
  }

  /// Line 903 of the seed.
  package static func acceptApplication(sdk: FinapticSDK, applicationId: String) {
    let request = AcceptApplicationRequest(onboardingApplicationId: applicationId)
    sdk.onboardingClient.acceptApplication(request: request) { result in
       switch result {
       case .success(let response):
           if (response.basicDetails.requestStatus != "OK") {
               // Could not process the request properly. You can retry the request.
           }

       case .failure(let error):
           print("Accept application error: \(error)")
       }
    }
  }

  /// Line 929 of the seed.
  package static func finalizeApplicationCreateCustomer(sdk: FinapticSDK, applicationId: String) {
    let request = FinalizeApplicationCreateCustomerRequest(onboardingApplicationId: applicationId)
    sdk.onboardingClient.finalizeApplicationCreateCustomer(request: request) { result in
       switch result {
       case .success(let response):
           if (response.basicDetails.requestStatus != "OK") {
               // Could not process the request properly. You can retry the request.
           }

       case .failure(let error):
           print("Finalize application create customer error: \(error)")
       }
    }
  }

  /// Line 955 of the seed.
  package static func finalizeApplicationCreateProduct(sdk: FinapticSDK, applicationId: String) {
    let request = FinalizeApplicationCreateProductRequest(onboardingApplicationId: applicationId)
    sdk.onboardingClient.finalizeApplicationCreateProduct(request: request) { result in
       switch result {
       case .success(let response):
           if (response.basicDetails.requestStatus != "OK") {
               // Could not process the request properly. You can retry the request.
           }

       case .failure(let error):
           print("Finalize application create product error: \(error)")
       }
    }
  }
}
