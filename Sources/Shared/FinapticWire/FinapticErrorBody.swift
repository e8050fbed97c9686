// SPDX-License-Identifier: Apache-2.0

extension FinapticAPI {
  /// A refusal (finaptic §2.5, §9).
  public struct ErrorBody: Codable, Sendable, Hashable {
    /// The family, such as `INVALID_ARGUMENT`.
    public var code: String
    /// For a person to read; names no values.
    public var message: String
    public var details: ErrorDetails?

    /// Creates the value from its members.
    public init(code: String, message: String, details: ErrorDetails? = nil) {
      (self.code, self.message, self.details) = (code, message, details)
    }
  }

  /// See `ErrorBody`.
  public struct ErrorDetails: Codable, Sendable, Hashable {
    /// The most specific code.
    public var errorCode: String?
    /// The client, such as `onboarding`.
    public var source: String?
    /// What to tell support.
    public var refNumber: String?
    /// All of them at once.
    public var fieldViolations: [FieldViolation]?

    /// Creates the value from its members.
    public init(
      errorCode: String? = nil, source: String? = nil, refNumber: String? = nil,
      fieldViolations: [FieldViolation]? = nil
    ) {
      (self.errorCode, self.source, self.refNumber) = (errorCode, source, refNumber)
      self.fieldViolations = fieldViolations
    }

    enum CodingKeys: String, CodingKey {
      case source
      case errorCode = "error_code"
      case refNumber = "ref_number"
      case fieldViolations = "field_violations"
    }
  }

  /// A member that the server does not take.
  public struct FieldViolation: Codable, Sendable, Hashable {
    /// In Swift names, such as `addresses[0].postalCode`.
    public var field: String
    public var description: String

    /// Creates the value from its members.
    public init(field: String, description: String) {
      (self.field, self.description) = (field, description)
    }
  }
}
