// SPDX-License-Identifier: Apache-2.0

import RubixWire
import TestSupport
import Testing

@testable import Forms

@Suite("Templates: answers are checked against the questions", .storeless)
struct TemplateRulesTests {
  private func check(_ answers: [KYCAnswer]) -> FormReview {
    KYCRules.check(
      answers, against: .standardKYC, verified: FormSamples.verified, today: FormSamples.today)
  }

  private func replacing(_ id: String, with answer: KYCAnswer?) -> [KYCAnswer] {
    FormSamples.kyc.compactMap { $0.questionID == id ? answer : $0 }
  }

  @Test("the shipped templates have no defect, a name in both languages everywhere, and ids of their own")
  func shipped() throws {
    var ids: Set<String> = []
    for form in ComplianceForm.known {
      let template = try #require(ComplianceTemplate.standard(form))
      #expect(TemplateRules.defects(of: template) == [])
      #expect(template.name == form.rawValue.uppercased())
      ids.insert(template.id)
      for section in template.sections {
        #expect(section.nameArabic?.isEmpty == false)
        for question in section.questions {
          #expect(question.titleArabic?.isEmpty == false, "\(question.id)")
          for option in question.options { #expect(option.nameArabic?.isEmpty == false) }
        }
      }
    }
    #expect(ids.count == ComplianceForm.known.count)
    #expect(ComplianceTemplate.standard(.init(rawValue: "aml")) == nil)
  }

  @Test("a complete form is accepted")
  func complete() {
    let review = check(FormSamples.kyc)
    #expect(review.errorRows == [])
    #expect(review.flagRows == [])
  }

  @Test("a required question needs an answer")
  func required() {
    for answer in FormSamples.kyc {
      let review = check(replacing(answer.questionID, with: nil))
      #expect(review.errors.contains { $0.code == "required" && $0.field == "/results" }, "\(answer.questionID)")
    }
  }

  @Test("unknown questions, double answers and answers that do not apply are refused")
  func questions() {
    #expect(
      check(FormSamples.kyc + [.init(questionID: "shoe_size", value: .text("43"))]).errorRows
        == ["/results/9/question_id unknown-question"])
    #expect(
      check(FormSamples.kyc + [FormSamples.kyc[0]]).errorRows == ["/results/9/question_id duplicate"])
    #expect(
      check(FormSamples.kyc + [.init(questionID: "pep_office", value: .text("Minister"))]).errorRows
        == ["/results/9 not-applicable"])
    let student = replacing("employment_status", with: .init(questionID: "employment_status", optionIDs: ["student"]))
    #expect(check(student).errorRows == ["/results/1 not-applicable", "/results/2 not-applicable"])
    #expect(check(Array(repeating: FormSamples.kyc[0], count: 501)).errorRows == ["/results too-many"])
  }

  @Test("a politically exposed person tells more, and is flagged")
  func exposed() {
    var answers = replacing("pep", with: .init(questionID: "pep", value: .boolean(true)))
    #expect(check(answers).errors.map(\.code) == ["required", "required", "required"])
    answers += [
      .init(questionID: "pep_relation", optionIDs: ["family"]),
      .init(questionID: "pep_office", value: .text("Minister of Bridges")),
      .init(questionID: "pep_country", value: .text("DE")),
    ]
    #expect(check(answers).errors.map(\.code) == ["required"])  // whose name?
    answers.append(.init(questionID: "pep_name", value: .text("Max Mustermann")))
    #expect(check(answers).errorRows == [])
    #expect(check(answers).flagRows == ["/results/6 pep"])
  }

  static let values: [(ComplianceTemplate.QuestionType, KYCAnswer.Value, String?)] = [
    (.boolean, .boolean(true), nil), (.boolean, .text("false"), nil), (.boolean, .text("yes"), "/results/0/value type"),
    (.text, .text("1234567890"), nil), (.text, .text("12345678901"), "/results/0/value too-long"),
    (.text, .text("a\u{7}"), "/results/0/value characters"), (.text, .text(" "), "/results/0/value required"),
    (.text, .boolean(true), "/results/0/value type"),
    (.date, .text("2028-02-29"), nil), (.date, .text("2027-02-29"), "/results/0/value date"),
    (.date, .text("29.02.2028"), "/results/0/value date"), (.country, .text("KW"), nil),
    (.country, .text("Kuwait"), "/results/0/value country"), (.tin, .tin(country: "DE", tin: "86095742719"), nil),
    (.tin, .tin(country: "DE", tin: "86095742718"), "/results/0/value/tin tin-check-digit"),
    (.tin, .tin(country: "XX", tin: "123"), "/results/0/value/country country"),
    (.address, .address(FormSamples.kuwait), nil),
    (.address, .address(.init(line1: "", city: "Salmiya", country: "KW")), "/results/0/value/line1 required"),
    (.signature, .text("Erika Mustermann"), nil),
    (.signature, .text("Max Vertreter"), "/results/0/value identity-mismatch"),
  ]

  @Test("every type of question takes its kind of value", arguments: values)
  func types(type: ComplianceTemplate.QuestionType, value: KYCAnswer.Value, error: String?) {
    let template = template(.init(id: "q", title: "Q", type: type, rules: .init(required: true, max: 10)))
    #expect(check([.init(questionID: "q", value: value)], against: template) == (error.map { [$0] } ?? []))
  }

  @Test("options belong to the question, and no more are chosen than may be")
  func options() {
    let options = ["a", "b", "c"].map { ComplianceTemplate.Option(id: $0, name: $0) }
    let one = template(.init(id: "q", title: "Q", type: .choice, rules: .init(required: true), options: options))
    let two = template(.init(id: "q", title: "Q", type: .multi, rules: .init(required: true, max: 2), options: options))
    func chosen(_ ids: String..., from template: ComplianceTemplate) -> [String] {
      check([.init(questionID: "q", optionIDs: ids)], against: template)
    }
    #expect(chosen("a", from: one) == [])
    #expect(chosen("a", "b", from: one) == ["/results/0/option_ids too-many"])
    #expect(chosen("d", from: one) == ["/results/0/option_ids/0 unknown-option"])
    #expect(chosen(from: one) == ["/results/0/option_ids required"])
    #expect(chosen("a", "c", from: two) == [])
    #expect(chosen("a", "a", from: two) == ["/results/0/option_ids duplicate"])
    #expect(chosen("a", "b", "c", from: two) == ["/results/0/option_ids too-many"])
    #expect(check([.init(questionID: "q", value: .text("a"))], against: one) == ["/results/0/option_ids required"])
    var both = KYCAnswer(questionID: "q", optionIDs: ["a"])
    both.value = .text("a")
    #expect(check([both], against: one) == ["/results/0 value-and-options"])
  }

  @Test("defects of a template are told before a customer meets them")
  func defects() {
    func defects(_ questions: ComplianceTemplate.Question...) -> Int {
      TemplateRules.defects(
        of: .init(id: "t", name: "T", version: 1, sections: [.init(id: "s", name: "S", questions: questions)])
      ).count
    }
    #expect(defects(.init(id: "q", title: "Q", type: .text)) == 0)
    #expect(defects(.init(id: "q", title: "Q", type: .text), .init(id: "q", title: "Q", type: .text)) == 1)
    #expect(defects(.init(id: "q", title: "Q", type: .choice)) == 1)
    #expect(defects(.init(id: "q", title: "Q", type: .init(rawValue: "slider"))) == 1)
    #expect(defects(.init(id: "q", title: "Q", type: .text, rules: .init(pattern: "(a+)+"))) == 1)
    #expect(defects(.init(id: "q", title: "Q", type: .text, rules: .init(dependsOn: .when("p", is: "x")))) == 1)
    let circle = [("q", "p"), ("p", "q")].map { id, other in
      ComplianceTemplate.Question(id: id, title: id, type: .text, rules: .init(dependsOn: .when(other, is: "x")))
    }
    #expect(defects(circle[0], circle[1]) == 2)
  }

  @Test("a submission names the template in force")
  func template() {
    let template = ComplianceTemplate.standardKYC
    func rows(_ id: String, _ version: Int, _ remarks: String?) -> [String] {
      SubmissionRules.check(templateID: id, version: version, remarks: remarks, against: template).errorRows
    }
    #expect(rows(template.id, template.version, nil) == [])
    #expect(rows(template.id, template.version + 1, nil) == ["/version outdated-template"])
    #expect(rows("x", template.version, nil) == ["/template_id unknown-template"])
    #expect(rows(template.id, template.version, String(repeating: "a", count: 1001)) == ["/remarks too-long"])
    // A reader takes them for one character.
    let joined = "a" + String(repeating: "\u{200D}", count: 1000)
    #expect(rows(template.id, template.version, joined) == ["/remarks too-long"])
  }

  @Test("no answer, however odd, is echoed, and the right one is found again whatever the order")
  func random() {
    var random = SeededGenerator(seed: 5)
    let questions = ComplianceTemplate.standardKYC.sections.flatMap(\.questions)
    let secret = "SECRETVALUE"
    for _ in 0..<300 {
      var answers: [KYCAnswer] = []
      for question in questions where Bool.random(using: &random) {
        let id = Int.random(in: 0..<20, using: &random) == 0 ? "unknown" : question.id
        switch Int.random(in: 0..<5, using: &random) {
        case 0: answers.append(.init(questionID: id, value: .text(secret)))
        case 1: answers.append(.init(questionID: id, value: .boolean(Bool.random(using: &random))))
        case 2: answers.append(.init(questionID: id, optionIDs: [secret]))
        case 3: answers.append(.init(questionID: id, optionIDs: question.options.shuffled(using: &random).map(\.id)))
        default: answers.append(.init(questionID: id, value: .tin(country: secret, tin: secret)))
        }
      }
      let review = check(answers.shuffled(using: &random))
      for finding in review.errors + review.flags {
        #expect(!finding.message.contains(secret) && !finding.field.contains(secret))
        #expect(finding.field.hasPrefix("/results"))
      }
      #expect(check(FormSamples.kyc.shuffled(using: &random)).isAcceptable)
    }
  }

  private func template(_ question: ComplianceTemplate.Question) -> ComplianceTemplate {
    .init(id: "t", name: "T", version: 1, sections: [.init(id: "s", name: "S", questions: [question])])
  }

  private func check(_ answers: [KYCAnswer], against template: ComplianceTemplate) -> [String] {
    TemplateRules.check(answers, against: template, verified: FormSamples.verified, today: FormSamples.today).errorRows
  }
}
