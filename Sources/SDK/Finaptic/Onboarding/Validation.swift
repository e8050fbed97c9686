// SPDX-License-Identifier: Apache-2.0

/// A document by its pictures.
public struct DocumentInfo: Hashable, Codable, Sendable {
  /// A code of reference data.
  public var documentType: String
  public var documentCountry: String
  /// A name from `createFileUploadURL`.
  public var frontImageFileName: String
  /// The other side, where the document has one.
  public var backImageFileName: String?
  /// A code of `ReferenceDataTypes.state` and the country.
  public var documentState: String?

  /// Creates the value from its members.
  public init(
    documentType: String, documentCountry: String, frontImageFileName: String, backImageFileName: String? = nil,
    documentState: String? = nil
  ) {
    self.documentType = documentType
    self.documentCountry = documentCountry
    self.frontImageFileName = frontImageFileName
    (self.backImageFileName, self.documentState) = (backImageFileName, documentState)
  }
}

/// What to ask `validateDocuments` for.
public struct ValidateDocumentsRequest: Hashable, Codable, Sendable {
  public var onboardingApplicationId: String
  public var documentDetails: [DocumentInfo]

  /// Creates the value from its members.
  public init(onboardingApplicationId: String, documentDetails: [DocumentInfo]) {
    (self.onboardingApplicationId, self.documentDetails) = (onboardingApplicationId, documentDetails)
  }
}

/// What `validateDocuments` answers.
public struct ValidateDocumentsResponse: Hashable, Codable, Sendable {
  public var basicDetails: OnboardingOperationResponseDetails

  /// Creates the value from its members.
  public init(basicDetails: OnboardingOperationResponseDetails) {
    self.basicDetails = basicDetails
  }
}

/// What to ask `validateSelfie` for.
public struct ValidateSelfieRequest: Hashable, Codable, Sendable {
  public var onboardingApplicationId: String
  /// A name from `createFileUploadURL`.
  public var fileName: String

  /// Creates the value from its members.
  public init(onboardingApplicationId: String, fileName: String) {
    (self.onboardingApplicationId, self.fileName) = (onboardingApplicationId, fileName)
  }
}

/// What `validateSelfie` answers.
public struct ValidateSelfieResponse: Hashable, Codable, Sendable {
  public var basicDetails: OnboardingOperationResponseDetails

  /// Creates the value from its members.
  public init(basicDetails: OnboardingOperationResponseDetails) {
    self.basicDetails = basicDetails
  }
}

/// What to ask `validateApplication` for.
public struct ValidateApplicationRequest: Hashable, Codable, Sendable {
  public var onboardingApplicationId: String
  public var documentDetails: [DocumentInfo]
  /// A name from `createFileUploadURL`, in place of an earlier one.
  public var selfieFileName: String?

  /// Creates the value from its members.
  public init(onboardingApplicationId: String, documentDetails: [DocumentInfo] = [], selfieFileName: String? = nil) {
    self.onboardingApplicationId = onboardingApplicationId
    self.documentDetails = documentDetails
    self.selfieFileName = selfieFileName
  }
}

/// What `validateApplication` answers.
public struct ValidateApplicationResponse: Hashable, Codable, Sendable {
  public var basicDetails: OnboardingOperationResponseDetails

  /// Creates the value from its members.
  public init(basicDetails: OnboardingOperationResponseDetails) {
    self.basicDetails = basicDetails
  }
}
