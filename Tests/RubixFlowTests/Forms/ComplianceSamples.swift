// SPDX-License-Identifier: Apache-2.0

import GatehouseWire
import RubixWire

/// Acceptable forms of the invented person of `AgentTestApp`.
enum ComplianceSamples {
  static let birth = date("1964-08-12")
  static let today = date("2026-11-21")

  static func date(_ text: String) -> WireDate {
    guard let date = WireDate(text) else { preconditionFailure("Not a day.") }
    return date
  }

  static let berlin = ComplianceAddress(line1: "Musterallee 7", city: "Berlin", postalCode: "10115", country: "DE")
  static let signature = ComplianceSignature(accepted: true, signedName: "Erika Mustermann", signedOn: today)

  static func crs(_ residences: [CRSResults.TaxResidence] = [.init(country: "DE", tin: "86095742719")]) -> CRSSubmission
  {
    CRSSubmission(
      templateID: ComplianceTemplate.standardCRS.id, version: ComplianceTemplate.standardCRS.version,
      results: CRSResults(
        accountHolder: .init(
          title: "Ms", familyName: "Mustermann", firstName: "Erika", dateOfBirth: birth,
          placeOfBirth: .init(city: "Berlin", country: "DE")),
        residenceAddress: berlin, taxResidences: residences, declaration: signature))
  }

  static let fatca = FATCASubmission(
    templateID: ComplianceTemplate.standardFATCA.id, version: ComplianceTemplate.standardFATCA.version,
    results: FATCAResults(
      isUSPerson: false, usIndicia: .init(), form: .w8ben,
      w8ben: .init(
        name: "Erika Mustermann", citizenshipCountry: "DE", permanentAddress: berlin, foreignTIN: "86095742719",
        dateOfBirth: birth, treaty: .init()),
      certification: signature))

  static let kyc = KYCSubmission(
    templateID: ComplianceTemplate.standardKYC.id, version: ComplianceTemplate.standardKYC.version,
    results: [
      .init(questionID: "employment_status", optionIDs: ["retired"]),
      .init(questionID: "source_of_funds", optionIDs: ["pension"]),
      .init(questionID: "monthly_volume", optionIDs: ["up_to_1000"]),
      .init(questionID: "account_purpose", optionIDs: ["savings"]),
      .init(questionID: "pep", value: .boolean(false)),
      .init(questionID: "own_account", value: .boolean(true)),
      .init(questionID: "signature", value: .text("Erika Mustermann")),
    ])
}
