// SPDX-License-Identifier: Apache-2.0

import Forms
import GatehouseUI
import OnboardingScreens
import RubixOnboarding
import ScreenSpecimens
import Testing

@testable import OnboardingUI

@Suite("Onboarding screens: forms")
struct FormTests {
  private static let texts = OnboardingTexts(.english)
  private static let customer = RubixSpecimen.view().customer
  private static let home = [
    "line1": "Block 4, Street 12, House 7", "city": "Salmiya", "country": "Kuwait",
  ]

  /// Fills in page after page until something is submitted.
  private static func fill(_ form: inout FormScreen, _ answers: [String: String]) -> FormSubmission? {
    for _ in form.template.sections {
      for field in form.fields(texts) {
        guard let answer = answers[field.key] else { continue }
        switch field.kind {
        case .choice, .multi, .yesNo: _ = form.handle(.chosen(answer, key: field.key), texts)
        default: _ = form.handle(.typed(answer, key: field.key), texts)
        }
      }
      // What depends on an answer of the same page comes with it.
      for field in form.fields(texts) where form.values[field.key] == nil {
        guard let answer = answers[field.key] else { continue }
        _ = form.handle(.typed(answer, key: field.key), texts)
      }
      if let submission = form.handle(.next, texts) { return submission }
      guard form.problems.isEmpty else { return nil }
    }
    return nil
  }

  private static func address(_ key: String) -> [(String, String)] { home.map { ("\(key)/\($0.key)", $0.value) } }

  @Test("the standard form of tax residence becomes what the server takes, with what is known filled in")
  func crs() throws {
    var form = FormScreen(
      .crs, .standardCRS, countries: RubixSpecimen.countries, customer: Self.customer, today: RubixSpecimen.today)
    let answers = Dictionary(
      uniqueKeysWithValues: Self.address("residence_address") + [
        ("account_holder.place_of_birth.city", "Amaurot"), ("account_holder.place_of_birth.country", "kw"),
        ("tax_residences/0/country", "Kuwait"), ("tax_residences/0/no_tin_reason", "A"),
        ("declaration.accepted", "true"), ("declaration.capacity", "self"),
        ("declaration.signed_name", " Anna Maria Eriksson "),
      ])
    guard case .crs(let submission)? = Self.fill(&form, answers) else {
      Issue.record("not submitted: \(form.problems)")
      return
    }
    let results = submission.results
    #expect(submission.templateID == ComplianceTemplate.standardCRS.id && submission.version == 1)
    #expect(results.accountHolder.familyName == "ERIKSSON" && results.accountHolder.firstName == "ANNA MARIA")
    #expect(results.accountHolder.dateOfBirth == WireDate("1974-08-12"))
    #expect(results.accountHolder.placeOfBirth == .init(city: "Amaurot", country: "KW"))
    #expect(results.residenceAddress == .init(line1: "Block 4, Street 12, House 7", city: "Salmiya", country: "KW"))
    #expect(results.mailingAddress == nil && results.explanation == nil)
    #expect(results.taxResidences == [.init(country: "KW", noTINReason: .notIssued)])
    #expect(
      results.declaration
        == .init(accepted: true, signedName: "Anna Maria Eriksson", signedOn: RubixSpecimen.today))
  }

  @Test("the standard form of US status becomes a W-8BEN, with a rate that is a number")
  func fatca() throws {
    var form = FormScreen(
      .fatca, .standardFATCA, countries: RubixSpecimen.countries, customer: Self.customer, today: RubixSpecimen.today)
    let indicia = ComplianceTemplate.standardFATCA.sections.flatMap(\.questions).map(\.id)
      .filter { $0.hasPrefix("us_indicia.") }
    let answers = Dictionary(
      uniqueKeysWithValues: indicia.map { ($0, "false") } + Self.address("w8ben.permanent_address") + [
        ("is_us_person", "false"), ("form", "W-8BEN"), ("w8ben.citizenship_country", "Kuwait"),
        ("w8ben.ftin_not_required", "true"), ("w8ben.treaty.country", "Sweden"), ("w8ben.treaty.rate", "2,5"),
        ("certification.accepted", "true"), ("certification.capacity", "self"),
        ("certification.signed_name", "Anna Maria Eriksson"),
      ])
    guard case .fatca(let submission)? = Self.fill(&form, answers) else {
      Issue.record("not submitted: \(form.problems) on \(form.template.sections[form.place].id)")
      return
    }
    let results = submission.results
    #expect(!results.isUSPerson && results.form == .w8ben && results.w9 == nil && results.cure == nil)
    #expect(results.usIndicia == .init())
    #expect(results.w8ben?.name == "ANNA MARIA ERIKSSON" && results.w8ben?.foreignTINNotRequired == true)
    #expect(results.w8ben?.treaty == .init(country: "SE", rate: 2.5))
  }

  @Test("a form of the institution: what depends is asked when it applies, rows come and go")
  func own() throws {
    var form = FormScreen(.kyc, RubixSpecimen.template, countries: RubixSpecimen.countries)
    #expect(form.fields(Self.texts).map(\.key) == ["job"])
    _ = form.handle(.next, Self.texts)
    #expect(form.problems["job"] == Self.texts[.formRequired])
    _ = form.handle(.chosen("employed", key: "job"), Self.texts)
    #expect(form.fields(Self.texts).map(\.key) == ["job", "employer"])
    _ = form.handle(.typed(String(repeating: "x", count: 21), key: "employer"), Self.texts)
    _ = form.handle(.next, Self.texts)
    #expect(form.problems["employer"] == Self.texts[.formTooLong, ["count": "20"]])
    // The server counts joiners, too.
    _ = form.handle(.typed("x" + String(repeating: "\u{200D}", count: 20), key: "employer"), Self.texts)
    _ = form.handle(.next, Self.texts)
    #expect(form.problems["employer"] == Self.texts[.formTooLong, ["count": "20"]])
    _ = form.handle(.typed("Utopia Water Works", key: "employer"), Self.texts)
    _ = form.handle(.next, Self.texts)
    #expect(form.place == 1)
    _ = form.handle(.addRow, Self.texts)
    _ = form.handle(.addRow, Self.texts)
    #expect(form.fields(Self.texts).map(\.key) == ["residences/0/country", "residences/1/country"])
    _ = form.handle(.typed("Atlantis", key: "residences/0/country"), Self.texts)
    _ = form.handle(.typed("Qatar", key: "residences/1/country"), Self.texts)
    _ = form.handle(.next, Self.texts)
    #expect(form.problems == ["residences/0/country": Self.texts[.formCountry]])
    _ = form.handle(.removeRow(0), Self.texts)
    #expect(form.values["residences/0/country"] == "Qatar" && form.values["residences/1/country"] == nil)
    _ = form.handle(.next, Self.texts)
    _ = form.handle(.chosen("true", key: "true"), Self.texts)
    _ = form.handle(.typed("Anna", key: "signature"), Self.texts)
    #expect(form.goBack(Self.texts) && form.place == 1)
    _ = form.handle(.next, Self.texts)
    guard case .kyc(let submission)? = form.handle(.next, Self.texts) else {
      Issue.record("not submitted: \(form.problems)")
      return
    }
    #expect(
      submission.results == [
        .init(questionID: "job", optionIDs: ["employed"]),
        .init(questionID: "employer", value: .text("Utopia Water Works")),
        .init(questionID: "country", value: .text("QA")), .init(questionID: "true", value: .boolean(true)),
        .init(questionID: "signature", value: .text("Anna")),
      ])
    #expect(form.isSubmitting && form.handle(.next, Self.texts) == nil)
    form.refuse([.init(field: "/results/1/value", code: "max", message: "Not so long.")], Self.texts)
    #expect(form.place == 0 && form.problems == ["employer": "Not so long."] && !form.isSubmitting)
  }

  @Test("a signature and a postal code are refused where the server would refuse them")
  func bounds() {
    var question = RubixSpecimen.template.sections[0].questions[0]
    (question.type, question.rules, question.options) = (.signature, .init(required: true), [])
    let signature = FormField.fields(of: question, key: "a", needsTINCountry: false, isStarted: true, Self.texts)
    #expect(signature.map(\.kind) == [.text(max: 200, pattern: nil)])
    question.type = .address
    let address = FormField.fields(of: question, key: "a", needsTINCountry: false, isStarted: true, Self.texts)
    #expect(address.first { $0.key == "a/postal_code" }?.kind == .text(max: 20, pattern: nil))
  }

  @Test("a country is found by its name in each language, with marks or without, and shown in the spoken one")
  func countryNames() {
    let countries = FormCountries(all: RubixSpecimen.countries)
    for name in ["Kuwait", "koweït", "Koweit", "الكويت", "kw"] { #expect(countries.code(name) == "KW", "\(name)") }
    #expect(countries.code("Atlantis") == nil && countries.suggestions("Koweit", .french).isEmpty)
    let begun: [(String, ScreenLanguage, String)] = [
      ("قط", .arabic, "قطر"), ("sue", .french, "Suède"), ("Swe", .french, "Suède"), ("se", .english, "Sweden"),
    ]
    for (text, language, name) in begun {
      #expect(countries.suggestions(text, language).map(\.name) == [name], "\(text)")
    }
  }

  @Test("what the server refuses is shown where it was entered")
  func places() {
    let form = FormScreen(.crs, .standardCRS, countries: RubixSpecimen.countries)
    let answers = FormAnswers(form, Self.texts)
    #expect(answers.key(of: "/results/account_holder/family_name") == "account_holder.family_name")
    #expect(answers.key(of: "/results/residence_address/city") == "residence_address/city")
    #expect(answers.key(of: "/results/tax_residences/0/tin") == "tax_residences/0/tin")
    #expect(answers.key(of: "/results/unknown") == nil && answers.key(of: "/version") == nil)
    #expect(answers.key(of: "") == nil && answers.key(of: "/results/tax_residences") == nil)
    // Each beginning of a path was written out, which takes the square of its length.
    #expect(answers.key(of: "/results/account_holder" + String(repeating: "/0", count: 200_000)) == nil)
  }

  @Test("a path has room for few arrays of few places")
  func room() {
    #expect(AnswerTree.hasRoom(at: ["tax_residences", "99", "tins", "0", "value"]))
    let long = Array(repeating: "a", count: 17)
    let without: [[String]] = [[], ["a", "100"], ["a", "-1"], ["a", "0", "0", "0"], long]
    for path in without { #expect(!AnswerTree.hasRoom(at: path)) }
  }

  @Test(
    "a template whose ids name places that no form has is not submitted, and does not end the app",
    arguments: [
      "account_holder.999999999999", "account_holder.-1", "account_holder.9223372036854775807",
      "account_holder" + String(repeating: ".0", count: 100_000),
    ])
  func hostilePlaces(id: String) {
    var template = ComplianceTemplate.standardCRS
    var question = RubixSpecimen.template.sections[0].questions[0]
    (question.id, question.type, question.rules, question.options) = (id, .text, .init(required: false), [])
    template.sections = [.init(id: "one", name: "One", questions: [question])]
    var form = FormScreen(.crs, template)
    _ = form.handle(.typed("x", key: id), Self.texts)
    #expect(form.handle(.next, Self.texts) == nil && form.problems == ["": Self.texts[.formServer]])
  }

  @Test("a template without pages, and one whose page may be filled in less than once, end no app")
  func hostilePages() {
    var template = ComplianceTemplate.standardCRS
    let question = RubixSpecimen.template.sections[0].questions[0]
    for most in [0, -1, Int.min, Int.max] {
      template.sections = [.init(id: "one", name: "One", repeatsMax: most, questions: [question])]
      var form = FormScreen(.crs, template)
      _ = form.handle(.addRow, Self.texts)
      #expect(form.rows == ["one": most == .max ? 2 : 1] && !form.screen(Self.texts).elements.isEmpty)
    }
    template.sections = []
    var form = FormScreen(.crs, template)
    for event in [FormScreen.Event.addRow, .removeRow(0), .typed("x", key: "y"), .next] {
      _ = form.handle(event, Self.texts)
      #expect(form.fields(Self.texts).isEmpty && !form.screen(Self.texts).elements.isEmpty)
    }
  }

  @Test("a pattern that takes a regular expression for ever is left to the server")
  func hostilePattern() {
    let text = String(repeating: "a", count: 40) + "!"
    #expect(FormField.matches(text, "(a+)+") && FormField.matches(text, "(a|aa)+"))
    #expect(!FormField.matches(text, String(repeating: "a*", count: 30)))
    #expect(FormField.matches("KW1234", "[A-Z]{2}[0-9]{4}") && !FormField.matches("KW123", "[A-Z]{2}[0-9]{4}"))
  }

  @Test("a question of a type that is not known asks for an update")
  func tooNew() {
    var template = RubixSpecimen.template
    template.sections[0].questions[0].type = .init(rawValue: "smell")
    #expect(FormScreen(.kyc, template).isTooNew && !FormScreen(.kyc, RubixSpecimen.template).isTooNew)
    template.sections = []
    #expect(FormScreen(.kyc, template).isTooNew)
  }
}
