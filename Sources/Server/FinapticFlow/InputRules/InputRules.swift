// SPDX-License-Identifier: Apache-2.0

import FinapticWire
import Foundation
import Kit

/// What each update of an application may hold (finaptic §4.1). Each rule answers the request as it is kept: composed,
/// trimmed, blanks absent, required members there.
package struct InputRules: Sendable {
  static let listMax = 50
  static let addressesMax = 10

  let catalogue: ReferenceCatalogue
  let now: Instant

  package init(catalogue: ReferenceCatalogue, now: Instant) { (self.catalogue, self.now) = (catalogue, now) }

  /// - Throws: `Problem` validation with every violation; so do all of these.
  package func personalDetails(
    _ request: FinapticAPI.UpdatePersonalDetailsRequest
  ) throws -> FinapticAPI.UpdatePersonalDetailsRequest {
    let today = try AgeOfMajority().today(at: now)
    return try checked { check in
      let path = "customerPersonalDetails"
      let id = check.id(request.onboardingApplicationId, "onboardingApplicationId")
      guard let given = check.required(request.customerPersonalDetails, path, true) else { return nil }
      let alias = check.text(given.alias, "\(path).alias", "At most 20 letters and digits.") {
        $0.wholeMatch(of: /[A-Za-z0-9]{1,20}/) != nil
      }
      return .init(
        onboardingApplicationId: id,
        customerPersonalDetails: .init(
          firstName: check.name(given.firstName, "\(path).firstName", isRequired: true),
          middleName: check.name(given.middleName, "\(path).middleName", isRequired: false),
          lastName: check.name(given.lastName, "\(path).lastName", isRequired: true),
          dateOfBirth: check.birthday(given.dateOfBirth, "\(path).dateOfBirth", today: today)?.description,
          alias: alias))
    }
  }

  /// A bare number, which older apps send, is kept as one that takes no text messages.
  package func contactDetails(
    _ request: FinapticAPI.UpdateContactDetailsRequest
  ) throws -> FinapticAPI.UpdateContactDetailsRequest {
    try checked { check in
      let path = "customerContactDetails"
      let id = check.id(request.onboardingApplicationId, "onboardingApplicationId")
      guard let given = check.required(request.customerContactDetails, path, true) else { return nil }
      var phone: FinapticAPI.Phone?
      if given.contactPhoneNumber != nil {
        phone = check.phone(given.contactPhoneNumber, "\(path).contactPhoneNumber", isRequired: false)
      } else {
        phone = check.number(given.phoneNumber, "\(path).phoneNumber", isRequired: false)
          .map { .init(smsCompatible: false, number: $0) }
      }
      return .init(
        onboardingApplicationId: id,
        customerContactDetails: .init(
          contactPhoneNumber: phone, customerEmail: check.email(given.customerEmail, "\(path).customerEmail")))
    }
  }

  package func accountDetails(
    _ request: FinapticAPI.UpdateAccountDetailsRequest
  ) throws -> FinapticAPI.UpdateAccountDetailsRequest {
    try checked { check in
      let path = "accountDetails"
      let id = check.id(request.onboardingApplicationId, "onboardingApplicationId")
      guard let given = check.required(request.accountDetails, path, true) else { return nil }
      let purpose = check.code(
        given.accountPurpose, "\(path).accountPurpose", of: ReferenceType.accountPurpose, in: catalogue)
      var sources: [String] = []
      let all = check.list(given.primarySourceOfFunds, "\(path).primarySourceOfFunds", atMost: Self.listMax)
      for (index, source) in all.enumerated() {
        let place = "\(path).primarySourceOfFunds[\(index)]"
        guard let code = check.code(source, place, of: ReferenceType.sourceOfFunds, in: catalogue) else { continue }
        if sources.contains(code) { check.refuse(place, "duplicate", "Each source once.") }
        sources.append(code)
      }
      return .init(
        onboardingApplicationId: id,
        accountDetails: .init(
          accountPurpose: purpose, primarySourceOfFunds: sources,
          authorizedThirdPartyUsage: check.flag(
            given.authorizedThirdPartyUsage, "\(path).authorizedThirdPartyUsage")))
    }
  }

  package func communicationPreferences(
    _ request: FinapticAPI.UpdateCommunicationPreferencesRequest
  ) throws -> FinapticAPI.UpdateCommunicationPreferencesRequest {
    try checked { check in
      .init(
        onboardingApplicationId: check.id(request.onboardingApplicationId, "onboardingApplicationId"),
        customerCommunicationPref: check.code(
          request.customerCommunicationPref, "customerCommunicationPref",
          of: ReferenceType.communicationPreference, in: catalogue),
        customerCommunicationLanguage: check.code(
          request.customerCommunicationLanguage, "customerCommunicationLanguage", of: ReferenceType.language,
          in: catalogue, isRequired: false))
    }
  }

  /// Runs a rule to its end, whatever it refuses on the way.
  func checked<Value>(_ rule: (inout InputCheck) -> Value?) throws -> Value {
    var check = InputCheck()
    let value = rule(&check)
    try check.end()
    guard let value else { preconditionFailure("A rule that refuses nothing has an answer.") }
    return value
  }
}
