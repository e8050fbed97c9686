// SPDX-License-Identifier: Apache-2.0

import Forms
import GatehouseWire
import Kit
import RubixWire

/// A compliance form as the person who decides reads it: the questions that were answered, in the order of the form.
package struct FilledForm: Sendable {
  /// What a template says in both of its languages.
  package struct Wording: Sendable, Equatable {
    package let english: String
    /// Nil where there is no translation, as of what a customer typed.
    package let arabic: String?
  }

  package struct Answer: Sendable, Equatable {
    package let question: Wording
    package let value: Value
  }

  package enum Value: Sendable, Equatable {
    case yes, no
    /// What was typed, or each of what was chosen.
    case words([Wording])
  }

  package let kind: ComplianceFormKind
  /// Counted from 1; each submission is kept.
  package let revision: Int
  package let submittedAt: Instant
  package let answers: [Answer]
}

extension FilledForm {
  /// The forms of an application that are in force.
  static func inForce(of application: Application.ID, in store: FormStore) throws -> [FilledForm] {
    try store.inForce(of: application).compactMap { form in
      guard let template = ComplianceTemplate.standard(form.form.form),
        let answers = try store.answers(form.form, of: application)
      else { return nil }
      return FilledForm(
        kind: form.form, revision: form.revision, submittedAt: form.submittedAt,
        answers: try answers.filled(by: template))
    }
  }
}

extension FormAnswers {
  /// - Parameter template: whose questions are named. Ids stay the same from one version to the next.
  func filled(by template: ComplianceTemplate) throws -> [FilledForm.Answer] {
    switch self {
    case .crs(let submission): Self.answers(try AnswerTree(submission.results), to: template)
    case .fatca(let submission): Self.answers(try AnswerTree(submission.results), to: template)
    case .kyc(let submission):
      try submission.results.compactMap { answer in
        let question = template.sections.lazy.flatMap(\.questions).first { $0.id == answer.questionID }
        let chosen = answer.optionIDs.map { AnswerTree.list($0.map(AnswerTree.text)) }
        return try question?.filled(chosen ?? AnswerTree(answer.value))
      }
    }
  }

  /// The ids of questions are paths of members; in a section that repeats, within one row.
  private static func answers(_ tree: AnswerTree, to template: ComplianceTemplate) -> [FilledForm.Answer] {
    template.sections.flatMap { section in
      let rows = section.repeatsMax == nil ? [tree] : tree.at(section.id).elements
      return rows.flatMap { row in section.questions.compactMap { $0.filled(row.at($0.id)) } }
    }
  }
}

extension ComplianceTemplate.Question {
  /// - Returns: nil without an answer.
  fileprivate func filled(_ answer: AnswerTree) -> FilledForm.Answer? {
    let question = FilledForm.Wording(english: title, arabic: titleArabic)
    switch answer {
    case .yes: return .init(question: question, value: .yes)
    case .no: return .init(question: question, value: .no)
    case .nothing, .text, .list, .members:
      let words = answer.texts.map { text in
        options.first { $0.id == text }.map { FilledForm.Wording(english: $0.name, arabic: $0.nameArabic) }
          ?? FilledForm.Wording(english: text, arabic: nil)
      }
      return words.isEmpty ? nil : .init(question: question, value: .words(words))
    }
  }
}

/// The answers of a form by the names that they have on the wire.
private indirect enum AnswerTree: Decodable {
  case nothing, yes, no
  case text(String)
  case list([AnswerTree])
  case members([String: AnswerTree])

  /// How an address is read; whatever else has members has them in alphabetical order.
  private static let order = ["line1", "line2", "city", "region", "postal_code", "country", "tin"]

  /// In a list, because a yes or no alone is no document.
  init(_ value: some Encodable) throws {
    self = try WireJSON.decode([AnswerTree].self, stored: WireJSON.encode([value])).first ?? .nothing
  }

  init(from decoder: any Decoder) throws {
    let value = try decoder.singleValueContainer()
    if value.decodeNil() {
      self = .nothing
    } else if let isSo = try? value.decode(Bool.self) {
      self = isSo ? .yes : .no
    } else if let text = try? value.decode(String.self) {
      self = .text(text)
    } else if let number = try? value.decode(Int64.self) {
      self = .text("\(number)")
    } else if let number = try? value.decode(Double.self) {
      // The rate of a treaty, in percent.
      self = .text("\(number)")
    } else if let elements = try? value.decode([AnswerTree].self) {
      self = .list(elements)
    } else {
      self = .members(try value.decode([String: AnswerTree].self))
    }
  }

  /// - Parameter path: names with full stops between them.
  func at(_ path: String) -> AnswerTree {
    path.split(separator: ".").reduce(self) { tree, name in
      guard case .members(let members) = tree else { return .nothing }
      return members[String(name)] ?? .nothing
    }
  }

  var elements: [AnswerTree] {
    guard case .list(let elements) = self else { return [] }
    return elements
  }

  /// Every text in it.
  var texts: [String] {
    switch self {
    case .nothing, .yes, .no: []
    case .text(let text): [text]
    case .list(let elements): elements.flatMap(\.texts)
    case .members(let members):
      members.sorted { (Self.place($0.key), $0.key) < (Self.place($1.key), $1.key) }.flatMap(\.value.texts)
    }
  }

  private static func place(_ name: String) -> Int { order.firstIndex(of: name) ?? order.count }
}
