// SPDX-License-Identifier: Apache-2.0

internal import FinapticWire

extension UpdateCustomerResidencyRequest {
  var wire: FinapticAPI.UpdateCustomerResidencyRequest {
    FinapticAPI.UpdateCustomerResidencyRequest(
      onboardingApplicationId: onboardingApplicationId, residency: residency.wire)
  }
}

extension CustomerResidency {
  var wire: FinapticAPI.Residency {
    FinapticAPI.Residency(
      isCanadianTaxResident: isCanadianTaxResident, otherResidences: otherResidences?.map(\.wire), sinToken: sinToken,
      citizenship: citizenship)
  }
}

extension OtherResidence {
  var wire: FinapticAPI.OtherResidence {
    FinapticAPI.OtherResidence(
      otherResidenceCountry: otherResidenceCountry, tinToken: tinToken, citizenship: citizenship)
  }
}

extension UpdateEmploymentRequest {
  func wire(_ days: CivilDays) -> FinapticAPI.UpdateEmploymentRequest {
    FinapticAPI.UpdateEmploymentRequest(
      onboardingApplicationId: onboardingApplicationId, employmentInfo: employmentInfo.wire(days))
  }
}

extension Employment {
  func wire(_ days: CivilDays) -> FinapticAPI.Employment {
    FinapticAPI.Employment(
      employmentStatus: employmentStatus, employerName: employerName, industry: industry, occupation: occupation,
      startDate: startDate.map(days.text), endDate: endDate.map(days.text), workAddress: workAddress?.wire,
      phoneNumber: phoneNumber?.wire)
  }
}

extension UpdateCommunicationPreferencesRequest {
  var wire: FinapticAPI.UpdateCommunicationPreferencesRequest {
    FinapticAPI.UpdateCommunicationPreferencesRequest(
      onboardingApplicationId: onboardingApplicationId, customerCommunicationPref: customerCommunicationPref,
      customerCommunicationLanguage: customerCommunicationLanguage)
  }
}
