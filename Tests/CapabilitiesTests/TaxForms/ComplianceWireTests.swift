// SPDX-License-Identifier: Apache-2.0

import Foundation
import GatehouseWire
import RubixWire
import TestSupport
import Testing

@testable import Forms

@Suite("Compliance: the JSON of the specification is read and written", .storeless)
struct ComplianceWireTests {
  private static let crs = """
    {"template_id":"t","version":3,"remarks":null,"results":
    {"account_holder":{"title":"Ms","family_name":"Mustermann","first_name":"Erika","middle_names":null,
    "date_of_birth":"1964-08-12","place_of_birth":{"city":"Berlin","country":"DE"}},
    "residence_address":{"line1":"Street 1","line2":null,"city":"Kuwait City","region":null,
    "postal_code":"13001","country":"KW"},
    "mailing_address":null,
    "tax_residences":[{"country":"DE","tin":"86095742719","no_tin_reason":null,"no_tin_explanation":null},
    {"country":"AE","tin":null,"no_tin_reason":"A","no_tin_explanation":null}],
    "declaration":{"accepted":true,"capacity":"self","signed_name":"Erika Mustermann","signed_on":"2026-11-21"}}}
    """

  private static let fatca = """
    {"is_us_person":false,"us_indicia":{"us_citizen":false,"us_resident_or_green_card":false,"us_place_of_birth":false,
    "us_address":false,"us_phone":false,"us_standing_instructions":false,
    "us_power_of_attorney":false,"us_hold_mail_only":false},
    "form":"W-8BEN","w8ben":{"name":"Erika Mustermann","citizenship_country":"DE",
    "permanent_address":{"line1":"Street 1","city":"Berlin","country":"DE"},"mailing_address":null,"us_tin":null,
    "foreign_tin":"86095742719","ftin_not_required":false,
    "reference":null,"date_of_birth":"1964-08-12",
    "treaty":{"country":null,"article":null,"rate":null,"income_type":null,"reason":null}},
    "w9":null,"cure":null,
    "certification":{"accepted":true,"signed_name":"Erika Mustermann","signed_on":"2026-11-21","capacity":"self"}}
    """

  private static let kyc = """
    [{"question_id":"a","value":"x"},{"question_id":"b","value":true},{"question_id":"c","option_ids":["x","y"]},
    {"question_id":"d","value":{"country":"DE","tin":"86095742719"}},
    {"question_id":"e","value":{"line1":"Street 1","city":"Berlin","country":"DE"}}]
    """

  @Test("the CRS form of §7.1, and the rules on it")
  func crs() throws {
    let submission = try WireJSON.decode(CRSSubmission.self, from: Data(Self.crs.utf8))
    #expect(submission.version == 3)
    #expect(submission.results.taxResidences.map(\.country) == ["DE", "AE"])
    #expect(submission.results.taxResidences[1].noTINReason == .notIssued)
    #expect(submission.results.declaration.capacity == .holder)
    let review = CRSRules.check(submission.results, verified: FormSamples.verified, today: FormSamples.today)
    // The specification's own example lives in KW and is tax resident in DE and AE without saying why.
    #expect(review.errorRows == ["/results/explanation explanation-required"])
    try roundTrip(submission)
  }

  @Test("the FATCA form of §7.2, and the rules on it")
  func fatca() throws {
    let results = try WireJSON.decode(FATCAResults.self, from: Data(Self.fatca.utf8))
    #expect(results.form == .w8ben)
    #expect(FATCARules.check(results, verified: FormSamples.verified, today: FormSamples.today).errorRows == [])
    try roundTrip(results)
    try roundTrip(FormSamples.w9)
  }

  @Test("the answers of a KYC form, told apart by their JSON type")
  func kyc() throws {
    let answers = try WireJSON.decode([KYCAnswer].self, from: Data(Self.kyc.utf8))
    #expect(
      answers.map(\.value) == [
        .text("x"), .boolean(true), nil, .tin(country: "DE", tin: "86095742719"),
        .address(.init(line1: "Street 1", city: "Berlin", country: "DE")),
      ])
    #expect(answers[2].optionIDs == ["x", "y"])
    try roundTrip(answers)
  }

  @Test("templates travel with the member names of §6.12")
  func template() throws {
    for form in ComplianceForm.known { try roundTrip(try #require(ComplianceTemplate.standard(form))) }
    let text = String(decoding: try WireJSON.encode(ComplianceTemplate.standardKYC), as: UTF8.self)
    for member in ["\"name_ar\"", "\"title_ar\"", "\"depends_on\"", "\"level\":1", "\"required\":true", "\"options\""] {
      #expect(text.contains(member))
    }
  }

  @Test("February 29 of a common year cannot be read")
  func leapDay() {
    let text = Self.crs.replacing("1964-08-12", with: "1963-02-29")
    #expect(throws: DecodingError.self) { try WireJSON.decode(CRSSubmission.self, from: Data(text.utf8)) }
  }

  private func roundTrip<Value: Codable & Equatable>(_ value: Value) throws {
    #expect(try WireJSON.decode(Value.self, from: WireJSON.encode(value)) == value)
  }
}
