// SPDX-License-Identifier: Apache-2.0

public import CryptoPrimitives
public import OnboardingScreens
public import RubixOnboarding

/// A form of the institution, a section a page. It asks what the template asks, and nothing else.
public struct FormScreen: Sendable, Equatable, Redacted {
  /// What happens. Keys are those of the fields.
  public enum Event: Sendable, Redacted {
    case typed(String, key: String)
    case chosen(String, key: String)
    case addRow
    case removeRow(Int)
    case next
  }

  /// Which form.
  public let form: ComplianceForm
  /// As the server gave it.
  public let template: ComplianceTemplate
  let countries: FormCountries
  /// What was entered, by field.
  public private(set) var values: [String: String]
  /// How often a section is filled in that repeats.
  public private(set) var rows: [String: Int] = [:]
  /// The section that is shown.
  public private(set) var place = 0
  /// What is wrong, by field; for people.
  public private(set) var problems: [String: String] = [:]
  /// Whether it is on its way.
  public private(set) var isSubmitting = false

  /// - Parameters:
  ///   - countries: to choose from; empty when they could not be loaded.
  ///   - customer: whose name and date of birth are filled in.
  ///   - today: filled in as the day of signing.
  public init(
    _ form: ComplianceForm, _ template: ComplianceTemplate, countries: [ReferenceCountry] = [],
    customer: CustomerView? = nil, today: WireDate? = nil
  ) {
    (self.form, self.template, self.countries) = (form, template, FormCountries(all: countries))
    values = Self.prefilled(template, customer, today)
    place = template.sections.indices.first { isShown($0, OnboardingTexts(.english)) } ?? 0
  }

  /// Whether it asks something that this version cannot show.
  public var isTooNew: Bool {
    template.sections.isEmpty
      || template.sections.contains { section in
        section.questions.contains { !ComplianceTemplate.QuestionType.known.contains($0.type) }
      }
  }

  /// The page that is shown; an empty one of a template that has none, which is too new.
  var section: ComplianceTemplate.Section {
    template.sections.isEmpty ? .init(id: "", name: "", questions: []) : template.sections[place]
  }

  /// Takes an event in.
  /// - Returns: what is to be sent when the last page was filled in.
  public mutating func handle(_ event: Event, _ texts: OnboardingTexts) -> FormSubmission? {
    guard !isSubmitting else { return nil }
    switch event {
    case .typed(let text, let key): set(String(text.prefix(Self.typedMax)), key)
    case .chosen(let option, let key): choose(option, key, texts)
    case .addRow:
      // A server may say any number.
      if let most = section.repeatsMax { rows[section.id] = max(1, min(count(section) + 1, most)) }
    case .removeRow(let row): remove(row)
    case .next: return next(texts)
    }
    return nil
  }

  /// Leads to the page before.
  /// - Returns: false when this is the first one.
  public mutating func goBack(_ texts: OnboardingTexts) -> Bool {
    guard !isSubmitting, let before = template.sections.indices.prefix(place).last(where: { isShown($0, texts) }) else {
      return false
    }
    (place, problems) = (before, [:])
    return true
  }

  /// Characters of an answer.
  static let typedMax = 2000

  // MARK: Answers

  private mutating func set(_ value: String, _ key: String) {
    values[key] = value.isEmpty ? nil : value
    problems[key] = nil
  }

  private mutating func choose(_ option: String, _ key: String, _ texts: OnboardingTexts) {
    guard let field = fields(texts).first(where: { $0.key == key }) else { return }
    if case .multi(let options, _) = field.kind {
      var chosen = Set(FormField.chosen(values[key] ?? ""))
      if chosen.remove(option) == nil { chosen.insert(option) }
      // In the order of the template, so that the same choice is the same answer.
      set(options.map(\.id).filter { chosen.contains($0) }.joined(separator: "\n"), key)
    } else {
      // What is optional can be taken back.
      set(values[key] == option && !field.isRequired ? "" : option, key)
    }
  }

  private mutating func remove(_ row: Int) {
    let section = section
    let count = count(section)
    guard count > 1, (0..<count).contains(row) else { return }
    let prefix = { (row: Int) in "\(section.id)/\(row)/" }
    for number in row..<count {
      for key in values.keys where key.hasPrefix(prefix(number)) { values[key] = nil }
      for (key, value) in values where key.hasPrefix(prefix(number + 1)) {
        values[prefix(number) + key.dropFirst(prefix(number + 1).count)] = value
      }
    }
    (rows[section.id], problems) = (count - 1, [:])
  }

  private mutating func next(_ texts: OnboardingTexts) -> FormSubmission? {
    problems = [:]
    for field in fields(texts) {
      let value = (values[field.key] ?? "").trimmed
      problems[field.key] = field.problem(value, countries: countries, texts)
    }
    guard problems.isEmpty else { return nil }
    if let after = template.sections.indices.dropFirst(place + 1).first(where: { isShown($0, texts) }) {
      place = after
      return nil
    }
    guard let submission = FormAnswers(self, texts).submission() else {
      problems[""] = texts[.formServer]
      return nil
    }
    isSubmitting = true
    return submission
  }

  /// The server did not take it: shows the first page with an answer that is wrong.
  public mutating func refuse(_ errors: [ProblemFieldError], _ texts: OnboardingTexts) {
    (isSubmitting, problems) = (false, [:])
    let answers = FormAnswers(self, texts)
    for error in errors {
      // The server's own words are in English.
      let told = texts.language == .english && !error.message.isEmpty ? error.message : texts[.formServer]
      problems[answers.key(of: error.field) ?? ""] = told
    }
    if errors.isEmpty { problems[""] = texts[.formServer] }
    let wrong = template.sections.indices.first { index in
      fields(of: index, texts).contains { problems[$0.key] != nil }
    }
    if let wrong { place = wrong }
  }

  // MARK: Fields

  /// How often a section is filled in.
  func count(_ section: ComplianceTemplate.Section) -> Int { section.repeatsMax == nil ? 1 : rows[section.id] ?? 1 }

  /// The fields of the page that is shown.
  func fields(_ texts: OnboardingTexts) -> [FormField] { fields(of: place, texts) }

  /// The fields of a page, by question and row.
  func fields(of index: Int, _ texts: OnboardingTexts) -> [FormField] {
    guard template.sections.indices.contains(index) else { return [] }
    let section = template.sections[index]
    return (0..<count(section)).flatMap { row in
      section.questions.flatMap { fields(of: $0, in: section, row, texts) }
    }
  }

  /// - Returns: nothing for a question that does not apply.
  func fields(
    of question: ComplianceTemplate.Question, in section: ComplianceTemplate.Section, _ row: Int,
    _ texts: OnboardingTexts
  ) -> [FormField] {
    if let dependency = question.rules.dependsOn {
      let other = values[key(dependency.questionID, in: section, row)] ?? values[dependency.questionID] ?? ""
      // A country counts by its code, whichever way it was typed.
      let given = FormField.chosen(other.trimmed) + [countries.code(other.trimmed)].compactMap { $0 }
      guard given.contains(where: { dependency.anyOf.contains($0) }) else { return [] }
    }
    let key = key(question.id, in: section, row)
    return FormField.fields(
      of: question, key: key, needsTINCountry: form == .kyc,
      isStarted: values.contains { $0.key.hasPrefix("\(key)/") && !$0.value.trimmed.isEmpty }, texts)
  }

  func key(_ question: String, in section: ComplianceTemplate.Section, _ row: Int) -> String {
    section.repeatsMax == nil ? question : "\(section.id)/\(row)/\(question)"
  }

  /// A page whose questions do not apply is left out.
  func isShown(_ index: Int, _ texts: OnboardingTexts) -> Bool { !fields(of: index, texts).isEmpty }

  /// What is known of the customer. A signature is typed by who signs.
  private static func prefilled(
    _ template: ComplianceTemplate, _ customer: CustomerView?, _ today: WireDate?
  ) -> [String: String] {
    let name = [customer?.firstName, customer?.lastName].compactMap { $0 }.joined(separator: " ")
    let known: [String: String?] = [
      "account_holder.family_name": customer?.lastName, "account_holder.first_name": customer?.firstName,
      "account_holder.middle_names": customer?.middleName,
      "account_holder.date_of_birth": customer?.dateOfBirth?.description, "w8ben.name": name, "w9.name": name,
      "w8ben.date_of_birth": customer?.dateOfBirth?.description, "declaration.signed_on": today?.description,
      "certification.signed_on": today?.description,
    ]
    let asked = Set(template.sections.flatMap(\.questions).map(\.id))
    return known.compactMapValues { $0 }.filter { asked.contains($0.key) && !$0.value.isEmpty }
  }
}

extension String {
  /// Without blanks around it.
  var trimmed: String {
    let kept = drop(while: \.isWhitespace)
    return kept.lastIndex { !$0.isWhitespace }.map { String(kept[...$0]) } ?? ""
  }
}
