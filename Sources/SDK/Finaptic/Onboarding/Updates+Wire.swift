internal import GatehouseWire

extension UpdatePersonalDetailsRequest {
  func wire(_ days: CivilDays) -> FinapticWire.UpdatePersonalDetailsRequest {
    FinapticWire.UpdatePersonalDetailsRequest(
      onboardingApplicationId: onboardingApplicationId, customerPersonalDetails: customerPersonalDetails.wire(days))
  }
}

extension PersonalDetails {
  func wire(_ days: CivilDays) -> FinapticWire.PersonalDetails {
    FinapticWire.PersonalDetails(
      firstName: firstName, middleName: middleName, lastName: lastName, dateOfBirth: days.text(dateOfBirth),
      alias: alias)
  }
}

extension UpdateContactDetailsRequest {
  var wire: FinapticWire.UpdateContactDetailsRequest {
    FinapticWire.UpdateContactDetailsRequest(
      onboardingApplicationId: onboardingApplicationId, customerContactDetails: customerContactDetails.wire)
  }
}

extension ContactDetails {
  var wire: FinapticWire.ContactDetails {
    FinapticWire.ContactDetails(contactPhoneNumber: contactPhoneNumber?.wire, customerEmail: customerEmail)
  }
}

extension PhoneNumberType {
  var wire: FinapticWire.Phone { FinapticWire.Phone(smsCompatible: smsCompatible, number: number) }
}

extension UpdateAccountDetailsRequest {
  var wire: FinapticWire.UpdateAccountDetailsRequest {
    FinapticWire.UpdateAccountDetailsRequest(
      onboardingApplicationId: onboardingApplicationId, accountDetails: accountDetails.wire)
  }
}

extension AccountUsageDetails {
  var wire: FinapticWire.AccountUsage {
    FinapticWire.AccountUsage(
      accountPurpose: accountPurpose, primarySourceOfFunds: primarySourceOfFunds,
      authorizedThirdPartyUsage: authorizedThirdPartyUsage)
  }
}

extension UpdateAddressesRequest {
  var wire: FinapticWire.UpdateAddressesRequest {
    FinapticWire.UpdateAddressesRequest(
      onboardingApplicationId: onboardingApplicationId, addresses: addresses.map(\.wire))
  }
}

extension UpdateConsentsRequest {
  var wire: FinapticWire.UpdateConsentsRequest {
    FinapticWire.UpdateConsentsRequest(onboardingApplicationId: onboardingApplicationId, consents: consents.map(\.wire))
  }
}

extension Consent {
  var wire: FinapticWire.Consent {
    FinapticWire.Consent(
      consentType: consentType, consentTimestamp: FinapticWire.Instant(consentTimestamp).description,
      documentNameAndVersion: documentNameAndVersion, viewTimestamp: FinapticWire.Instant(viewTimestamp).description)
  }
}

extension UpdateDisclosuresRequest {
  var wire: FinapticWire.UpdateDisclosuresRequest {
    FinapticWire.UpdateDisclosuresRequest(
      onboardingApplicationId: onboardingApplicationId, disclosures: disclosures.map(\.wire))
  }
}

extension Disclosure {
  var wire: FinapticWire.Disclosure {
    FinapticWire.Disclosure(
      disclosureType: disclosureType, timestamp: FinapticWire.Instant(timestamp).description,
      documentNameAndVersion: documentNameAndVersion)
  }
}
