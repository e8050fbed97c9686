// SPDX-License-Identifier: Apache-2.0

import FinapticWire
import Kit

/// What people accept, and where they pay taxes (finaptic §4.1).
extension InputRules {
  /// A view may be this much later than its consent: apps may read the clock for each, as the published sample does.
  private static let readingsApartMicroseconds: Int64 = 1_000_000

  package func consents(_ request: FinapticAPI.UpdateConsentsRequest) throws -> FinapticAPI.UpdateConsentsRequest {
    try checked { check in
      let id = check.id(request.onboardingApplicationId, "onboardingApplicationId")
      let consents = check.list(request.consents, "consents", atMost: Self.listMax).enumerated().map {
        consent($0.element, "consents[\($0.offset)]", &check)
      }
      return .init(onboardingApplicationId: id, consents: consents)
    }
  }

  private func consent(
    _ given: FinapticAPI.Consent, _ path: String, _ check: inout InputCheck
  ) -> FinapticAPI.Consent {
    let type = check.code(given.consentType, "\(path).consentType", of: ReferenceType.consentType, in: catalogue)
    let consented = check.moment(given.consentTimestamp, "\(path).consentTimestamp", now: now)
    let viewed = check.moment(given.viewTimestamp, "\(path).viewTimestamp", now: now)
    if let consented, let viewed,
      viewed.microsecondsSince1970 > consented.microsecondsSince1970 + Self.readingsApartMicroseconds
    {
      check.refuse("\(path).viewTimestamp", "order", "Not after the consent.")
    }
    return .init(
      consentType: type, consentTimestamp: consented?.description,
      documentNameAndVersion: check.url(given.documentNameAndVersion, "\(path).documentNameAndVersion"),
      viewTimestamp: viewed?.description)
  }

  package func disclosures(
    _ request: FinapticAPI.UpdateDisclosuresRequest
  ) throws -> FinapticAPI.UpdateDisclosuresRequest {
    try checked { check in
      let id = check.id(request.onboardingApplicationId, "onboardingApplicationId")
      let disclosures = check.list(request.disclosures, "disclosures", atMost: Self.listMax).enumerated().map {
        (index, given) in
        let path = "disclosures[\(index)]"
        return FinapticAPI.Disclosure(
          disclosureType: check.code(
            given.disclosureType, "\(path).disclosureType", of: ReferenceType.disclosureType, in: catalogue),
          timestamp: check.moment(given.timestamp, "\(path).timestamp", now: now)?.description,
          documentNameAndVersion: check.url(given.documentNameAndVersion, "\(path).documentNameAndVersion"))
      }
      return .init(onboardingApplicationId: id, disclosures: disclosures)
    }
  }

  package func residency(
    _ request: FinapticAPI.UpdateCustomerResidencyRequest
  ) throws -> FinapticAPI.UpdateCustomerResidencyRequest {
    try checked { check in
      let path = "residency"
      let id = check.id(request.onboardingApplicationId, "onboardingApplicationId")
      guard let given = check.required(request.residency, path, true) else { return nil }
      let isResident = check.flag(given.isCanadianTaxResident, "\(path).isCanadianTaxResident")
      let others = check.list(
        given.otherResidences, "\(path).otherResidences", atLeast: isResident == false ? 1 : 0, atMost: Self.listMax)
      let residences = others.enumerated().map { otherResidence($1, "\(path).otherResidences[\($0)]", &check) }
      return .init(
        onboardingApplicationId: id,
        residency: .init(
          isCanadianTaxResident: isResident, otherResidences: residences.isEmpty ? nil : residences,
          sinToken: check.id(given.sinToken, "\(path).sinToken", isRequired: false),
          citizenship: check.code(given.citizenship, "\(path).citizenship", of: ReferenceType.country, in: catalogue)))
    }
  }

  private func otherResidence(
    _ given: FinapticAPI.OtherResidence, _ path: String, _ check: inout InputCheck
  ) -> FinapticAPI.OtherResidence {
    let country = check.country(given.otherResidenceCountry, "\(path).otherResidenceCountry")
    return .init(
      otherResidenceCountry: country,
      tinToken: check.id(given.tinToken, "\(path).tinToken", isRequired: false),
      citizenship: check.text(
        given.citizenship, "\(path).citizenship", max: 50, isRequired: country.map(["US", "CA"].contains) ?? false))
  }
}
