// SPDX-License-Identifier: Apache-2.0

/// A form as the app shows it: template → section → question → option, with bilingual names (Rubix §6.12).
public struct ComplianceTemplate: Codable, Hashable, Sendable {
  /// UUID; the same for every version of a form.
  public var id: String
  /// `CRS`, `FATCA` or `KYC`.
  public var name: String
  /// Counts up; a submission names the version that was shown.
  public var version: Int
  /// The pages of the form, in order.
  public var sections: [Section]

  /// Creates the value from its members.
  public init(id: String, name: String, version: Int, sections: [Section]) {
    self.id = id
    self.name = name
    self.version = version
    self.sections = sections
  }

  /// Questions that belong together on one page.
  public struct Section: Codable, Hashable, Sendable {
    /// A name of its own within the form.
    public var id: String
    /// The heading in English.
    public var name: String
    /// The heading in Arabic.
    public var nameArabic: String?
    /// 1 for a section of the form, 2 for a section inside the one before.
    public var level: Int
    /// How often the section may be filled in, one answer set each; nil means once.
    public var repeatsMax: Int?
    /// The questions, in order.
    public var questions: [Question]

    /// Creates the value from its members.
    public init(
      id: String, name: String, nameArabic: String? = nil, level: Int = 1, repeatsMax: Int? = nil, questions: [Question]
    ) {
      self.id = id
      self.name = name
      self.nameArabic = nameArabic
      self.level = level
      self.repeatsMax = repeatsMax
      self.questions = questions
    }

    enum CodingKeys: String, CodingKey {
      case id, name, level, questions
      case nameArabic = "name_ar"
      case repeatsMax = "repeats_max"
    }
  }
}
