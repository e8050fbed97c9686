// SPDX-License-Identifier: Apache-2.0

import GatehouseWire
import RubixWire

/// Checks one answer against the type and the rules of its question.
struct AnswerRules {
  let verified: VerifiedIdentity
  let today: WireDate

  /// The most characters of a text whose question names no other.
  static let textMax = 500

  func check(
    _ answer: KYCAnswer, to question: ComplianceTemplate.Question, at path: FormPath, _ review: inout FormReview
  ) {
    if answer.value != nil && answer.optionIDs != nil {
      return review.refuse(path, "value-and-options", "Give either a value or options, not both.")
    }
    switch question.type {
    case .choice, .multi:
      guard let options = answer.optionIDs else {
        return review.refuse(path / "option_ids", "required", "Please choose an option.")
      }
      checkOptions(options, of: question, at: path / "option_ids", &review)
    default:
      guard let value = answer.value else {
        return review.refuse(path / "value", "required", "Please give a value.")
      }
      checkValue(value, of: question, at: path / "value", &review)
    }
  }

  private func checkOptions(
    _ chosen: [String], of question: ComplianceTemplate.Question, at path: FormPath, _ review: inout FormReview
  ) {
    let max = question.type == .choice ? 1 : question.rules.max ?? question.options.count
    if chosen.isEmpty && question.rules.required { review.refuse(path, "required", "Please choose an option.") }
    if chosen.count > max { return review.refuse(path, "too-many", "At most \(max) may be chosen.") }
    if Set(chosen).count != chosen.count { review.refuse(path, "duplicate", "An option is chosen twice.") }
    for (index, id) in chosen.enumerated() where !question.options.contains(where: { $0.id == id }) {
      review.refuse(path / index, "unknown-option", "The question has no such option.")
    }
  }

  private func checkValue(
    _ value: KYCAnswer.Value, of question: ComplianceTemplate.Question, at path: FormPath, _ review: inout FormReview
  ) {
    switch (question.type, value) {
    case (.boolean, .boolean): break
    case (.boolean, .text(let text)) where text == "true" || text == "false": break
    case (.text, .text(let text)): checkText(text, of: question, at: path, &review)
    case (.date, .text(let text)):
      if WireDate(text) == nil { review.refuse(path, "date", "This is no day of the calendar, as YYYY-MM-DD.") }
    case (.country, .text(let text)): FormText.checkCountry(text, at: path, &review)
    case (.tin, .tin(let country, let tin)):
      FormText.checkCountry(country, at: path / "country", &review)
      CRSRules.checkFormat(tin, of: country, at: path / "tin", &review)
    case (.address, .address(let address)): AddressRules.check(address, as: .mailing, at: path, &review)
    case (.signature, .text(let text)): checkSignature(text, at: path, &review)
    default: review.refuse(path, "type", "The answer is not of the kind that the question takes.")
    }
  }

  private func checkText(
    _ text: String, of question: ComplianceTemplate.Question, at path: FormPath, _ review: inout FormReview
  ) {
    FormText.check(
      text, at: path, required: question.rules.required, max: question.rules.max ?? Self.textMax, &review)
    guard let pattern = question.rules.pattern, !FormText.trimmed(text).isEmpty else { return }
    // A pattern that cannot be read is a defect of the template: no answer can be judged by it.
    if BoundedPattern(pattern)?.matches(FormText.trimmed(text)) != true {
      review.refuse(path, "pattern", "The answer has not the form that the question asks for.")
    }
  }

  private func checkSignature(_ text: String, at path: FormPath, _ review: inout FormReview) {
    FormText.check(text, at: path, max: 2 * FormText.lineMax, &review)
    guard !FormText.trimmed(text).isEmpty else { return }
    NameRules.note(NameRules(verified).compare(fullName: text, allowsInitials: true), at: path, &review)
  }
}
