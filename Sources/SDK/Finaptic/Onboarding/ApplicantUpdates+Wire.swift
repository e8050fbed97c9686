internal import GatehouseWire

extension UpdateCustomerResidencyRequest {
  var wire: FinapticWire.UpdateCustomerResidencyRequest {
    FinapticWire.UpdateCustomerResidencyRequest(
      onboardingApplicationId: onboardingApplicationId, residency: residency.wire)
  }
}

extension CustomerResidency {
  var wire: FinapticWire.Residency {
    FinapticWire.Residency(
      isCanadianTaxResident: isCanadianTaxResident, otherResidences: otherResidences?.map(\.wire), sinToken: sinToken,
      citizenship: citizenship)
  }
}

extension OtherResidence {
  var wire: FinapticWire.OtherResidence {
    FinapticWire.OtherResidence(
      otherResidenceCountry: otherResidenceCountry, tinToken: tinToken, citizenship: citizenship)
  }
}

extension UpdateEmploymentRequest {
  func wire(_ days: CivilDays) -> FinapticWire.UpdateEmploymentRequest {
    FinapticWire.UpdateEmploymentRequest(
      onboardingApplicationId: onboardingApplicationId, employmentInfo: employmentInfo.wire(days))
  }
}

extension Employment {
  func wire(_ days: CivilDays) -> FinapticWire.Employment {
    FinapticWire.Employment(
      employmentStatus: employmentStatus, employerName: employerName, industry: industry, occupation: occupation,
      startDate: startDate.map(days.text), endDate: endDate.map(days.text), workAddress: workAddress?.wire,
      phoneNumber: phoneNumber?.wire)
  }
}

extension UpdateCommunicationPreferencesRequest {
  var wire: FinapticWire.UpdateCommunicationPreferencesRequest {
    FinapticWire.UpdateCommunicationPreferencesRequest(
      onboardingApplicationId: onboardingApplicationId, customerCommunicationPref: customerCommunicationPref,
      customerCommunicationLanguage: customerCommunicationLanguage)
  }
}
