// SPDX-License-Identifier: Apache-2.0

import GatehouseWire
import RubixWire

/// Checks answers against any template: `results` as an array of question and value or options (Rubix §6.12).
///
/// 1. No answer to an unknown question, and none twice.
/// 2. A question is shown when its `depends_on` holds, and the question it depends on is shown; an answer to one that
///    is not shown is refused.
/// 3. A question that is shown and required is answered.
/// 4. Every answer has the kind of its question and keeps to its rules (`AnswerRules`).
package enum TemplateRules {
  /// The most answers of a submission; beyond it the answers are not even read.
  package static let answersMax = 500

  /// Checks the answers, `results` of a submission, against a template.
  package static func check(
    _ answers: [KYCAnswer], against template: ComplianceTemplate, verified: VerifiedIdentity, today: WireDate
  ) -> FormReview {
    var review = FormReview()
    let path = FormPath.results
    guard answers.count <= answersMax else {
      review.refuse(path, "too-many", "At most \(answersMax) answers fit here.")
      return review
    }
    let questions = template.sections.flatMap(\.questions)
    let byID = Dictionary(questions.map { ($0.id, $0) }, uniquingKeysWith: { first, _ in first })
    var given: [String: (index: Int, answer: KYCAnswer)] = [:]
    for (index, answer) in answers.enumerated() {
      if byID[answer.questionID] == nil {
        review.refuse(path / index / "question_id", "unknown-question", "The form has no such question.")
      } else if given[answer.questionID] != nil {
        review.refuse(path / index / "question_id", "duplicate", "This question is answered twice.")
      } else {
        given[answer.questionID] = (index, answer)
      }
    }
    let shown = Shown(questions: byID, answers: given.mapValues(\.answer))
    let rules = AnswerRules(verified: verified, today: today)
    for question in questions {
      let isShown = shown.contains(question)
      if let (index, answer) = given[question.id] {
        if isShown {
          rules.check(answer, to: question, at: path / index, &review)
        } else {
          review.refuse(path / index, "not-applicable", "This question does not apply after your other answers.")
        }
      } else if isShown && question.rules.required {
        review.errors.append(
          FormFinding(
            field: path.pointer, code: "required", message: "The question “\(question.title)” needs an answer."))
      }
    }
    return review
  }
}

extension TemplateRules {
  /// Which questions are shown after the answers.
  struct Shown {
    let questions: [String: ComplianceTemplate.Question]
    let answers: [String: KYCAnswer]

    func contains(_ question: ComplianceTemplate.Question) -> Bool {
      // A broken chain is a defect of the template; its question is not shown, so that it cannot block a customer.
      guard let chain = Self.chain(from: question, in: questions) else { return false }
      return chain.allSatisfy { link in
        guard let dependency = link.rules.dependsOn else { return true }
        return holds(dependency)
      }
    }

    private func holds(_ dependency: ComplianceTemplate.Dependency) -> Bool {
      guard let answer = answers[dependency.questionID] else { return false }
      if let options = answer.optionIDs { return options.contains(where: dependency.anyOf.contains) }
      switch answer.value {
      case .boolean(let boolean): return dependency.anyOf.contains(boolean ? "true" : "false")
      case .text(let text): return dependency.anyOf.contains(text)
      case .tin, .address, nil: return false
      }
    }

    /// The question and those it depends on, the nearest first; nil when one is missing or they form a circle.
    static func chain(
      from question: ComplianceTemplate.Question, in questions: [String: ComplianceTemplate.Question]
    ) -> [ComplianceTemplate.Question]? {
      var chain = [question]
      while let dependency = chain[chain.count - 1].rules.dependsOn {
        guard let next = questions[dependency.questionID], !chain.contains(where: { $0.id == next.id }) else {
          return nil
        }
        chain.append(next)
      }
      return chain
    }
  }
}
