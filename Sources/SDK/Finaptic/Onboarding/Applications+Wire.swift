internal import GatehouseWire

extension InitiateApplicationRequest {
  var wire: FinapticWire.InitiateApplicationRequest {
    FinapticWire.InitiateApplicationRequest(bundleId: bundleId, customerId: customerId)
  }
}

extension GetApplicationStatusRequest {
  var wire: FinapticWire.ApplicationStatusRequest {
    FinapticWire.ApplicationStatusRequest(applicationId: applicationId)
  }
}

extension ValidateDocumentsRequest {
  var wire: FinapticWire.ValidateDocumentsRequest {
    FinapticWire.ValidateDocumentsRequest(
      onboardingApplicationId: onboardingApplicationId, documentDetails: documentDetails.map(\.wire))
  }
}

extension DocumentInfo {
  var wire: FinapticWire.DocumentInfo {
    FinapticWire.DocumentInfo(
      documentType: documentType, documentCountry: documentCountry, frontImageFileName: frontImageFileName,
      backImageFileName: backImageFileName, documentState: documentState)
  }
}

extension ValidateSelfieRequest {
  var wire: FinapticWire.ValidateSelfieRequest {
    FinapticWire.ValidateSelfieRequest(onboardingApplicationId: onboardingApplicationId, fileName: fileName)
  }
}

extension ValidateApplicationRequest {
  var wire: FinapticWire.ValidateApplicationRequest {
    FinapticWire.ValidateApplicationRequest(
      onboardingApplicationId: onboardingApplicationId, documentDetails: documentDetails.map(\.wire),
      selfieFileName: selfieFileName)
  }
}

extension OnboardingOperationResponseDetails {
  init(_ wire: FinapticWire.BasicDetails) {
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
  init(_ wire: FinapticWire.Terms) {
    self.init(
      documentType: wire.documentType, documentNameAndVersion: wire.documentNameAndVersion,
      neededBeforeValidation: wire.neededBeforeValidation)
  }
}
