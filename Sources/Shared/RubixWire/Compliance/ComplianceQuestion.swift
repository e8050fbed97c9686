// SPDX-License-Identifier: Apache-2.0

import GatehouseWire

extension ComplianceTemplate {
  /// One question of a form.
  ///
  /// In the CRS and FATCA templates the id is the path of the member in the typed results,
  /// `account_holder.family_name`; in a section that repeats, the path inside one row.
  public struct Question: Codable, Hashable, Sendable {
    /// What an answer names.
    public var id: String
    /// The question in English.
    public var title: String
    /// The question in Arabic.
    public var titleArabic: String?
    /// What kind of answer it takes.
    public var type: QuestionType
    /// What the answer must keep to.
    public var rules: Rules
    /// What may be chosen; empty unless the type is `choice` or `multi`.
    public var options: [Option]

    /// Creates the value from its members.
    public init(
      id: String, title: String, titleArabic: String? = nil, type: QuestionType, rules: Rules = Rules(),
      options: [Option] = []
    ) {
      self.id = id
      self.title = title
      self.titleArabic = titleArabic
      self.type = type
      self.rules = rules
      self.options = options
    }

    enum CodingKeys: String, CodingKey {
      case id, title, type, rules, options
      case titleArabic = "title_ar"
    }
  }

  /// What kind of answer a question takes. A client that meets an unknown type asks the user to update the app.
  public struct QuestionType: OpenEnumeration {
    /// The word on the wire.
    public let rawValue: String

    /// Wraps any word, known or not.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// Any text.
    public static let text = QuestionType(rawValue: "text")
    /// `YYYY-MM-DD`.
    public static let date = QuestionType(rawValue: "date")
    /// ISO 3166-1 alpha-2.
    public static let country = QuestionType(rawValue: "country")
    /// Yes or no.
    public static let boolean = QuestionType(rawValue: "boolean")
    /// Exactly one option.
    public static let choice = QuestionType(rawValue: "choice")
    /// One option or more.
    public static let multi = QuestionType(rawValue: "multi")
    /// A taxpayer number and its country.
    public static let tin = QuestionType(rawValue: "tin")
    /// A `ComplianceAddress`.
    public static let address = QuestionType(rawValue: "address")
    /// The name of the signer, typed by the signer.
    public static let signature = QuestionType(rawValue: "signature")

    /// Every word that this version knows.
    public static let known: [QuestionType] = [
      .text, .date, .country, .boolean, .choice, .multi, .tin, .address, .signature,
    ]
  }

  /// What an answer must keep to.
  public struct Rules: Codable, Hashable, Sendable {
    /// Whether an answer must be given when the question is shown.
    public var required: Bool
    /// The most characters of a text, or the most options of a `multi`.
    public var max: Int?
    /// A pattern that the whole text must match: a sequence of characters, classes `[…]`, `\d` and `.`, each with at
    /// most one of `?`, `*`, `+`, `{n}`, `{n,}`, `{n,m}`; no groups and no alternatives, so it never backtracks.
    public var pattern: String?
    /// The question is shown only when this holds.
    public var dependsOn: Dependency?

    /// Creates the value from its members.
    public init(required: Bool = false, max: Int? = nil, pattern: String? = nil, dependsOn: Dependency? = nil) {
      self.required = required
      self.max = max
      self.pattern = pattern
      self.dependsOn = dependsOn
    }

    enum CodingKeys: String, CodingKey {
      case required, max, pattern
      case dependsOn = "depends_on"
    }
  }

  /// Another question, and the answers to it of which one must have been given.
  public struct Dependency: Codable, Hashable, Sendable {
    /// The question that this one depends on.
    public var questionID: String
    /// Option ids; `true` or `false` of a boolean; the value of any other question.
    public var anyOf: [String]

    /// Creates the value from its members.
    public init(questionID: String, anyOf: [String]) {
      self.questionID = questionID
      self.anyOf = anyOf
    }

    enum CodingKeys: String, CodingKey {
      case questionID = "question_id"
      case anyOf = "any_of"
    }
  }

  /// One answer of a `choice` or `multi`.
  public struct Option: Codable, Hashable, Sendable {
    /// What an answer names.
    public var id: String
    /// The option in English.
    public var name: String
    /// The option in Arabic.
    public var nameArabic: String?

    /// Creates the value from its members.
    public init(id: String, name: String, nameArabic: String? = nil) {
      self.id = id
      self.name = name
      self.nameArabic = nameArabic
    }

    enum CodingKeys: String, CodingKey {
      case id, name
      case nameArabic = "name_ar"
    }
  }
}
