// SPDX-License-Identifier: Apache-2.0

extension FinapticAPI {
  /// Which list, in which language.
  public struct ReferenceDataRequest: Codable, Sendable, Hashable {
    /// Such as `STATE_CA` (finaptic §7).
    public var dataType: String?
    /// `EN_CA` or `FR_CA`.
    public var locale: String?

    /// Creates the value from its members.
    public init(dataType: String? = nil, locale: String? = nil) {
      (self.dataType, self.locale) = (dataType, locale)
    }

    enum CodingKeys: String, CodingKey {
      case locale
      case dataType = "data_type"
    }
  }

  /// The list in the order to show it.
  public struct ReferenceDataResponse: Codable, Sendable, Hashable {
    public var data: [ReferenceData]

    /// Creates the value from its members.
    public init(data: [ReferenceData]) {
      self.data = data
    }
  }

  /// A code and its text.
  public struct ReferenceData: Codable, Sendable, Hashable {
    public var dataType: String
    public var code: String
    /// In the language of `locale`.
    public var value: String
    public var locale: String

    /// Creates the value from its members.
    public init(dataType: String, code: String, value: String, locale: String) {
      (self.dataType, self.code, self.value) = (dataType, code, value)
      self.locale = locale
    }

    enum CodingKeys: String, CodingKey {
      case code, value, locale
      case dataType = "data_type"
    }
  }

  /// What an app needs before its first call: `GET /finaptic/v1/configuration`.
  public struct Configuration: Codable, Sendable, Hashable {
    /// One for each code of CONSENT_TYPE.
    public var consents: [Terms]
    /// Changes whenever a list does.
    public var referenceDataVersion: String

    /// Creates the value from its members.
    public init(consents: [Terms], referenceDataVersion: String) {
      (self.consents, self.referenceDataVersion) = (consents, referenceDataVersion)
    }

    enum CodingKeys: String, CodingKey {
      case consents
      case referenceDataVersion = "reference_data_version"
    }
  }
}
