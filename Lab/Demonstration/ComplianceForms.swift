// SPDX-License-Identifier: Apache-2.0

import GatehouseApp
import GatehouseWire
import RubixWire

/// Acceptable answers of a person who lives and pays taxes in Kuwait, under the name that the documents gave.
package struct ComplianceForms: Sendable {
  private static let home = ComplianceAddress(line1: "Block 4, Street 12, House 7", city: "Salmiya", country: "KW")

  let firstName: String
  let lastName: String
  let birth: WireDate
  let today: WireDate

  /// - Returns: nil while the application has no name and no date of birth.
  package init?(_ customer: CustomerView, today: WireDate) {
    guard let firstName = customer.firstName, let lastName = customer.lastName, let birth = customer.dateOfBirth else {
      return nil
    }
    self.firstName = firstName
    self.lastName = lastName
    self.birth = birth
    self.today = today
  }

  private var name: String { "\(firstName) \(lastName)" }
  private var signature: ComplianceSignature {
    ComplianceSignature(accepted: true, signedName: name, signedOn: today)
  }

  package var crs: CRSSubmission {
    CRSSubmission(
      templateID: ComplianceTemplate.standardCRS.id, version: ComplianceTemplate.standardCRS.version,
      results: CRSResults(
        accountHolder: .init(
          familyName: lastName, firstName: firstName, dateOfBirth: birth,
          placeOfBirth: .init(city: "Amaurot", country: "KW")),
        residenceAddress: Self.home, taxResidences: [.init(country: "KW", noTINReason: .notIssued)],
        declaration: signature))
  }

  package var fatca: FATCASubmission {
    FATCASubmission(
      templateID: ComplianceTemplate.standardFATCA.id, version: ComplianceTemplate.standardFATCA.version,
      results: FATCAResults(
        isUSPerson: false, usIndicia: .init(), form: .w8ben,
        w8ben: .init(
          name: name, citizenshipCountry: "KW", permanentAddress: Self.home, foreignTINNotRequired: true,
          dateOfBirth: birth, treaty: .init()),
        certification: signature))
  }

  package var kyc: KYCSubmission {
    KYCSubmission(
      templateID: ComplianceTemplate.standardKYC.id, version: ComplianceTemplate.standardKYC.version,
      results: [
        .init(questionID: "employment_status", optionIDs: ["retired"]),
        .init(questionID: "source_of_funds", optionIDs: ["pension"]),
        .init(questionID: "monthly_volume", optionIDs: ["up_to_1000"]),
        .init(questionID: "account_purpose", optionIDs: ["savings"]),
        .init(questionID: "pep", value: .boolean(false)),
        .init(questionID: "own_account", value: .boolean(true)),
        .init(questionID: "signature", value: .text(name)),
      ])
  }
}
