// SPDX-License-Identifier: Apache-2.0

import Delivery
import Foundation
import GatehouseWire
import Kit
import ReferenceData
import RubixWire
import Scheduling

/// What registration and correction accept (rubix-onboarding §6.1, §6.3).
struct RegistrationRules {
  /// In Unicode scalars: any number of joiners may belong to what a reader takes for one character.
  static let nameLengthMax = 100
  static let noteLengthMax = 64

  let tenant: Tenant
  let now: Instant

  /// - Throws: `Problem` validation-failed naming every member at fault.
  func applicant(_ request: RegisterRequest) throws -> Applicant {
    var faults: [Problem.Field] = []
    func require(_ holds: Bool, _ pointer: String, _ code: String, _ message: String) {
      if !holds { faults.append(.init(pointer, code, message)) }
    }
    require(
      (16...128).contains(request.deviceID.utf8.count)
        && request.deviceID.utf8.allSatisfy { Self.isLetterOrDigit($0) || $0 == UInt8(ascii: "-") },
      "/device_id", "format", "16 to 128 letters, digits or hyphens.")
    require(request.platform.isKnown, "/platform", "unknown-value", "ios or android.")
    faults += contactFaults(contactNo: request.contactNo, email: request.email)
    for member in tenant.registrationRequires {
      require(
        member.isGiven(in: request), "/\(member.rawValue)", "required", "\(tenant.name) asks for this at registration.")
    }
    faults += nameFaults([
      ("/first_name", request.firstName), ("/middle_name", request.middleName), ("/last_name", request.lastName),
    ])
    require(request.gender?.isKnown ?? true, "/gender", "unknown-value", "M or F.")
    require(
      request.nationalityCode.map { Country.with(alpha3: $0) != nil || $0 == "UTO" } ?? true, "/nationality_code",
      "unknown-value", "An ISO 3166-1 alpha-3 code.")
    if let birth = request.dateOfBirth {
      let today = tenant.today(at: now)
      require(
        birth <= today && birth.year >= today.year - 130, "/date_of_birth", "range", "A date of birth in the past.")
    }
    for (pointer, text) in [
      ("/app_version", request.appVersion), ("/os_version", request.osVersion),
      ("/device_model", request.deviceModel), ("/locale", request.locale),
    ] { require((text?.utf8.count ?? 0) <= Self.noteLengthMax, pointer, "max", "At most 64 characters.") }
    for code in tenant.consents {
      require(
        request.consents.contains { $0.code.rawValue == code }, "/consents", "required",
        "The consent \(code) is required.")
    }
    require(request.consents.count <= 20, "/consents", "max", "At most 20 consents.")
    for (index, consent) in request.consents.enumerated() {
      // Half an hour for clocks that are not quite right.
      require(
        Instant(consent.acceptedAt) <= now + .minutes(30), "/consents/\(index)/accepted_at", "range",
        "Not in the future.")
      require(
        (1...32).contains(consent.version.utf8.count), "/consents/\(index)/version", "format", "1 to 32 characters.")
    }
    guard faults.isEmpty else { throw Problem.validation(faults) }
    return Applicant(
      deviceID: request.deviceID, platform: request.platform.rawValue, contactNo: request.contactNo,
      email: request.email, firstName: request.firstName, middleName: request.middleName, lastName: request.lastName,
      dateOfBirth: request.dateOfBirth, gender: request.gender?.rawValue, nationalityCode: request.nationalityCode,
      appVersion: request.appVersion, osVersion: request.osVersion, deviceModel: request.deviceModel,
      locale: request.locale, consents: request.consents, verified: nil)
  }

  /// - Returns: the corrected application, whose named contacts are still to be moved on `contactChanged`.
  /// - Throws: `Problem` validation-failed, or step-already-completed for what is confirmed or matched.
  func changed(
    _ application: Application, by request: UpdateMeRequest
  ) throws -> (application: Application, contacts: [OTPChannel], members: String) {
    var faults = nameFaults([
      ("/first_name", request.firstName), ("/middle_name", request.middleName), ("/last_name", request.lastName),
    ])
    faults += contactFaults(
      contactNo: request.contactNo ?? application.applicant.contactNo,
      email: request.email ?? application.applicant.email)
    guard faults.isEmpty else { throw Problem.validation(faults) }
    var changed = application
    var contacts: [OTPChannel] = []
    var members: [String] = []
    if request.firstName != nil || request.middleName != nil || request.lastName != nil {
      // Where no document gave a name, the registered one is what the agent accepted and what is screened.
      guard application.applicant.verified == nil, !application.agentAccepted, application.evaluation != .matched else {
        throw Problem.stepAlreadyCompleted
      }
      changed.applicant.firstName = request.firstName ?? application.applicant.firstName
      changed.applicant.middleName = request.middleName ?? application.applicant.middleName
      changed.applicant.lastName = request.lastName ?? application.applicant.lastName
      members.append("name")
    }
    if let contactNo = request.contactNo, contactNo != application.applicant.contactNo {
      guard application.sms != .confirmed else { throw Problem.stepAlreadyCompleted }
      changed.applicant.contactNo = contactNo
      changed.drop(.smsOTPSent)
      contacts.append(.sms)
      members.append("contact_no")
    }
    if let email = request.email, email != application.applicant.email {
      guard application.email != .confirmed else { throw Problem.stepAlreadyCompleted }
      changed.applicant.email = email
      changed.drop(.emailOTPSent)
      contacts.append(.email)
      members.append("email")
    }
    // A correction is no step: what was reached last among the steps still in force is the last step.
    if !changed.completedSteps.contains(changed.lastStep), let last = changed.completedSteps.last {
      changed.lastStep = last
    }
    return (changed, contacts, members.joined(separator: " "))
  }

  private func contactFaults(contactNo: String, email: String?) -> [Problem.Field] {
    var faults: [Problem.Field] = []
    switch tenant.phonePolicy.check(contactNo) {
    case .accepted: break
    default: faults.append(.init("/contact_no", "format", "A mobile phone number in E.164 form that we can reach."))
    }
    if let email, EmailAddress(email) == nil { faults.append(.init("/email", "format", "An e-mail address.")) }
    return faults
  }

  private func nameFaults(_ names: [(String, String?)]) -> [Problem.Field] {
    names.compactMap { pointer, name in
      guard let name else { return nil }
      let isFit =
        !name.trimmingCharacters(in: .whitespaces).isEmpty && name.unicodeScalars.count <= Self.nameLengthMax
        && DisplayedText.isPlain(name)
      return isFit ? nil : .init(pointer, "format", "1 to 100 printable characters.")
    }
  }

  private static func isLetterOrDigit(_ byte: UInt8) -> Bool {
    (48...57).contains(byte) || (65...90).contains(byte) || (97...122).contains(byte)
  }
}

/// A member of a registration that a tenant may ask for (rubix-onboarding §6.1): the word on the wire.
package enum RegistrationMember: String, Sendable, Codable, CaseIterable {
  case email, gender, locale
  case firstName = "first_name"
  case middleName = "middle_name"
  case lastName = "last_name"
  case dateOfBirth = "date_of_birth"
  case nationalityCode = "nationality_code"
  case appVersion = "app_version"
  case osVersion = "os_version"
  case deviceModel = "device_model"

  func isGiven(in request: RegisterRequest) -> Bool {
    switch self {
    case .email: request.email != nil
    case .gender: request.gender != nil
    case .locale: request.locale != nil
    case .firstName: request.firstName != nil
    case .middleName: request.middleName != nil
    case .lastName: request.lastName != nil
    case .dateOfBirth: request.dateOfBirth != nil
    case .nationalityCode: request.nationalityCode != nil
    case .appVersion: request.appVersion != nil
    case .osVersion: request.osVersion != nil
    case .deviceModel: request.deviceModel != nil
    }
  }
}

extension Tenant {
  /// The date on the institution's wall.
  func today(at now: Instant) -> WireDate {
    let local = LocalTime(zone: timeZone)?.date(at: now)
    return local.flatMap { WireDate(year: $0.year, month: $0.month, day: $0.day) }
      ?? WireDate(daysSince1970: Int(now.milliseconds / 86_400_000))
  }

  var phonePolicy: PhonePolicy { PhonePolicy(servedPrefixes: servedPrefixes.map(Set.init)) }
}
