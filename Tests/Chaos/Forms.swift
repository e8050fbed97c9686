import GatehouseWire
import RubixWire

/// Acceptable answers of a pensioner in Kuwait under the name that the documents gave.
struct Forms: Sendable {
  private static let home = ComplianceAddress(line1: "Block 2, Street 3, House 4", city: "Hawalli", country: "KW")

  let firstName: String
  let lastName: String
  let birth: WireDate
  let today: WireDate

  /// - Returns: nil before the documents matched.
  init?(_ customer: CustomerView, today: WireDate) {
    guard let firstName = customer.firstName, let lastName = customer.lastName, let birth = customer.dateOfBirth else {
      return nil
    }
    (self.firstName, self.lastName, self.birth, self.today) = (firstName, lastName, birth, today)
  }

  private var name: String { "\(firstName) \(lastName)" }
  private var signature: ComplianceSignature { .init(accepted: true, signedName: name, signedOn: today) }

  var crs: CRSSubmission {
    let template = ComplianceTemplate.standardCRS
    return CRSSubmission(
      templateID: template.id, version: template.version,
      results: CRSResults(
        accountHolder: .init(
          familyName: lastName, firstName: firstName, dateOfBirth: birth,
          placeOfBirth: .init(city: "Amaurot", country: "KW")),
        residenceAddress: Self.home, taxResidences: [.init(country: "KW", noTINReason: .notIssued)],
        declaration: signature))
  }

  var fatca: FATCASubmission {
    let template = ComplianceTemplate.standardFATCA
    let benefits = FATCAResults.W8BEN(
      name: name, citizenshipCountry: "KW", permanentAddress: Self.home, foreignTINNotRequired: true,
      dateOfBirth: birth, treaty: .init())
    return FATCASubmission(
      templateID: template.id, version: template.version,
      results: FATCAResults(
        isUSPerson: false, usIndicia: .init(), form: .w8ben, w8ben: benefits, certification: signature))
  }

  var kyc: KYCSubmission {
    let choices = [
      "employment_status": "retired", "source_of_funds": "pension", "monthly_volume": "up_to_1000",
      "account_purpose": "savings",
    ]
    return KYCSubmission(
      templateID: ComplianceTemplate.standardKYC.id, version: ComplianceTemplate.standardKYC.version,
      results: choices.sorted { $0.key < $1.key }.map { KYCAnswer(questionID: $0.key, optionIDs: [$0.value]) } + [
        .init(questionID: "pep", value: .boolean(false)), .init(questionID: "own_account", value: .boolean(true)),
        .init(questionID: "signature", value: .text(name)),
      ])
  }
}
