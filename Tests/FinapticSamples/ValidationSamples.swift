// SPDX-License-Identifier: Apache-2.0

// swift-format-ignore-file
// The seed's own lines, with the typing errors of finaptic-swift-api §14 mended.

package import Finaptic

/// What each sample names without declaring is its parameter.
@MainActor
package enum ValidationSamples {
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
