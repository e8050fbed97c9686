// SPDX-License-Identifier: Apache-2.0

/// One answer to a question of a template; `results` of a KYC submission is an array of these (Rubix §6.12).
public struct KYCAnswer: Codable, Hashable, Sendable {
  /// The question that is answered.
  public var questionID: String
  /// Exactly one of this and `optionIDs` is given.
  public var value: Value?
  /// The chosen options of a `choice` or `multi`.
  public var optionIDs: [String]?

  /// Creates the value from its members.
  public init(questionID: String, value: Value) {
    self.questionID = questionID
    self.value = value
  }

  /// Creates the value from its members.
  public init(questionID: String, optionIDs: [String]) {
    self.questionID = questionID
    self.optionIDs = optionIDs
  }

  enum CodingKeys: String, CodingKey, CaseIterable {
    case questionID = "question_id"
    case value
    case optionIDs = "option_ids"
  }

  /// What was answered, told apart by its JSON type.
  public enum Value: Codable, Hashable, Sendable {
    case boolean(Bool)
    /// A text, date, country or signature, or a taxpayer number of the country of the question.
    case text(String)
    case tin(country: String, tin: String)
    case address(ComplianceAddress)

    /// Creates the value from its members.
    public init(from decoder: any Decoder) throws {
      let single = try decoder.singleValueContainer()
      if let boolean = try? single.decode(Bool.self) {
        self = .boolean(boolean)
      } else if let text = try? single.decode(String.self) {
        self = .text(text)
      } else {
        let object = try decoder.container(keyedBy: TINKeys.self)
        if object.contains(.tin) {
          self = .tin(
            country: try object.decode(String.self, forKey: .country), tin: try object.decode(String.self, forKey: .tin)
          )
        } else {
          self = .address(try single.decode(ComplianceAddress.self))
        }
      }
    }

    /// Writes the value as its JSON type.
    public func encode(to encoder: any Encoder) throws {
      switch self {
      case .boolean(let boolean):
        var container = encoder.singleValueContainer()
        try container.encode(boolean)
      case .text(let text):
        var container = encoder.singleValueContainer()
        try container.encode(text)
      case .tin(let country, let tin):
        var container = encoder.container(keyedBy: TINKeys.self)
        try container.encode(country, forKey: .country)
        try container.encode(tin, forKey: .tin)
      case .address(let address):
        var container = encoder.singleValueContainer()
        try container.encode(address)
      }
    }

    enum TINKeys: String, CodingKey, CaseIterable {
      case country, tin
    }
  }
}
