// SPDX-License-Identifier: Apache-2.0

import RubixWire
import TestSupport
import Testing

@testable import Forms

/// One row of the rule table: a change of an acceptable form, and what the rules then say.
struct FATCARow: Sendable, CustomTestStringConvertible {
  let testDescription: String
  var errors: [String] = []
  var flags: [String] = []
  let change: @Sendable (inout FATCAResults) -> Void

  init(
    _ name: String, errors: [String] = [], flags: [String] = [],
    change: @escaping @Sendable (inout FATCAResults) -> Void
  ) {
    testDescription = name
    self.errors = errors
    self.flags = flags
    self.change = change
  }
}

private let cured = ["/results/cure us-indicia-cured"]

@Suite("FATCA: the rule table (acceptance 10)", .storeless)
struct FATCARulesTests {
  static let w8benRows: [FATCARow] = [
    FATCARow("as it is") { _ in },
    FATCARow("no number required") {
      $0.w8ben?.foreignTIN = nil
      $0.w8ben?.foreignTINNotRequired = true
    },
    FATCARow("number and none required", errors: ["/results/w8ben/ftin_not_required tin-and-reason"]) {
      $0.w8ben?.foreignTINNotRequired = true
    },
    FATCARow("no number", errors: ["/results/w8ben/foreign_tin tin-or-reason-required"]) { $0.w8ben?.foreignTIN = nil },
    FATCARow("a number with a slip", errors: ["/results/w8ben/foreign_tin tin-check-digit"]) {
      $0.w8ben?.foreignTIN = "86095742718"
    },
    FATCARow("a number of the country of citizenship", flags: ["/results/w8ben/foreign_tin tin-of-other-country"]) {
      $0.w8ben?.permanentAddress = .init(line1: "1 High Street", city: "London", country: "GB")
    },
    FATCARow("a P.O. box as permanent address", errors: ["/results/w8ben/permanent_address/line1 po-box"]) {
      $0.w8ben?.permanentAddress.line1 = "Postfach 12"
      $0.w8ben?.permanentAddress.inCareOfReason = "No reason helps on this form."
    },
    FATCARow("a permanent address in care of", errors: ["/results/w8ben/permanent_address/line2 in-care-of"]) {
      $0.w8ben?.permanentAddress.line2 = "C/O Miller"
    },
    FATCARow("a P.O. box as mailing address") {
      $0.w8ben?.mailingAddress = .init(line1: "Postfach 12", city: "Berlin", country: "DE")
    },
    FATCARow("the same mailing address", errors: ["/results/w8ben/mailing_address same-address"]) {
      $0.w8ben?.mailingAddress = FormSamples.berlin
    },
    FATCARow("an ITIN") { $0.w8ben?.usTIN = "912-70-1234" },
    FATCARow("an EIN as US number", errors: ["/results/w8ben/us_tin tin-format"]) { $0.w8ben?.usTIN = "12-3456789" },
    FATCARow("another name", errors: ["/results/w8ben/name identity-mismatch"]) { $0.w8ben?.name = "Max Mustermann" },
    FATCARow("another birthday", errors: ["/results/w8ben/date_of_birth identity-mismatch"]) {
      $0.w8ben?.dateOfBirth = FormSamples.date("1964-08-13")
    },
    FATCARow("US citizenship", errors: ["/results/w8ben/citizenship_country us-citizen"]) {
      $0.w8ben?.citizenshipCountry = "US"
    },
    FATCARow("another citizenship", flags: ["/results/w8ben/citizenship_country citizenship-differs"]) {
      $0.w8ben?.citizenshipCountry = "AT"
    },
    FATCARow("a treaty") {
      $0.w8ben?.treaty = .init(country: "DE", article: "11", rate: 0, incomeType: "interest", reason: "resident")
    },
    FATCARow("a treaty of another country", flags: ["/results/w8ben/treaty/country treaty-country-differs"]) {
      $0.w8ben?.treaty = .init(country: "FR", article: "11")
    },
    FATCARow("a treaty without country", errors: ["/results/w8ben/treaty/country required"]) {
      $0.w8ben?.treaty = .init(article: "11")
    },
    FATCARow("a rate of 31 per cent", errors: ["/results/w8ben/treaty/rate out-of-range"]) {
      $0.w8ben?.treaty = .init(country: "DE", rate: 31)
    },
    FATCARow("a rate that is no number", errors: ["/results/w8ben/treaty/rate out-of-range"]) {
      $0.w8ben?.treaty = .init(country: "DE", rate: .nan)
    },
    FATCARow("a US treaty", errors: ["/results/w8ben/treaty/country us-treaty"]) {
      $0.w8ben?.treaty = .init(country: "US")
    },
    FATCARow(
      "the wrong form",
      errors: [
        "/results/form wrong-form", "/results/w9 not-applicable", "/results/w8ben required",
      ]
    ) {
      $0.form = .w9
      $0.w9 = FormSamples.w9.w9
      $0.w8ben = nil
    },
    FATCARow("an indicium without cure", errors: ["/results/cure required"]) { $0.usIndicia.usPhone = true },
    FATCARow("an indicium with a passport", flags: cured) {
      $0.usIndicia.usPhone = true
      $0.cure = .init(documentID: FormSamples.passportID)
    },
    FATCARow("a cure without document", errors: ["/results/cure/document_id required"], flags: cured) {
      $0.usIndicia.usPhone = true
      $0.cure = .init(explanation: "I have an American telephone.")
    },
    FATCARow("a document of another customer", errors: ["/results/cure/document_id unknown-document"], flags: cured) {
      $0.usIndicia.usPhone = true
      $0.cure = .init(documentID: "other")
    },
    FATCARow("a US passport as cure", errors: ["/results/cure/document_id wrong-document"], flags: cured) {
      $0.usIndicia.usPhone = true
      $0.cure = .init(documentID: "us-passport")
    },
    FATCARow("a driving licence as cure", errors: ["/results/cure/document_id wrong-document"], flags: cured) {
      $0.usIndicia.usPhone = true
      $0.cure = .init(documentID: "licence")
    },
    FATCARow("a national id as cure", flags: ["/results/cure/document_id cure-by-other-document"] + cured) {
      $0.usIndicia.usPhone = true
      $0.cure = .init(documentID: "national-id")
    },
    FATCARow("a US birth without certificate", errors: ["/results/cure/explanation explanation-required"], flags: cured)
    {
      $0.usIndicia.usPlaceOfBirth = true
      $0.cure = .init(documentID: FormSamples.passportID)
    },
    FATCARow("a US birth with certificate", flags: cured) {
      $0.usIndicia.usPlaceOfBirth = true
      $0.cure = .init(documentID: FormSamples.passportID, lossOfNationalityID: "7a01")
    },
    FATCARow("a US birth with explanation", flags: cured) {
      $0.usIndicia.usPlaceOfBirth = true
      $0.cure = .init(documentID: FormSamples.passportID, explanation: "My parents were diplomats.")
    },
    FATCARow("US citizen and no US person", flags: ["/results/is_us_person us-person-doubtful"] + cured) {
      $0.usIndicia.usCitizen = true
      $0.cure = .init(documentID: FormSamples.passportID)
    },
    FATCARow("a US address without its indicium", errors: ["/results/us_indicia/us_address indicium-undeclared"]) {
      $0.w8ben?.mailingAddress = .init(line1: "1 Main Street", city: "Albany", country: "US")
    },
    FATCARow("not certified", errors: ["/results/certification/accepted not-accepted"]) {
      $0.certification.accepted = false
    },
  ]

  static let w9Rows: [FATCARow] = [
    FATCARow("as it is") { _ in },
    FATCARow("no W-9", errors: ["/results/w9 required"]) { $0.w9 = nil },
    FATCARow("a W-8BEN too", errors: ["/results/w8ben not-applicable"]) { $0.w8ben = FormSamples.w8ben.w8ben },
    FATCARow("the other form", errors: ["/results/form wrong-form"]) { $0.form = .w8ben },
    FATCARow("a cure", errors: ["/results/cure not-applicable"]) { $0.cure = .init(documentID: "x") },
    FATCARow("an unknown type of number", errors: ["/results/w9/tin_type unknown-type"]) {
      $0.w9?.tinType = .init(rawValue: "TIN")
    },
    FATCARow("an SSN as ITIN", errors: ["/results/w9/tin tin-format"]) { $0.w9?.tinType = .itin },
    FATCARow("an EIN", flags: ["/results/w9/tin tin-of-organisation"]) {
      $0.w9?.tinType = .ein
      $0.w9?.tin = "12-3456789"
    },
    FATCARow("a company", errors: ["/results/w9/tax_classification not-individual"]) {
      $0.w9?.taxClassification = "c_corporation"
    },
    FATCARow("payee code 14", errors: ["/results/w9/exempt_payee_code unknown-code"]) { $0.w9?.exemptPayeeCode = "14" },
    FATCARow("payee code 5", flags: ["/results/w9/exempt_payee_code exempt-individual"]) {
      $0.w9?.exemptPayeeCode = "5"
    },
    FATCARow("exemption code N", errors: ["/results/w9/fatca_exemption_code unknown-code"]) {
      $0.w9?.fatcaExemptionCode = "N"
    },
    FATCARow("backup withholding", flags: ["/results/w9/backup_withholding_notified backup-withholding"]) {
      $0.w9?.backupWithholdingNotified = true
    },
    FATCARow("another name", errors: ["/results/w9/name identity-mismatch"]) { $0.w9?.name = "Erika Schmidt" },
  ]

  @Test("every rule of the W-8BEN accepts and refuses what it should", arguments: w8benRows)
  func foreigner(row: FATCARow) {
    var results = FormSamples.w8ben
    row.change(&results)
    let review = FATCARules.check(results, verified: FormSamples.verified, today: FormSamples.today)
    #expect(review.errorRows == row.errors)
    #expect(review.flagRows == row.flags)
    #expect(review.validUntil == FormSamples.date("2029-12-31"))
  }

  @Test("every rule of the W-9 accepts and refuses what it should", arguments: w9Rows)
  func usPerson(row: FATCARow) {
    var results = FormSamples.w9
    row.change(&results)
    let review = FATCARules.check(results, verified: FormSamples.verified, today: FormSamples.today)
    #expect(review.errorRows == row.errors)
    #expect(review.flagRows == row.flags)
    #expect(review.validUntil == nil)
  }

  @Test(
    "a W-8BEN counts until the end of the third calendar year after signing",
    arguments: [
      ("2026-01-01", "2029-12-31"), ("2026-12-31", "2029-12-31"), ("2028-02-29", "2031-12-31"),
    ])
  func validity(signedOn: String, lastDay: String) {
    #expect(FATCARules.validUntil(signedOn: FormSamples.date(signedOn)) == FormSamples.date(lastDay))
  }
}

@Suite("CRS and FATCA: the two forms agree, whichever comes second", .storeless)
struct TaxFormConsistencyTests {
  private static let usResident: CRSResults = {
    var crs = FormSamples.crs
    crs.taxResidences.append(.init(country: "US", tin: "123-45-6789"))
    return crs
  }()

  private func crs(_ crs: CRSResults, after fatca: FATCAResults) -> FormReview {
    CRSRules.check(crs, verified: FormSamples.verified, fatca: fatca, today: FormSamples.today)
  }

  private func fatca(_ fatca: FATCAResults, after crs: CRSResults) -> FormReview {
    FATCARules.check(fatca, verified: FormSamples.verified, crs: crs, today: FormSamples.today)
  }

  @Test("a US tax resident says US person, or explains")
  func usResidence() {
    let mismatch = "us-person-mismatch"
    #expect(
      crs(Self.usResident, after: FormSamples.w8ben).errorRows == ["/results/tax_residences/2/country \(mismatch)"])
    #expect(fatca(FormSamples.w8ben, after: Self.usResident).errorRows == ["/results/is_us_person \(mismatch)"])
    #expect(crs(Self.usResident, after: FormSamples.w9).errorRows == [])
    #expect(fatca(FormSamples.w9, after: Self.usResident).errorRows == [])
    var explained = Self.usResident
    explained.explanation = "I was a resident until June only."
    #expect(
      crs(explained, after: FormSamples.w8ben).flagRows == [
        "/results/tax_residences/2/country us-residence-not-us-person"
      ])
    #expect(fatca(FormSamples.w8ben, after: explained).flagRows == ["/results/is_us_person us-residence-not-us-person"])
    var cure = FormSamples.w8ben
    cure.cure = .init(explanation: "I was a resident until June only.")
    #expect(fatca(cure, after: Self.usResident).errorRows == [])
    #expect(crs(Self.usResident, after: cure).errorRows == [])
  }

  @Test("a US person without US residence is flagged, and so are different numbers")
  func flags() {
    #expect(
      crs(FormSamples.crs, after: FormSamples.w9).flagRows == ["/results/tax_residences us-person-without-us-residence"]
    )
    #expect(
      fatca(FormSamples.w9, after: FormSamples.crs).flagRows == ["/results/is_us_person us-person-without-us-residence"]
    )
    var other = Self.usResident
    other.taxResidences[2].tin = "123-45-6780"
    #expect(crs(other, after: FormSamples.w9).flagRows == ["/results/tax_residences/2/tin tin-differs"])
    var w8ben = FormSamples.w8ben
    w8ben.w8ben?.foreignTIN = "62601815903"
    #expect(fatca(w8ben, after: FormSamples.crs).flagRows == ["/results/w8ben/foreign_tin tin-differs"])
  }

  @Test("a US birth or address in the CRS form is an indicium in the FATCA form")
  func indicia() {
    var born = FormSamples.crs
    born.accountHolder.placeOfBirth = .init(city: "Albany", country: "US")
    #expect(
      crs(born, after: FormSamples.w8ben).errorRows == [
        "/results/account_holder/place_of_birth/country indicium-undeclared"
      ])
    #expect(
      fatca(FormSamples.w8ben, after: born).errorRows == ["/results/us_indicia/us_place_of_birth indicium-undeclared"])
    var mail = FormSamples.crs
    mail.mailingAddress = .init(line1: "1 Main Street", city: "Albany", country: "US")
    #expect(
      crs(mail, after: FormSamples.w8ben).errorRows == ["/results/residence_address/country indicium-undeclared"])
    #expect(fatca(FormSamples.w8ben, after: mail).errorRows == ["/results/us_indicia/us_address indicium-undeclared"])
  }
}
