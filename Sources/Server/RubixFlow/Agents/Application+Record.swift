// SPDX-License-Identifier: Apache-2.0

import Identity
import Kit
import ReferenceData
import RubixWire

extension Application {
  /// The customer unmasked, for agents only (rubix-onboarding §6.1).
  var record: CustomerRecord {
    let verified = applicant.verified
    let nationalID = verified?.documents.first {
      $0.type == .nationalIDBackSide || $0.type == .nationalIDFrontSide
    }
    let nationality = verified?.nationality ?? applicant.nationalityCode
    return CustomerRecord(
      id: id.rawValue, status: status, firstName: verified?.givenNames ?? applicant.firstName,
      middleName: verified == nil ? applicant.middleName : nil, lastName: verified?.familyName ?? applicant.lastName,
      email: applicant.email, contactNo: applicant.contactNo, gender: applicant.gender.map(Gender.init(rawValue:)),
      dateOfBirth: verified?.dateOfBirth ?? applicant.dateOfBirth, nationalIDNo: nationalID?.number,
      nationalIDExpiry: nationalID?.expiryDate,
      nationality: nationality.flatMap { Country.with(alpha3: $0)?.nationality }, nationalityCode: nationality,
      deviceID: applicant.deviceID, platform: DevicePlatform(rawValue: applicant.platform),
      isAMLVerified: completedSteps.contains(.amlScreeningSuccessful), isEmailVerified: email == .confirmed,
      isContactNoVerified: sms == .confirmed, isEvaluationVerified: evaluation.map { $0 == .matched })
  }

  /// Given and family names, as far as they are known.
  var fullName: String? {
    let name =
      if let verified = applicant.verified {
        [verified.givenNames, verified.familyName]
      } else {
        [applicant.firstName, applicant.middleName, applicant.lastName].compactMap { $0 }
      }
    let joined = name.filter { !$0.isEmpty }.joined(separator: " ")
    return joined.isEmpty ? nil : joined
  }
}

extension Application {
  /// Who the customer is, for forms and screening: what the documents say, or, where an agent accepted a person whose
  /// documents could not be matched, what was registered. Nil while neither is known.
  var identity: Applicant.Verified? {
    if let verified = applicant.verified { return verified }
    let given = [applicant.firstName, applicant.middleName].compactMap { $0 }.joined(separator: " ")
    guard agentAccepted, let birth = applicant.dateOfBirth, let family = applicant.lastName, !(family + given).isEmpty
    else { return nil }
    return Applicant.Verified(
      familyName: family, givenNames: given, namesMayBeTruncated: false, dateOfBirth: birth,
      nationality: applicant.nationalityCode, documents: [])
  }
}

extension Agent {
  /// Staff neither work on their own case nor read it (rubix-onboarding §6.14): it may hold what its subject must not
  /// know.
  /// - Throws: `Problem` forbidden.
  func requireOther(than application: Application) throws { try member.requireOther(than: application) }
}

extension StaffMember {
  /// - Throws: `Problem` forbidden in one's own case.
  func requireOther(than application: Application) throws {
    let isSame =
      application.id.rawValue == id.rawValue
      || application.applicant.email?.lowercased() == email.lowercased()
    guard !isSame else { throw Problem(.forbidden, "forbidden", "This is your own case.") }
  }
}
