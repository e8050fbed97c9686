// SPDX-License-Identifier: Apache-2.0

import RubixWire

@testable import Forms

extension TemplateRules {
  /// What is wrong with a template: ids twice, dependencies on nothing or in a circle, patterns that cannot be read, a
  /// choice without options. Empty for a template that may be shown.
  static func defects(of template: ComplianceTemplate) -> [String] {
    let questions = template.sections.flatMap(\.questions)
    let byID = Dictionary(questions.map { ($0.id, $0) }, uniquingKeysWith: { first, _ in first })
    var defects: [String] = []
    if byID.count != questions.count { defects.append("Two questions have the same id.") }
    if Set(template.sections.map(\.id)).count != template.sections.count {
      defects.append("Two sections have the same id.")
    }
    for question in questions {
      if !question.type.isKnown { defects.append("\(question.id): its type is unknown.") }
      if let pattern = question.rules.pattern, BoundedPattern(pattern) == nil {
        defects.append("\(question.id): its pattern cannot be read.")
      }
      if (question.type == .choice || question.type == .multi) == question.options.isEmpty {
        defects.append("\(question.id): options belong to choice and multi, and only there.")
      }
      if Set(question.options.map(\.id)).count != question.options.count {
        defects.append("\(question.id): two options have the same id.")
      }
      if Shown.chain(from: question, in: byID) == nil {
        defects.append("\(question.id): it depends on a question that is not there, or on itself.")
      }
    }
    return defects
  }
}
