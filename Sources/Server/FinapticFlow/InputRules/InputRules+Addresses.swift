// SPDX-License-Identifier: Apache-2.0

import FinapticWire
import Kit

/// Where people live (finaptic §4.1, §8.2).
extension InputRules {
  /// Homes are checked beyond their limits: Canadian, no P.O. box, no base, no hospital, no prison.
  package func addresses(
    _ request: FinapticAPI.UpdateAddressesRequest
  ) throws -> FinapticAPI.UpdateAddressesRequest {
    try checked { check in
      let id = check.id(request.onboardingApplicationId, "onboardingApplicationId")
      let given = check.list(request.addresses, "addresses", atMost: Self.addressesMax)
      let addresses = given.enumerated().map { index, address in
        let path = "addresses[\(index)]"
        let kept = check.address(address, path, types: ["HOME", "WORK"])
        return kept.type == "HOME" ? check.home(kept, path) : kept
      }
      let types = given.map { InputCheck.clean($0.type) }
      if !given.isEmpty, !types.contains("HOME"), types.allSatisfy({ $0 == "WORK" }) {
        check.refuse("addresses", "required", "At least one of type HOME.")
      }
      return .init(onboardingApplicationId: id, addresses: addresses)
    }
  }
}

extension InputCheck {
  private static let (lineMax, areaMax, countryMax) = (300, 150, 50)

  /// The limits of every address.
  mutating func address(
    _ given: FinapticAPI.Address, _ path: String, types: [String]
  ) -> FinapticAPI.Address {
    var kept = FinapticAPI.Address()
    kept.type = text(
      given.type, "\(path).type", isRequired: true, types.count == 1 ? "\(types[0])." : "HOME or WORK.", types.contains)
    kept.organization = text(given.organization, "\(path).organization", max: Self.lineMax)
    kept.line1 = text(given.line1, "\(path).line1", max: Self.lineMax, isRequired: true)
    kept.line2 = text(given.line2, "\(path).line2", max: Self.lineMax)
    kept.line3 = text(given.line3, "\(path).line3", max: Self.lineMax)
    kept.line4 = text(given.line4, "\(path).line4", max: Self.lineMax)
    kept.line5 = text(given.line5, "\(path).line5", max: Self.lineMax)
    kept.line6 = text(given.line6, "\(path).line6", max: Self.lineMax)
    kept.line7 = text(given.line7, "\(path).line7", max: Self.lineMax)
    kept.line8 = text(given.line8, "\(path).line8", max: Self.lineMax)
    kept.locality = text(given.locality, "\(path).locality", max: Self.areaMax)
    kept.dependentLocality = text(given.dependentLocality, "\(path).dependentLocality", max: Self.areaMax)
    kept.doubleDependentLocality = text(
      given.doubleDependentLocality, "\(path).doubleDependentLocality", max: Self.areaMax)
    kept.administrativeArea = text(given.administrativeArea, "\(path).administrativeArea", max: Self.areaMax)
    kept.subAdministrativeArea = text(
      given.subAdministrativeArea, "\(path).subAdministrativeArea", max: Self.areaMax)
    kept.area = text(given.area, "\(path).area", max: Self.areaMax, isRequired: true)
    kept.postalCode = text(given.postalCode, "\(path).postalCode", max: Self.areaMax, isRequired: true)
    kept.country = text(given.country, "\(path).country", max: Self.countryMax, isRequired: true)
    return kept
  }

  /// What only a home in Canada has to be. Its postal code is kept as Canada Post writes it, `A9A 9A9`.
  mutating func home(_ given: FinapticAPI.Address, _ path: String) -> FinapticAPI.Address {
    var kept = given
    for (member, text) in given.searchedLines {
      guard let place = text.flatMap(ExcludedPlace.init(in:)) else { continue }
      refuse("\(path).\(member)", "excluded", "Not \(place.words).")
    }
    guard let country = given.country else { return kept }
    guard CanadianProvince.isCanada(country) else {
      refuse("\(path).country", "country", "Canada.")
      return kept
    }
    let province = given.area.flatMap { CanadianProvince(area: $0) }
    if given.area != nil, province == nil { refuse("\(path).area", "area", "A province or territory of Canada.") }
    guard let text = given.postalCode else { return kept }
    guard let code = CanadianPostalCode(text) else {
      refuse("\(path).postalCode", "form", "A postal code such as A1A 1A1.")
      return kept
    }
    if let province, !province.letters.contains(code.letter) {
      refuse("\(path).postalCode", "province", "A postal code of this province.")
    }
    kept.postalCode = code.description
    return kept
  }
}

extension FinapticAPI.Address {
  /// Members in which a place may be named where no person lives.
  fileprivate var searchedLines: [(member: String, text: String?)] {
    [
      ("organization", organization), ("line1", line1), ("line2", line2), ("line3", line3), ("line4", line4),
      ("line5", line5), ("line6", line6), ("line7", line7), ("line8", line8),
    ]
  }
}
