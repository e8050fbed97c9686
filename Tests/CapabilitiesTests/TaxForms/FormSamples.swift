// SPDX-License-Identifier: Apache-2.0

import GatehouseWire
import RubixWire

@testable import Forms

/// Complete, acceptable forms of one invented person, for tests to spoil.
enum FormSamples {
  static let today = date("2026-11-21")
  static let passportID = "3f0c9a52-1111-4c55-9a0a-0d0c5f1d7a01"

  static func date(_ text: String) -> WireDate {
    guard let date = WireDate(text) else { preconditionFailure("Not a day.") }
    return date
  }

  static let verified = VerifiedIdentity(
    familyName: "MUSTERMANN", givenNames: "ERIKA MARIA", dateOfBirth: date("1964-08-12"), nationalities: ["DEU"],
    documents: [
      .init(id: passportID, type: .passport, issuingState: "D"),
      .init(id: "us-passport", type: .passport, issuingState: "USA"),
      .init(id: "licence", type: .drivingLicense, issuingState: "DEU"),
      .init(id: "national-id", type: .nationalIDFrontSide, issuingState: "DEU"),
    ])

  static let kuwait = ComplianceAddress(line1: "Block 4, Street 12, House 7", city: "Salmiya", country: "KW")
  static let berlin = ComplianceAddress(line1: "Musterstraße 7", city: "Berlin", postalCode: "10115", country: "DE")
  static let signature = ComplianceSignature(accepted: true, signedName: "Erika Mustermann", signedOn: today)

  static let crs = CRSResults(
    accountHolder: .init(
      title: "Ms", familyName: "Mustermann", firstName: "Erika", dateOfBirth: date("1964-08-12"),
      placeOfBirth: .init(city: "Berlin", country: "DE")),
    residenceAddress: kuwait,
    taxResidences: [
      .init(country: "DE", tin: "86095742719"),
      .init(country: "KW", noTINReason: .notIssued),
    ],
    declaration: signature)

  static let w8ben = FATCAResults(
    isUSPerson: false, usIndicia: .init(), form: .w8ben,
    w8ben: .init(
      name: "Erika Mustermann", citizenshipCountry: "DE", permanentAddress: berlin, foreignTIN: "86095742719",
      dateOfBirth: date("1964-08-12"), treaty: .init()),
    certification: signature)

  static let w9 = FATCAResults(
    isUSPerson: true, usIndicia: .init(usCitizen: true), form: .w9,
    w9: .init(name: "Erika Mustermann", address: berlin, tinType: .ssn, tin: "123-45-6789"),
    certification: signature)

  static let kyc: [KYCAnswer] = [
    .init(questionID: "employment_status", optionIDs: ["employed"]),
    .init(questionID: "occupation", value: .text("Engineer")),
    .init(questionID: "employer_name", value: .text("Utopian Bridges")),
    .init(questionID: "source_of_funds", optionIDs: ["salary", "savings"]),
    .init(questionID: "monthly_volume", optionIDs: ["up_to_5000"]),
    .init(questionID: "account_purpose", optionIDs: ["salary"]),
    .init(questionID: "pep", value: .boolean(false)),
    .init(questionID: "own_account", value: .boolean(true)),
    .init(questionID: "signature", value: .text("Erika Mustermann")),
  ]
}

extension FormReview {
  /// `pointer code` of each error.
  var errorRows: [String] { errors.map { "\($0.field) \($0.code)" } }
  var flagRows: [String] { flags.map { "\($0.field) \($0.code)" } }
}
