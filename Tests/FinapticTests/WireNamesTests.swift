// SPDX-License-Identifier: Apache-2.0

import Foundation
import GatehouseWire
import FinapticWire
import Testing

@testable import Finaptic

@Suite("Finaptic: names on the wire")
struct WireNamesTests {
  private let days = CivilDays(in: TimeZone(identifier: "America/Toronto") ?? .gmt)

  private func json(_ value: some Encodable) throws -> String {
    String(decoding: try WireJSON.encode(value), as: UTF8.self)
  }

  @Test("snake case of Swift's, but for those that the interface spells otherwise")
  func names() throws {
    let address = Address(
      type: "WORK", line1: "1 Main St", line8: "x", area: "Ontario", postalCode: "K1A 0B1", country: "CA")
    #expect(
      try json(address.wire)
        == #"{"area":"Ontario","country":"CA","line_1":"1 Main St","line_8":"x","postal_code":"K1A 0B1","type":"WORK"}"#
    )
    let start = try #require(
      Calendar(identifier: .gregorian).date(
        from: DateComponents(timeZone: .gmt, year: 2019, month: 1, day: 1, hour: 12)))
    let job = Employment(
      employmentStatus: "E", startDate: start, endDate: start,
      phoneNumber: PhoneNumberType(smsCompatible: true, number: "+1"))
    #expect(
      try json(job.wire(days)) == """
        {"employment_status":"E","endDate":"2019-01-01","phone_number":{"number":"+1","sms_compatible":true},\
        "startDate":"2019-01-01"}
        """)
    let details = FinapticAPI.BasicDetails(
      applicationId: "a", onboardingApplicationStatus: "New Application", requestStatus: "OK",
      remainingAllowedRetries: 3,
      consents: [FinapticAPI.Terms(documentType: "t", documentNameAndVersion: "u", neededBeforeValidation: true)],
      disclosures: [])
    #expect(
      try json(details) == """
        {"Consents":[{"document_name_and_version":"u","document_type":"t","needed_before_validation":true}],\
        "Disclosures":[],"application_id":"a","onboarding_application_status":"New Application",\
        "remaining_allowed_retries":3,"request_status":"OK"}
        """)
    #expect(try json(FinapticAPI.RegistrationsResponse(registrations: [])) == #"{"Registrations":[]}"#)
    let consent = Consent(
      consentType: "c", consentTimestamp: Date(timeIntervalSince1970: 0.25), documentNameAndVersion: "u",
      viewTimestamp: Date(timeIntervalSince1970: -1))
    #expect(
      try json(consent.wire) == """
        {"consent_timestamp":"1970-01-01T00:00:00.250000Z","consent_type":"c","document_name_and_version":"u",\
        "view_timestamp":"1969-12-31T23:59:59.000000Z"}
        """)
  }

  @Test("both spellings of initiate say the same")
  func initiate() throws {
    #expect(
      try json(InitiateApplicationRequest(customerId: nil, productId: "prepaidV1").wire)
        == #"{"bundle_id":"prepaidV1"}"#)
    #expect(InitiateApplicationRequest(bundleId: "p") == InitiateApplicationRequest(customerId: nil, productId: "p"))
  }

  @Test("every method has one path, and the four groups of the specification are there")
  func methods() {
    #expect(Set(FinapticMethod.all.map(\.path)).count == FinapticMethod.all.count)
    // 75 less: initialize, four documents, currentAuthState, four of the chat's members, revealCardInfo.
    #expect(FinapticMethod.all.count == 75 - 1 - 4 - 1 - 4 - 1)
    #expect(
      FinapticMethod.all.filter { $0.kind == .decide }.map(\.name) == [
        "validateDocuments", "validateSelfie", "validateApplication", "acceptApplication",
        "finalizeApplicationCreateCustomer", "finalizeApplicationCreateProduct",
      ])
  }

  @Test(
    "instants: read with any offset and fraction, written with six digits",
    arguments: [
      ("2026-11-21T06:00:00Z", "2026-11-21T06:00:00.000000Z"),
      ("2026-11-21T06:00:00.1Z", "2026-11-21T06:00:00.100000Z"),
      ("2026-11-21T06:00:00.123456789Z", "2026-11-21T06:00:00.123456Z"),
      ("2026-11-21T01:00:00.5-05:00", "2026-11-21T06:00:00.500000Z"),
      ("1969-12-31T23:59:59.999999Z", "1969-12-31T23:59:59.999999Z"),
      ("0001-01-01T00:00:00-00:01", "0001-01-01T00:01:00.000000Z"),
      ("9999-12-31T23:59:59.5+00:01", "9999-12-31T23:58:59.500000Z"),
    ])
  func instants(text: String, written: String) throws {
    let instant = try #require(FinapticAPI.Instant(text))
    #expect(instant.description == written && FinapticAPI.Instant(written) == instant)
    #expect(FinapticAPI.Instant(instant.date) == instant)
  }

  @Test(
    "and nothing else is read",
    arguments: [
      "", "2026-11-21", "2026-11-21T06:00:00", "2026-02-30T06:00:00Z", "2026-11-21T24:00:00Z", "2026-11-21T06:00:00.Z",
      "2026-11-21T06:00:00+5:00", "2026-11-21T06:00:00Zz", "2026-11-21 06:00:00Z", "2026-11-21T06:00:00.1.2Z",
      // In UTC these are in the year 0 and in the year 10000.
      "0001-01-01T00:00:00+23:59", "0001-01-01T00:00:59.999999+00:01", "9999-12-31T23:59:59-00:01",
      "9999-12-31T00:01:00-23:59",
    ])
  func notInstants(text: String) { #expect(FinapticAPI.Instant(text) == nil) }

  @Test("any microsecond reads back", arguments: 0..<300)
  func property(seed: Int64) {
    let instant = FinapticAPI.Instant(
      microsecondsSince1970: (seed * 7_777_777_777_777) % 200_000_000_000_000_000 - 1_000_000_007)
    #expect(FinapticAPI.Instant(instant.description) == instant)
  }
}
