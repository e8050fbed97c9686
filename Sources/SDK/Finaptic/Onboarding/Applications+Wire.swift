// SPDX-License-Identifier: Apache-2.0

internal import FinapticWire

extension InitiateApplicationRequest {
  var wire: FinapticAPI.InitiateApplicationRequest {
    FinapticAPI.InitiateApplicationRequest(bundleId: bundleId, customerId: customerId)
  }
}

extension GetApplicationStatusRequest {
  var wire: FinapticAPI.ApplicationStatusRequest {
    FinapticAPI.ApplicationStatusRequest(applicationId: applicationId)
  }
}

extension ValidateDocumentsRequest {
  var wire: FinapticAPI.ValidateDocumentsRequest {
    FinapticAPI.ValidateDocumentsRequest(
      onboardingApplicationId: onboardingApplicationId, documentDetails: documentDetails.map(\.wire))
  }
}

extension DocumentInfo {
  var wire: FinapticAPI.DocumentInfo {
    FinapticAPI.DocumentInfo(
      documentType: documentType, documentCountry: documentCountry, frontImageFileName: frontImageFileName,
      backImageFileName: backImageFileName, documentState: documentState)
  }
}

extension ValidateSelfieRequest {
  var wire: FinapticAPI.ValidateSelfieRequest {
    FinapticAPI.ValidateSelfieRequest(onboardingApplicationId: onboardingApplicationId, fileName: fileName)
  }
}

extension ValidateApplicationRequest {
  var wire: FinapticAPI.ValidateApplicationRequest {
    FinapticAPI.ValidateApplicationRequest(
      onboardingApplicationId: onboardingApplicationId, documentDetails: documentDetails.map(\.wire),
      selfieFileName: selfieFileName)
  }
}

extension OnboardingOperationResponseDetails {
  init(_ wire: FinapticAPI.BasicDetails) {
    self.init(
      applicationId: wire.applicationId,
      onboardingApplicationStatus: ApplicationStatus(rawValue: wire.onboardingApplicationStatus),
      requestStatus: wire.requestStatus, requestStatusReason: wire.requestStatusReason ?? "",
      requestReasonCodes: wire.requestReasonCodes ?? [], remainingAllowedRetries: wire.remainingAllowedRetries,
      failureStatusCodes: wire.failureStatusCodes ?? [],
      verificationNeeded: (wire.verificationNeeded ?? []).map {
        OnboardingVerification(name: $0.name, requiredUpdates: $0.requiredUpdates)
      },
      consents: (wire.consents ?? []).map { TermsAndConditions($0) },
      disclosures: (wire.disclosures ?? []).map { TermsAndConditions($0) },
      permittedUpdates: wire.permittedUpdates ?? [])
  }
}

extension TermsAndConditions {
  init(_ wire: FinapticAPI.Terms) {
    self.init(
      documentType: wire.documentType, documentNameAndVersion: wire.documentNameAndVersion,
      neededBeforeValidation: wire.neededBeforeValidation)
  }
}
