// SPDX-License-Identifier: Apache-2.0

import RubixWire

/// The templates that the product ships. Tests look for defects of them.
extension ComplianceTemplate {
  /// The shipped template of a form; nil for a form that this version does not know.
  package static func standard(_ form: ComplianceForm) -> ComplianceTemplate? {
    switch form {
    case .crs: standardCRS
    case .fatca: standardFATCA
    case .kyc: standardKYC
    default: nil
    }
  }
}

extension ComplianceTemplate.Question {
  /// A required question, as most are.
  static func required(
    _ id: String, _ title: String, _ titleArabic: String, _ type: ComplianceTemplate.QuestionType, max: Int? = nil,
    pattern: String? = nil, when dependency: ComplianceTemplate.Dependency? = nil,
    options: [ComplianceTemplate.Option] = []
  ) -> ComplianceTemplate.Question {
    ComplianceTemplate.Question(
      id: id, title: title, titleArabic: titleArabic, type: type,
      rules: ComplianceTemplate.Rules(required: true, max: max, pattern: pattern, dependsOn: dependency),
      options: options)
  }

  /// A question that may be left out.
  static func optional(
    _ id: String, _ title: String, _ titleArabic: String, _ type: ComplianceTemplate.QuestionType, max: Int? = nil,
    pattern: String? = nil, when dependency: ComplianceTemplate.Dependency? = nil,
    options: [ComplianceTemplate.Option] = []
  ) -> ComplianceTemplate.Question {
    var question = required(
      id, title, titleArabic, type, max: max, pattern: pattern, when: dependency, options: options)
    question.rules.required = false
    return question
  }
}

extension ComplianceTemplate.Dependency {
  /// The question `id` is answered with one of these.
  static func when(_ id: String, is answers: String...) -> ComplianceTemplate.Dependency {
    ComplianceTemplate.Dependency(questionID: id, anyOf: answers)
  }
}

extension ComplianceTemplate.Option {
  init(_ id: String, _ name: String, _ nameArabic: String) {
    self.init(id: id, name: name, nameArabic: nameArabic)
  }
}
