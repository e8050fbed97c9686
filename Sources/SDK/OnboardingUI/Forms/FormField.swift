// SPDX-License-Identifier: Apache-2.0

internal import OnboardingScreens
internal import RubixOnboarding

/// One thing to fill in: a question of a template, or a part of one, such as the town of an address.
struct FormField: Sendable, Equatable {
  enum Kind: Sendable, Equatable {
    case text(max: Int, pattern: String?)
    case date, country, yesNo
    case choice([ComplianceTemplate.Option])
    case multi([ComplianceTemplate.Option], max: Int)
    /// Of a type that this version does not know.
    case unknown
  }

  /// What the template's questions allow when they name no limit.
  static let textMax = 500
  /// The most Unicode scalars of a signature, whatever its question says, and of a postal code.
  static let (signatureMax, postalCodeMax) = (200, 20)

  /// Where its value is kept: the question's id, in a section that repeats after the section's and the row, and for a
  /// part of an answer before the part's name.
  let key: String
  let label: String
  let kind: Kind
  let isRequired: Bool

  /// The fields of a question.
  /// - Parameter needsTINCountry: whether the answer names the country of a taxpayer number itself.
  static func fields(
    of question: ComplianceTemplate.Question, key: String, needsTINCountry: Bool, isStarted: Bool,
    _ texts: OnboardingTexts
  ) -> [FormField] {
    let label = (texts.language == .arabic ? question.titleArabic : nil) ?? question.title
    let isRequired = question.rules.required
    func field(_ kind: Kind) -> FormField { FormField(key: key, label: label, kind: kind, isRequired: isRequired) }
    func part(_ name: String, _ text: OnboardingText, _ kind: Kind, _ isNeeded: Bool) -> FormField {
      FormField(key: "\(key)/\(name)", label: "\(label): \(texts[text])", kind: kind, isRequired: isNeeded)
    }
    let line = Kind.text(max: 100, pattern: nil)
    // An optional answer of several parts needs its parts as soon as one of them is there.
    let isWhole = isRequired || isStarted
    switch question.type {
    case .text: return [field(.text(max: question.rules.max ?? textMax, pattern: question.rules.pattern))]
    case .signature: return [field(.text(max: signatureMax, pattern: nil))]
    case .date: return [field(.date)]
    case .country: return [field(.country)]
    case .boolean: return [field(.yesNo)]
    case .choice: return [field(.choice(question.options))]
    case .multi: return [field(.multi(question.options, max: question.rules.max ?? question.options.count))]
    case .tin:
      let number = Kind.text(max: question.rules.max ?? 40, pattern: question.rules.pattern)
      guard needsTINCountry else { return [field(number)] }
      return [part("country", .addressCountry, .country, isWhole), part("tin", .tinNumber, number, isWhole)]
    case .address:
      return [
        part("line1", .addressLine1, line, isWhole), part("line2", .addressLine2, line, false),
        part("city", .addressCity, line, isWhole), part("region", .addressRegion, line, false),
        part("postal_code", .addressPostalCode, .text(max: postalCodeMax, pattern: nil), false),
        part("country", .addressCountry, .country, isWhole),
      ]
    default: return [field(.unknown)]
    }
  }

  /// What is wrong with a value, for people; nil when nothing is.
  /// - Parameter value: without blanks around it.
  func problem(_ value: String, countries: FormCountries, _ texts: OnboardingTexts) -> String? {
    guard !value.isEmpty else { return isRequired ? texts[.formRequired] : nil }
    switch kind {
    case .text(let max, let pattern):
      // Unicode scalars, as the server counts.
      if value.unicodeScalars.count > max { return texts[.formTooLong, ["count": String(max)]] }
      if let pattern, !Self.matches(value, pattern) { return texts[.formPattern] }
      return nil
    case .date: return WireDate(value) == nil ? texts[.formDate] : nil
    case .country: return countries.code(value) == nil ? texts[.formCountry] : nil
    case .yesNo: return value == "true" || value == "false" ? nil : texts[.formRequired]
    case .choice(let options): return options.contains { $0.id == value } ? nil : texts[.formRequired]
    case .multi(_, let max):
      return Self.chosen(value).count > max ? texts[.formTooMany, ["count": String(max)]] : nil
    case .unknown: return nil
    }
  }

  /// The options that a value of a `multi` names.
  static func chosen(_ value: String) -> [String] { value.split(separator: "\n").map(String.init) }

  /// One that is no pattern of a template refuses nothing here: the server judges.
  static func matches(_ value: String, _ pattern: String) -> Bool { BoundedPattern(pattern)?.matches(value) ?? true }
}
