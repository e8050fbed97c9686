// SPDX-License-Identifier: Apache-2.0

internal import FinapticWire

extension UpdatePersonalDetailsRequest {
  func wire(_ days: CivilDays) -> FinapticAPI.UpdatePersonalDetailsRequest {
    FinapticAPI.UpdatePersonalDetailsRequest(
      onboardingApplicationId: onboardingApplicationId, customerPersonalDetails: customerPersonalDetails.wire(days))
  }
}

extension PersonalDetails {
  func wire(_ days: CivilDays) -> FinapticAPI.PersonalDetails {
    FinapticAPI.PersonalDetails(
      firstName: firstName, middleName: middleName, lastName: lastName, dateOfBirth: days.text(dateOfBirth),
      alias: alias)
  }
}

extension UpdateContactDetailsRequest {
  var wire: FinapticAPI.UpdateContactDetailsRequest {
    FinapticAPI.UpdateContactDetailsRequest(
      onboardingApplicationId: onboardingApplicationId, customerContactDetails: customerContactDetails.wire)
  }
}

extension ContactDetails {
  var wire: FinapticAPI.ContactDetails {
    FinapticAPI.ContactDetails(contactPhoneNumber: contactPhoneNumber?.wire, customerEmail: customerEmail)
  }
}

extension PhoneNumberType {
  var wire: FinapticAPI.Phone { FinapticAPI.Phone(smsCompatible: smsCompatible, number: number) }
}

extension UpdateAccountDetailsRequest {
  var wire: FinapticAPI.UpdateAccountDetailsRequest {
    FinapticAPI.UpdateAccountDetailsRequest(
      onboardingApplicationId: onboardingApplicationId, accountDetails: accountDetails.wire)
  }
}

extension AccountUsageDetails {
  var wire: FinapticAPI.AccountUsage {
    FinapticAPI.AccountUsage(
      accountPurpose: accountPurpose, primarySourceOfFunds: primarySourceOfFunds,
      authorizedThirdPartyUsage: authorizedThirdPartyUsage)
  }
}

extension UpdateAddressesRequest {
  var wire: FinapticAPI.UpdateAddressesRequest {
    FinapticAPI.UpdateAddressesRequest(
      onboardingApplicationId: onboardingApplicationId, addresses: addresses.map(\.wire))
  }
}

extension UpdateConsentsRequest {
  var wire: FinapticAPI.UpdateConsentsRequest {
    FinapticAPI.UpdateConsentsRequest(onboardingApplicationId: onboardingApplicationId, consents: consents.map(\.wire))
  }
}

extension Consent {
  var wire: FinapticAPI.Consent {
    FinapticAPI.Consent(
      consentType: consentType, consentTimestamp: FinapticAPI.Instant(consentTimestamp).description,
      documentNameAndVersion: documentNameAndVersion, viewTimestamp: FinapticAPI.Instant(viewTimestamp).description)
  }
}

extension UpdateDisclosuresRequest {
  var wire: FinapticAPI.UpdateDisclosuresRequest {
    FinapticAPI.UpdateDisclosuresRequest(
      onboardingApplicationId: onboardingApplicationId, disclosures: disclosures.map(\.wire))
  }
}

extension Disclosure {
  var wire: FinapticAPI.Disclosure {
    FinapticAPI.Disclosure(
      disclosureType: disclosureType, timestamp: FinapticAPI.Instant(timestamp).description,
      documentNameAndVersion: documentNameAndVersion)
  }
}
