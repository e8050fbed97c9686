// SPDX-License-Identifier: Apache-2.0

extension FinapticAPI {
  /// What `initiateApplication` takes (finaptic §3.1).
  public struct InitiateApplicationRequest: Codable, Sendable, Hashable {
    public var bundleId: String?
    /// The caller's own, when the app names it.
    public var customerId: String?

    /// Creates the value from its members.
    public init(bundleId: String? = nil, customerId: String? = nil) {
      (self.bundleId, self.customerId) = (bundleId, customerId)
    }

    enum CodingKeys: String, CodingKey {
      case bundleId = "bundle_id"
      case customerId = "customer_id"
    }
  }

  /// What the calls take that need nothing but the application: upload address, accept, both finalise calls, cancel.
  public struct ApplicationRequest: Codable, Sendable, Hashable {
    public var onboardingApplicationId: String?

    /// Creates the value from its members.
    public init(onboardingApplicationId: String? = nil) {
      self.onboardingApplicationId = onboardingApplicationId
    }

    enum CodingKeys: String, CodingKey {
      case onboardingApplicationId = "onboarding_application_id"
    }
  }

  /// What `getApplicationStatus` takes.
  public struct ApplicationStatusRequest: Codable, Sendable, Hashable {
    public var applicationId: String?

    /// Creates the value from its members.
    public init(applicationId: String? = nil) {
      self.applicationId = applicationId
    }

    enum CodingKeys: String, CodingKey {
      case applicationId = "application_id"
    }
  }

  /// What every call about an application answers; `finalizeApplicationCreateCustomer` and
  /// `finalizeApplicationCreateProduct` add a member each.
  public struct ApplicationResponse: Codable, Sendable, Hashable {
    public var basicDetails: BasicDetails
    /// Of `finalizeApplicationCreateCustomer`.
    public var customerId: String?
    /// Of `finalizeApplicationCreateProduct`; empty when the bundle has none.
    public var products: [OnboardedProduct]?

    /// Creates the value from its members.
    public init(basicDetails: BasicDetails, customerId: String? = nil, products: [OnboardedProduct]? = nil) {
      (self.basicDetails, self.customerId, self.products) = (basicDetails, customerId, products)
    }

    enum CodingKeys: String, CodingKey {
      case products
      case basicDetails = "basic_details"
      case customerId = "customer_id"
    }
  }

  /// The state of an application after the call (finaptic §5.7).
  public struct BasicDetails: Codable, Sendable, Hashable {
    public var applicationId: String
    /// One of the words of §5.1, such as `Data Collection`.
    public var onboardingApplicationStatus: String
    /// `OK` or `FAILED` (§5.8).
    public var requestStatus: String
    public var requestStatusReason: String?
    public var requestReasonCodes: [String]?
    /// 3…0 (§5.5).
    public var remainingAllowedRetries: Int
    /// Codes of FAILURE_CODE.
    public var failureStatusCodes: [String]?
    public var verificationNeeded: [Verification]?
    public var consents: [Terms]?
    public var disclosures: [Terms]?
    /// Names of requests that the status takes.
    public var permittedUpdates: [String]?

    /// Creates the value from its members.
    public init(
      applicationId: String, onboardingApplicationStatus: String, requestStatus: String,
      requestStatusReason: String? = nil, requestReasonCodes: [String]? = nil, remainingAllowedRetries: Int,
      failureStatusCodes: [String]? = nil, verificationNeeded: [Verification]? = nil, consents: [Terms]? = nil,
      disclosures: [Terms]? = nil, permittedUpdates: [String]? = nil
    ) {
      self.applicationId = applicationId
      self.onboardingApplicationStatus = onboardingApplicationStatus
      self.requestStatus = requestStatus
      self.requestStatusReason = requestStatusReason
      self.requestReasonCodes = requestReasonCodes
      self.remainingAllowedRetries = remainingAllowedRetries
      self.failureStatusCodes = failureStatusCodes
      self.verificationNeeded = verificationNeeded
      self.consents = consents
      (self.disclosures, self.permittedUpdates) = (disclosures, permittedUpdates)
    }

    enum CodingKeys: String, CodingKey {
      case applicationId = "application_id"
      case onboardingApplicationStatus = "onboarding_application_status"
      case requestStatus = "request_status"
      case requestStatusReason = "request_status_reason"
      case requestReasonCodes = "request_reason_codes"
      case remainingAllowedRetries = "remaining_allowed_retries"
      case failureStatusCodes = "failure_status_codes"
      case verificationNeeded = "verification_needed"
      case consents = "Consents"
      case disclosures = "Disclosures"
      case permittedUpdates = "permitted_updates"
    }
  }

  /// What is to be verified, and the updates that it needs (finaptic §5.3).
  public struct Verification: Codable, Sendable, Hashable {
    /// `KYC`, `ProfileCreation` or `AccountUsage`.
    public var name: String
    /// Such as `UpdateAccountDetailsRequest`.
    public var requiredUpdates: [String]

    /// Creates the value from its members.
    public init(name: String, requiredUpdates: [String]) {
      (self.name, self.requiredUpdates) = (name, requiredUpdates)
    }

    enum CodingKeys: String, CodingKey {
      case name
      case requiredUpdates = "required_updates"
    }
  }

  /// A document to be read and accepted.
  public struct Terms: Codable, Sendable, Hashable {
    /// A code of CONSENT_TYPE or DISCLOSURE_TYPE.
    public var documentType: String
    /// Its URL.
    public var documentNameAndVersion: String
    public var neededBeforeValidation: Bool

    /// Creates the value from its members.
    public init(documentType: String, documentNameAndVersion: String, neededBeforeValidation: Bool) {
      self.documentType = documentType
      self.documentNameAndVersion = documentNameAndVersion
      self.neededBeforeValidation = neededBeforeValidation
    }

    enum CodingKeys: String, CodingKey {
      case documentType = "document_type"
      case documentNameAndVersion = "document_name_and_version"
      case neededBeforeValidation = "needed_before_validation"
    }
  }

  /// An account or a card that was opened.
  public struct OnboardedProduct: Codable, Sendable, Hashable {
    public var productId: String
    /// `core-banking` or `core-card`.
    public var sourceDomain: String

    /// Creates the value from its members.
    public init(productId: String, sourceDomain: String) {
      (self.productId, self.sourceDomain) = (productId, sourceDomain)
    }

    enum CodingKeys: String, CodingKey {
      case productId = "product_id"
      case sourceDomain = "source_domain"
    }
  }

  /// A name to store an image under, and where to put it (finaptic §6.1).
  public struct FileUploadResponse: Codable, Sendable, Hashable {
    public var filename: String
    /// Signed, for one use within 15 minutes.
    public var uploadUrl: String

    /// Creates the value from its members.
    public init(filename: String, uploadUrl: String) {
      (self.filename, self.uploadUrl) = (filename, uploadUrl)
    }

    enum CodingKeys: String, CodingKey {
      case filename
      case uploadUrl = "upload_url"
    }
  }
}
