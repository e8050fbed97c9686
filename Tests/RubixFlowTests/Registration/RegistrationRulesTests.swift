// SPDX-License-Identifier: Apache-2.0

import Foundation
import GatehouseWire
import HTTP
import RubixWire
import Kit
import TestSupport
import Testing

@testable import RubixFlow

@Suite("Rubix: what registration accepts", .storeless)
struct RegistrationRulesTests {
  private static let now = TestWorld().now

  @Test("a whole and a sparse registration are accepted as they are")
  func accepted() throws {
    let sparse = try Self.rules.applicant(Self.request())
    #expect(sparse.firstName == nil && sparse.verified == nil && sparse.contactNo == "+96550001234")
    var whole = Self.request()
    whole.firstName = "Erika"
    whole.lastName = "Mustermann"
    whole.gender = .init(rawValue: "F")
    whole.nationalityCode = "DEU"
    whole.dateOfBirth = WireDate("2004-02-29")
    whole.locale = "de-DE"
    let applicant = try Self.rules.applicant(whole)
    #expect(applicant.firstName == "Erika" && applicant.dateOfBirth == WireDate("2004-02-29"))
  }

  @Test("device, platform and phone number suffice where the institution asks for no more")
  func published() throws {
    let body = #"{"device_id":"device-0123456789","platform":"ios","contact_no":"+96550001234"}"#
    let request = try StrictJSON.decode(RegisterRequest.self, from: Data(body.utf8))
    #expect(request.email == nil && request.consents.isEmpty)
    let applicant = try RegistrationRules(tenant: .default, now: Self.now).applicant(request)
    #expect(applicant.email == nil && applicant.contactNo == "+96550001234")
  }

  @Test("what an institution asks for beside is named when it is missing", arguments: RegistrationMember.allCases)
  func asked(member: RegistrationMember) throws {
    var bank = Tenant.default
    (bank.registrationRequires, bank.consents) = ([member], ["terms"])
    let request = RegisterRequest(deviceID: "device-0123456789", platform: .ios, contactNo: "+96550001234")
    let problem = #expect(throws: Problem.self) {
      try RegistrationRules(tenant: bank, now: Self.now).applicant(request)
    }
    #expect(problem?.fields.map(\.pointer) == ["/\(member.rawValue)", "/consents"])
    #expect(problem?.fields.map(\.code) == ["required", "required"])
  }

  @Test("each member is checked, and the answer points at it", arguments: Fault.all)
  func faults(fault: Fault) {
    var request = Self.request()
    fault.change(&request)
    let problem = #expect(throws: Problem.self) { try Self.rules.applicant(request) }
    #expect(problem?.code == "validation-failed")
    #expect(problem?.fields.map(\.pointer) == [fault.pointer])
  }

  @Test("all faults are told at once, and none repeats what was sent")
  func together() {
    var request = Self.request()
    request.deviceID = "short"
    request.email = "secret-value"
    request.firstName = " "
    let problem = #expect(throws: Problem.self) { try Self.rules.applicant(request) }
    #expect(problem?.fields.map(\.pointer) == ["/device_id", "/email", "/first_name"])
    #expect(problem?.fields.contains { $0.message.contains("secret-value") } == false)
  }

  @Test("a name may be a hundred characters long in any script")
  func names() throws {
    var request = Self.request()
    request.firstName = String(repeating: "ن", count: 100)
    request.lastName = "O’Brien-Müller"
    #expect(try Self.rules.applicant(request).lastName == "O’Brien-Müller")
  }

  @Test("a clock half an hour fast may consent; further in the future is refused")
  func consentTime() throws {
    var request = Self.request()
    request.consents[0].acceptedAt = (Self.now + .minutes(30)).wire
    _ = try Self.rules.applicant(request)
    request.consents[0].acceptedAt = (Self.now + .minutes(30) + .seconds(1)).wire
    #expect(throws: Problem.self) { try Self.rules.applicant(request) }
  }

  @Test("phones outside of the served countries are refused")
  func served() throws {
    var tenant = Tenant.default
    tenant.servedPrefixes = ["49"]
    #expect(throws: Problem.self) { try RegistrationRules(tenant: tenant, now: Self.now).applicant(Self.request()) }
    tenant.servedPrefixes = ["965"]
    _ = try RegistrationRules(tenant: tenant, now: Self.now).applicant(Self.request())
  }

  @Test("a contact that is corrected needs a new code; a confirmed one and a verified name stay")
  func corrections() throws {
    var application = StatusSample.application(at: .capturingSelfies)
    application.sms = .codeSent
    application.record(.smsOTPSent)
    let change = try Self.rules.changed(application, by: UpdateMeRequest(firstName: "Eva", contactNo: "+96550005678"))
    // Moving the contact back is the command's, see `MachineTests`.
    #expect(change.application.applicant.contactNo == "+96550005678")
    #expect(change.application.applicant.firstName == "Eva" && change.contacts == [.sms])
    #expect(change.application.lastStep == .registrationInitiated)
    #expect(!change.application.completedSteps.contains(.smsOTPSent))
    application.sms = .confirmed
    application.email = .confirmed
    for request in [UpdateMeRequest(contactNo: "+96550005678"), UpdateMeRequest(email: "eva@example.com")] {
      let problem = #expect(throws: Problem.self) { try Self.rules.changed(application, by: request) }
      #expect(problem?.code == "step-already-completed")
    }
    // The same value again changes nothing.
    let same = try Self.rules.changed(application, by: UpdateMeRequest(contactNo: "+96550001234"))
    #expect(same.contacts.isEmpty && same.application.sms == .confirmed)
    application.applicant.verified = .init(
      familyName: "M", givenNames: "E", namesMayBeTruncated: false, dateOfBirth: WireDate(daysSince1970: 0),
      nationality: nil, documents: [])
    #expect(throws: Problem.self) { try Self.rules.changed(application, by: UpdateMeRequest(lastName: "Else")) }
  }

  /// A bank that asks for an e-mail address and two consents.
  private static var rules: RegistrationRules {
    var bank = Tenant.default
    (bank.registrationRequires, bank.consents) = ([.email], ["terms", "biometrics"])
    return RegistrationRules(tenant: bank, now: now)
  }

  private static func request() -> RegisterRequest {
    RegisterRequest(
      deviceID: "device-0123456789", platform: .ios, contactNo: "+96550001234", email: "erika@example.com",
      consents: [ConsentCode.terms, .biometrics].map { ConsentGrant(code: $0, version: "1", acceptedAt: now.wire) })
  }

  /// One thing wrong with an otherwise good registration.
  struct Fault: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let pointer: String
    let change: @Sendable (inout RegisterRequest) -> Void

    private init(_ what: String, _ pointer: String, _ change: @escaping @Sendable (inout RegisterRequest) -> Void) {
      testDescription = what
      self.pointer = pointer
      self.change = change
    }

    static let all: [Fault] = [
      .init("device id of 15 characters", "/device_id") { $0.deviceID = "device-01234567" },
      .init("device id of 129 characters", "/device_id") { $0.deviceID = String(repeating: "a", count: 129) },
      .init("device id with a space", "/device_id") { $0.deviceID = "device 0123456789" },
      .init("device id beyond ASCII", "/device_id") { $0.deviceID = "dévice-0123456789" },
      .init("unknown platform", "/platform") { $0.platform = .init(rawValue: "windows") },
      .init("phone without country", "/contact_no") { $0.contactNo = "50001234" },
      .init("phone with letters", "/contact_no") { $0.contactNo = "+9655000abcd" },
      .init("no e-mail", "/email") { $0.email = nil },
      .init("empty e-mail", "/email") { $0.email = "" },
      .init("e-mail with a line break", "/email") { $0.email = "erika@example.com\r\nBcc: x@example.com" },
      .init("blank first name", "/first_name") { $0.firstName = "  " },
      .init("middle name of 101 characters", "/middle_name") { $0.middleName = String(repeating: "x", count: 101) },
      .init("first name of one letter and a hundred joiners", "/first_name") {
        $0.firstName = "E" + String(repeating: "\u{200D}", count: 100)
      },
      .init("last name with a line break", "/last_name") { $0.lastName = "Muster\nmann" },
      .init("unknown gender", "/gender") { $0.gender = .init(rawValue: "X1") },
      .init("unknown nationality", "/nationality_code") { $0.nationalityCode = "XQZ" },
      .init("nationality in two letters", "/nationality_code") { $0.nationalityCode = "DE" },
      .init("birth tomorrow", "/date_of_birth") { $0.dateOfBirth = WireDate("2026-11-22") },
      .init("birth 131 years ago", "/date_of_birth") { $0.dateOfBirth = WireDate("1895-01-01") },
      .init("long app version", "/app_version") { $0.appVersion = String(repeating: "1", count: 65) },
      .init("long system version", "/os_version") { $0.osVersion = String(repeating: "1", count: 65) },
      .init("long device model", "/device_model") { $0.deviceModel = String(repeating: "1", count: 65) },
      .init("long locale", "/locale") { $0.locale = String(repeating: "e", count: 65) },
      .init("a consent is missing", "/consents") { $0.consents.removeLast() },
      .init("too many consents", "/consents") { request in
        request.consents += Array(repeating: request.consents[0], count: 19)
      },
      .init("consent without version", "/consents/1/version") { $0.consents[1].version = "" },
    ]
  }
}
