// SPDX-License-Identifier: Apache-2.0

import GatehouseWire
import RubixWire
import TestSupport
import Testing

@testable import Forms

/// One row of the rule table: a change of the acceptable form, and what the rules then say.
struct CRSRow: Sendable, CustomTestStringConvertible {
  let testDescription: String
  var errors: [String] = []
  var flags: [String] = []
  let change: @Sendable (inout CRSResults) -> Void

  init(
    _ name: String, errors: [String] = [], flags: [String] = [], change: @escaping @Sendable (inout CRSResults) -> Void
  ) {
    testDescription = name
    self.errors = errors
    self.flags = flags
    self.change = change
  }
}

@Suite("CRS: the rule table (acceptance 10)", .storeless)
struct CRSRulesTests {
  static let accepted: [CRSRow] = [
    CRSRow("as it is") { _ in },
    CRSRow("names in other letters of the same name") { $0.accountHolder.familyName = "MUSTERMANN" },
    CRSRow("the middle name of the document") { $0.accountHolder.middleNames = "Maria" },
    CRSRow("a different mailing address, even a P.O. box") {
      $0.mailingAddress = .init(line1: "P.O. Box 12", city: "Safat", country: "KW")
    },
    CRSRow("reason B with an explanation", flags: []) {
      $0.taxResidences[1] = .init(country: "KW", noTINReason: .notObtainable, noTINExplanation: "I am a new resident.")
    },
    CRSRow("reason C, which an agent looks at", flags: ["/results/tax_residences/1/no_tin_reason reason-doubtful"]) {
      $0.taxResidences[1] = .init(country: "KW", noTINReason: .notRequired)
    },
    CRSRow("reason A of a country that issues", flags: ["/results/tax_residences/0/no_tin_reason reason-doubtful"]) {
      $0.taxResidences[0] = .init(country: "DE", noTINReason: .notIssued)
    },
    CRSRow("a number of a country that issues none", flags: ["/results/tax_residences/1/tin tin-unexpected"]) {
      $0.taxResidences[1] = .init(country: "KW", tin: "287010112345")
    },
    CRSRow("a P.O. box with a reason", flags: ["/results/residence_address/line1 po-box"]) {
      $0.residenceAddress.line1 = "P.O. Box 99"
      $0.residenceAddress.inCareOfReason = "There is no street address in the camp."
    },
    CRSRow(
      "a residence outside of the tax residences, explained",
      flags: ["/results/residence_address/country residence-not-tax-residence"]
    ) {
      $0.taxResidences.removeLast()
      $0.explanation = "I moved here only last month."
    },
    CRSRow("five countries") {
      $0.taxResidences += ["AE", "QA", "OM"].map { .init(country: $0, noTINReason: .notIssued) }
    },
    CRSRow("signed yesterday by the signer's calendar") { $0.declaration.signedOn = FormSamples.date("2026-11-20") },
    CRSRow("signed tomorrow by the signer's calendar") { $0.declaration.signedOn = FormSamples.date("2026-11-22") },
    CRSRow("signed with an initial") { $0.declaration.signedName = "E. Mustermann" },
    CRSRow("signed under a power of attorney", flags: ["/results/declaration/capacity signed-by-another"]) {
      $0.declaration.capacity = .attorney
      $0.declaration.signedName = "Max Vertreter"
      $0.declaration.powerOfAttorneyID = "7a01"
    },
    CRSRow(
      "a name in Arabic letters, which an agent compares",
      flags: ["/results/account_holder/family_name name-not-compared"]
    ) {
      $0.accountHolder.familyName = "موسترمان"
    },
  ]

  static let refused: [CRSRow] = [
    CRSRow("another family name", errors: ["/results/account_holder/family_name identity-mismatch"]) {
      $0.accountHolder.familyName = "Musterfrau"
    },
    CRSRow("no family name", errors: ["/results/account_holder/family_name required"]) {
      $0.accountHolder.familyName = " "
    },
    CRSRow("another given name", errors: ["/results/account_holder/first_name identity-mismatch"]) {
      $0.accountHolder.firstName = "Erik"
    },
    CRSRow("a middle name that the document has not", errors: ["/results/account_holder/first_name identity-mismatch"])
    {
      $0.accountHolder.middleNames = "Anna"
    },
    CRSRow("text that turns its direction", errors: ["/results/account_holder/title characters"]) {
      $0.accountHolder.title = "M\u{202E}s"
    },
    CRSRow("another birthday", errors: ["/results/account_holder/date_of_birth identity-mismatch"]) {
      $0.accountHolder.dateOfBirth = FormSamples.date("1964-12-08")
    },
    CRSRow("a birthday to come", errors: ["/results/account_holder/date_of_birth in-future"]) {
      $0.accountHolder.dateOfBirth = FormSamples.date("2026-11-22")
    },
    CRSRow(
      "no place of birth",
      errors: [
        "/results/account_holder/place_of_birth/city required",
        "/results/account_holder/place_of_birth/country country",
      ]
    ) { $0.accountHolder.placeOfBirth = .init(city: "", country: "ZZ") },
    CRSRow("a P.O. box as residence", errors: ["/results/residence_address/line1 po-box"]) {
      $0.residenceAddress.line1 = "PO Box 99"
    },
    CRSRow("a care-of residence", errors: ["/results/residence_address/line2 in-care-of"]) {
      $0.residenceAddress.line2 = "c/o Miller"
    },
    CRSRow("a reason of too few characters", errors: ["/results/residence_address/line1 po-box"]) {
      $0.residenceAddress.line1 = "PO Box 99"
      $0.residenceAddress.inCareOfReason = "so"
    },
    CRSRow(
      "an unknown country",
      errors: [
        "/results/residence_address/country country", "/results/explanation explanation-required",
      ]
    ) { $0.residenceAddress.country = "kw" },
    CRSRow("the same mailing address", errors: ["/results/mailing_address same-address"]) {
      $0.mailingAddress = $0.residenceAddress
      $0.mailingAddress?.line1 = "BLOCK 4  Street 12 house 7"
    },
    CRSRow(
      "no tax residence", errors: ["/results/tax_residences required", "/results/explanation explanation-required"]
    ) {
      $0.taxResidences = []
    },
    CRSRow("six tax residences", errors: ["/results/tax_residences too-many"]) {
      $0.taxResidences += ["AE", "QA", "OM", "BH"].map { .init(country: $0, noTINReason: .notIssued) }
    },
    CRSRow("a country twice", errors: ["/results/tax_residences/2/country duplicate"]) {
      $0.taxResidences.append(.init(country: "DE", tin: "86095742719"))
    },
    CRSRow("neither number nor reason", errors: ["/results/tax_residences/0/tin tin-or-reason-required"]) {
      $0.taxResidences[0].tin = nil
    },
    CRSRow("number and reason", errors: ["/results/tax_residences/0/no_tin_reason tin-and-reason"]) {
      $0.taxResidences[0].noTINReason = .notIssued
    },
    CRSRow("reason D", errors: ["/results/tax_residences/1/no_tin_reason unknown-reason"]) {
      $0.taxResidences[1].noTINReason = .init(rawValue: "D")
    },
    CRSRow(
      "reason B without explanation", errors: ["/results/tax_residences/1/no_tin_explanation explanation-required"]
    ) {
      $0.taxResidences[1].noTINReason = .notObtainable
    },
    CRSRow("reason B with nine characters", errors: ["/results/tax_residences/1/no_tin_explanation too-short"]) {
      $0.taxResidences[1] = .init(country: "KW", noTINReason: .notObtainable, noTINExplanation: " 123456789 ")
    },
    CRSRow("a number with a slip", errors: ["/results/tax_residences/0/tin tin-check-digit"]) {
      $0.taxResidences[0].tin = "86095742718"
    },
    CRSRow("a number of another form", errors: ["/results/tax_residences/0/tin tin-format"]) {
      $0.taxResidences[0].tin = "123"
    },
    CRSRow(
      "a residence outside of the tax residences, not explained",
      errors: ["/results/explanation explanation-required"]
    ) { $0.taxResidences.removeLast() },
    CRSRow("not accepted", errors: ["/results/declaration/accepted not-accepted"]) { $0.declaration.accepted = false },
    CRSRow("signed two days ago", errors: ["/results/declaration/signed_on not-today"]) {
      $0.declaration.signedOn = FormSamples.date("2026-11-19")
    },
    CRSRow("signed in two days", errors: ["/results/declaration/signed_on in-future"]) {
      $0.declaration.signedOn = FormSamples.date("2026-11-23")
    },
    CRSRow("signed with another name", errors: ["/results/declaration/signed_name identity-mismatch"]) {
      $0.declaration.signedName = "Max Vertreter"
    },
    CRSRow("not signed", errors: ["/results/declaration/signed_name required"]) { $0.declaration.signedName = "" },
    CRSRow("an unknown capacity", errors: ["/results/declaration/capacity unknown-capacity"]) {
      $0.declaration.capacity = .init(rawValue: "friend")
    },
    CRSRow(
      "no copy of the power of attorney", errors: ["/results/declaration/power_of_attorney_id required"],
      flags: ["/results/declaration/capacity signed-by-another"]
    ) { $0.declaration.capacity = .attorney },
  ]

  @Test("every rule accepts what it should, and flags what an agent should see", arguments: accepted)
  func accepts(row: CRSRow) {
    var results = FormSamples.crs
    row.change(&results)
    let review = CRSRules.check(results, verified: FormSamples.verified, today: FormSamples.today)
    #expect(review.errorRows == [])
    #expect(review.flagRows == row.flags)
    #expect(review.validUntil == nil)
  }

  @Test("every rule refuses what it should, and points at it", arguments: refused)
  func refuses(row: CRSRow) {
    var results = FormSamples.crs
    row.change(&results)
    let review = CRSRules.check(results, verified: FormSamples.verified, today: FormSamples.today)
    #expect(review.errorRows == row.errors)
    for flag in row.flags { #expect(review.flagRows.contains(flag)) }
  }

  @Test("a leap-day birth is compared as any other, and a common year has none")
  func leapDay() throws {
    #expect(WireDate("2023-02-29") == nil)
    #expect(WireDate("1900-02-29") == nil)
    var verified = FormSamples.verified
    verified.dateOfBirth = FormSamples.date("2000-02-29")
    var results = FormSamples.crs
    results.accountHolder.dateOfBirth = FormSamples.date("2000-02-29")
    #expect(CRSRules.check(results, verified: verified, today: FormSamples.today).isAcceptable)
    results.accountHolder.dateOfBirth = FormSamples.date("2000-02-28")
    #expect(!CRSRules.check(results, verified: verified, today: FormSamples.today).isAcceptable)
  }

  @Test(
    "the day of signing has its tolerance across leap days and the end of the year",
    arguments: [
      ("2028-02-29", "2028-02-28", true), ("2028-02-29", "2028-03-01", true), ("2028-03-01", "2028-02-28", false),
      ("2027-03-01", "2027-02-28", true), ("2027-01-01", "2026-12-31", true), ("2027-01-01", "2026-12-30", false),
    ])
  func signingDay(today: String, signedOn: String, isAccepted: Bool) {
    var results = FormSamples.crs
    results.declaration.signedOn = FormSamples.date(signedOn)
    let review = CRSRules.check(results, verified: FormSamples.verified, today: FormSamples.date(today))
    #expect(review.isAcceptable == isAccepted)
  }

  @Test("a person with one name only can certify")
  func oneName() {
    var verified = FormSamples.verified
    verified.familyName = "SUKARNO"
    verified.givenNames = ""
    var results = FormSamples.crs
    results.accountHolder.familyName = "Sukarno"
    results.accountHolder.firstName = ""
    results.declaration.signedName = "Sukarno"
    #expect(CRSRules.check(results, verified: verified, today: FormSamples.today).errorRows == [])
  }
}
