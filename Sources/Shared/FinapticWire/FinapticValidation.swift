// SPDX-License-Identifier: Apache-2.0

extension FinapticAPI {
  /// The pictures of the documents.
  public struct ValidateDocumentsRequest: Codable, Sendable, Hashable {
    public var onboardingApplicationId: String?
    public var documentDetails: [DocumentInfo]?

    /// Creates the value from its members.
    public init(onboardingApplicationId: String? = nil, documentDetails: [DocumentInfo]? = nil) {
      (self.onboardingApplicationId, self.documentDetails) = (onboardingApplicationId, documentDetails)
    }

    enum CodingKeys: String, CodingKey {
      case onboardingApplicationId = "onboarding_application_id"
      case documentDetails = "document_details"
    }
  }

  /// A document by its pictures (finaptic §6.2).
  public struct DocumentInfo: Codable, Sendable, Hashable {
    /// A code of DOCUMENT_TYPE.
    public var documentType: String?
    public var documentCountry: String?
    /// A name from `createFileUploadURL`.
    public var frontImageFileName: String?
    public var backImageFileName: String?
    /// A code of `STATE_<country>`.
    public var documentState: String?

    /// Creates the value from its members.
    public init(
      documentType: String? = nil, documentCountry: String? = nil, frontImageFileName: String? = nil,
      backImageFileName: String? = nil, documentState: String? = nil
    ) {
      self.documentType = documentType
      self.documentCountry = documentCountry
      self.frontImageFileName = frontImageFileName
      (self.backImageFileName, self.documentState) = (backImageFileName, documentState)
    }

    enum CodingKeys: String, CodingKey {
      case documentType = "document_type"
      case documentCountry = "document_country"
      case frontImageFileName = "front_image_file_name"
      case backImageFileName = "back_image_file_name"
      case documentState = "document_state"
    }
  }

  /// The picture of the face.
  public struct ValidateSelfieRequest: Codable, Sendable, Hashable {
    public var onboardingApplicationId: String?
    /// A name from `createFileUploadURL`.
    public var fileName: String?

    /// Creates the value from its members.
    public init(onboardingApplicationId: String? = nil, fileName: String? = nil) {
      (self.onboardingApplicationId, self.fileName) = (onboardingApplicationId, fileName)
    }

    enum CodingKeys: String, CodingKey {
      case onboardingApplicationId = "onboarding_application_id"
      case fileName = "file_name"
    }
  }

  /// The whole application; pictures named here take the place of earlier ones.
  public struct ValidateApplicationRequest: Codable, Sendable, Hashable {
    public var onboardingApplicationId: String?
    public var documentDetails: [DocumentInfo]?
    public var selfieFileName: String?

    /// Creates the value from its members.
    public init(
      onboardingApplicationId: String? = nil, documentDetails: [DocumentInfo]? = nil, selfieFileName: String? = nil
    ) {
      self.onboardingApplicationId = onboardingApplicationId
      self.documentDetails = documentDetails
      self.selfieFileName = selfieFileName
    }

    enum CodingKeys: String, CodingKey {
      case onboardingApplicationId = "onboarding_application_id"
      case documentDetails = "document_details"
      case selfieFileName = "selfie_file_name"
    }
  }
}
