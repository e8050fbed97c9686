/// The nine updates of an application, named as the wire names their requests (finaptic §3.1).
package enum UpdateKind: String, Sendable, CaseIterable, Codable {
  case personalDetails = "UpdatePersonalDetailsRequest"
  case contactDetails = "UpdateContactDetailsRequest"
  case accountDetails = "UpdateAccountDetailsRequest"
  case addresses = "UpdateAddressesRequest"
  case consents = "UpdateConsentsRequest"
  case customerResidency = "UpdateCustomerResidencyRequest"
  case disclosures = "UpdateDisclosuresRequest"
  case employment = "UpdateEmploymentRequest"
  case communicationPreferences = "UpdateCommunicationPreferencesRequest"

  /// What it does to an application: after a check of identity, what the check rests on stays as it is (§5.2).
  package var event: ApplicationEvent {
    switch self {
    case .personalDetails, .contactDetails, .addresses, .customerResidency: .identityUpdated
    case .accountDetails, .consents, .disclosures, .employment, .communicationPreferences: .detailsUpdated
    }
  }

  /// Those that a status takes (§5.7).
  package static func permitted(in status: ApplicationStatus) -> [UpdateKind] {
    allCases.filter { applicationFlow.allows($0.event, from: status) }
  }
}
