// SPDX-License-Identifier: Apache-2.0

/// A code and its text.
public struct ReferenceData: Hashable, Codable, Sendable {
  /// One of `ReferenceDataTypes`.
  public var dataType: String
  public var code: String
  /// The text in the language of `locale`.
  public var value: String
  /// `EN_CA` or `FR_CA`.
  public var locale: String

  /// Creates the value from its members.
  public init(dataType: String, code: String, value: String, locale: String) {
    (self.dataType, self.code, self.value) = (dataType, code, value)
    self.locale = locale
  }
}

/// What to ask `getReferenceDataByType` for.
public struct GetReferenceDataByTypeRequest: Hashable, Codable, Sendable {
  /// One of `ReferenceDataTypes`.
  public var dataType: String
  /// `EN_CA` or `FR_CA`.
  public var locale: String

  /// Creates the value from its members.
  public init(dataType: String, locale: String) {
    (self.dataType, self.locale) = (dataType, locale)
  }
}

/// What `getReferenceDataByType` answers.
public struct GetReferenceDataByTypeResponse: Hashable, Codable, Sendable {
  public var data: [ReferenceData]

  /// Creates the value from its members.
  public init(data: [ReferenceData]) {
    self.data = data
  }
}
