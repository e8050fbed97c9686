// SPDX-License-Identifier: Apache-2.0

public import CryptoPrimitives
internal import OnboardingScreens
public import RubixOnboarding

/// A form that was filled in, as the server takes it.
public enum FormSubmission: Sendable, Equatable, Redacted {
  case crs(CRSSubmission)
  case fatca(FATCASubmission)
  case kyc(KYCSubmission)
}

/// What was entered into a form, as values of the wire, and where on the form a value of the wire stands.
struct FormAnswers {
  private let screen: FormScreen
  /// The fields that apply, by question; in the order of the template.
  private let asked: [(section: ComplianceTemplate.Section, row: Int, question: ComplianceTemplate.Question)]
  private let texts: OnboardingTexts

  init(_ screen: FormScreen, _ texts: OnboardingTexts) {
    (self.screen, self.texts) = (screen, texts)
    asked = screen.template.sections.flatMap { section in
      (0..<screen.count(section)).flatMap { row in
        section.questions.compactMap { question in
          screen.fields(of: question, in: section, row, texts).isEmpty ? nil : (section, row, question)
        }
      }
    }
  }

  /// - Returns: nil when the answers do not make the form that the server knows.
  func submission() -> FormSubmission? {
    let (id, version) = (screen.template.id, screen.template.version)
    switch screen.form {
    case .crs: return typed().map { .crs(CRSSubmission(templateID: id, version: version, results: $0)) }
    case .fatca: return typed().map { .fatca(FATCASubmission(templateID: id, version: version, results: $0)) }
    case .kyc: return .kyc(KYCSubmission(templateID: id, version: version, results: answered.map(\.answer)))
    default: return nil
    }
  }

  /// - Parameter pointer: a JSON pointer (RFC 6901) into the submission.
  /// - Returns: the field; nil when this form has no such field.
  func key(of pointer: String) -> String? {
    var parts = pointer.split(separator: "/").map(String.init)
    guard parts.first == "results", parts.count > 1 else { return nil }
    parts.removeFirst()
    if screen.form == .kyc {
      guard let index = Int(parts[0]), answered.indices.contains(index) else { return nil }
      let rest = parts.dropFirst().filter { $0 != "value" && $0 != "option_ids" && Int($0) == nil }
      return ([answered[index].key] + rest).joined(separator: "/")
    }
    let isRow = screen.template.sections.contains { $0.repeatsMax != nil && $0.id == parts[0] }
    if isRow {
      guard parts.count > 2 else { return nil }
      return "\(parts[0])/\(parts[1])/\(parts.dropFirst(2).joined(separator: "."))"
    }
    // The id of a question is a path; what follows it is a part of its answer. A server may name one of any length.
    for length in (1...min(parts.count, AnswerTree.partsMax)).reversed() {
      let id = parts.prefix(length).joined(separator: ".")
      guard asked.contains(where: { $0.question.id == id }) else { continue }
      return ([id] + parts.dropFirst(length)).joined(separator: "/")
    }
    return nil
  }

  // MARK: Answers of a template of the institution's own

  private var answered: [(key: String, answer: KYCAnswer)] {
    asked.compactMap { section, row, question in
      let key = screen.key(question.id, in: section, row)
      return answer(question, key).map { (key, $0) }
    }
  }

  private func answer(_ question: ComplianceTemplate.Question, _ key: String) -> KYCAnswer? {
    let value = value(key)
    switch question.type {
    case .choice, .multi:
      let chosen = FormField.chosen(value)
      return chosen.isEmpty ? nil : KYCAnswer(questionID: question.id, optionIDs: chosen)
    case .tin:
      let (country, tin) = (code("\(key)/country"), self.value("\(key)/tin"))
      return tin.isEmpty ? nil : KYCAnswer(questionID: question.id, value: .tin(country: country, tin: tin))
    case .address: return address(key).map { KYCAnswer(questionID: question.id, value: .address($0)) }
    case _ where value.isEmpty: return nil
    case .boolean: return KYCAnswer(questionID: question.id, value: .boolean(value == "true"))
    case .country: return KYCAnswer(questionID: question.id, value: .text(code(key)))
    default: return KYCAnswer(questionID: question.id, value: .text(value))
    }
  }

  private func value(_ key: String) -> String { (screen.values[key] ?? "").trimmed }
  private func optional(_ key: String) -> String? { value(key).isEmpty ? nil : value(key) }
  private func code(_ key: String) -> String { screen.countries.code(value(key)) ?? "" }

  private func address(_ key: String) -> ComplianceAddress? {
    guard !value("\(key)/line1").isEmpty else { return nil }
    return ComplianceAddress(
      line1: value("\(key)/line1"), line2: optional("\(key)/line2"), city: value("\(key)/city"),
      region: optional("\(key)/region"), postalCode: optional("\(key)/postal_code"), country: code("\(key)/country"))
  }

  // MARK: Answers whose types are in the specification

  /// The ids of these templates are paths of members (rubix-onboarding §6.12).
  private func typed<Results: Decodable>() -> Results? {
    var tree = AnswerTree.object([:])
    for (section, row, question) in asked {
      guard let answer = part(question, screen.key(question.id, in: section, row)) else { continue }
      let id = question.id.split(separator: ".").map(String.init)
      let path = section.repeatsMax == nil ? id : [section.id, String(row)] + id
      guard AnswerTree.hasRoom(at: path) else { return nil }
      tree.put(answer, at: path)
    }
    guard let data = try? WireJSON.encode(tree) else { return nil }
    return try? WireJSON.decode(Results.self, from: data)
  }

  private func part(_ question: ComplianceTemplate.Question, _ key: String) -> AnswerTree? {
    let value = value(key)
    switch question.type {
    // These forms know no third answer: what was not ticked is not so.
    case .boolean: return .flag(value == "true")
    case .address:
      return address(key).map { address in
        let parts: [String: String?] = [
          "line1": address.line1, "line2": address.line2, "city": address.city, "region": address.region,
          "postal_code": address.postalCode, "country": address.country,
        ]
        return .object(parts.compactMapValues { $0 }.mapValues { .text($0) })
      }
    case _ where value.isEmpty: return nil
    case .country: return .text(code(key))
    // The one number of the typed results: the rate of a treaty, which is typed with a dot or a comma.
    case .text where question.id.hasSuffix(".rate"):
      return Double(value.replacing(",", with: ".")).map { .number($0) } ?? .text(value)
    default: return .text(value)
    }
  }
}

/// JSON that grows member by member.
indirect enum AnswerTree: Encodable, Equatable {
  case object([String: AnswerTree])
  case array([AnswerTree])
  case text(String)
  case flag(Bool)
  case number(Double)

  /// Parts of a path: more than the types of the specification have.
  static let partsMax = 16
  /// Places of an array, and parts of a path that are one: many questions with many places take memory, too.
  private static let (placesMax, arraysMax) = (100, 2)

  /// Whether a value can be put at a path. Paths come from a server, and each place of an array takes memory, also
  /// those before it.
  static func hasRoom(at path: [String]) -> Bool {
    let places = path.compactMap { Int($0) }
    return (1...partsMax).contains(path.count) && places.count <= arraysMax
      && places.allSatisfy { (0..<placesMax).contains($0) }
  }

  /// Puts a value at a path; a part of it that is a number is a place in an array.
  /// - Precondition: there is room at the path.
  mutating func put(_ value: AnswerTree, at path: [String]) {
    guard let first = path.first else {
      self = value
      return
    }
    let rest = Array(path.dropFirst())
    if let place = Int(first) {
      var elements: [AnswerTree] = if case .array(let elements) = self { elements } else { [] }
      if elements.count <= place { elements += Array(repeating: .object([:]), count: place + 1 - elements.count) }
      elements[place].put(value, at: rest)
      self = .array(elements)
    } else {
      var members: [String: AnswerTree] = if case .object(let members) = self { members } else { [:] }
      members[first, default: .object([:])].put(value, at: rest)
      self = .object(members)
    }
  }

  func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    switch self {
    case .object(let members): try container.encode(members)
    case .array(let elements): try container.encode(elements)
    case .text(let text): try container.encode(text)
    case .flag(let flag): try container.encode(flag)
    case .number(let number): try container.encode(number)
    }
  }
}
