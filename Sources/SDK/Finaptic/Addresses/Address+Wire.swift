// SPDX-License-Identifier: Apache-2.0

internal import FinapticWire

extension Address {
  var wire: FinapticAPI.Address {
    FinapticAPI.Address(
      type: type, organization: organization, line1: line1, line2: line2, line3: line3, line4: line4, line5: line5,
      line6: line6, line7: line7, line8: line8, locality: locality, dependentLocality: dependentLocality,
      doubleDependentLocality: doubleDependentLocality, administrativeArea: administrativeArea,
      subAdministrativeArea: subAdministrativeArea, area: area, postalCode: postalCode, country: country)
  }
}

extension AddressSuggestionsRequest {
  var wire: FinapticAPI.AddressSuggestionsRequest {
    FinapticAPI.AddressSuggestionsRequest(
      onboardingApplicationId: onboardingApplicationId, pattern: pattern, addressType: addressType)
  }
}

extension Address {
  init(_ wire: FinapticAPI.Address) {
    self.init(
      type: wire.type ?? "", organization: wire.organization, line1: wire.line1 ?? "", line2: wire.line2,
      line3: wire.line3, line4: wire.line4, line5: wire.line5, line6: wire.line6, line7: wire.line7, line8: wire.line8,
      locality: wire.locality, dependentLocality: wire.dependentLocality,
      doubleDependentLocality: wire.doubleDependentLocality, administrativeArea: wire.administrativeArea,
      subAdministrativeArea: wire.subAdministrativeArea, area: wire.area ?? "", postalCode: wire.postalCode ?? "",
      country: wire.country ?? "")
  }
}
