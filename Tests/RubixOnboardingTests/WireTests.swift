// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestSupport
import Testing

@testable import RubixOnboarding

private let specification = SpecificationFolder.file("rubix-onboarding.md")

@Suite("Rubix wire values")
struct WireTests {
  @Test(
    "the step constants are those of the specification",
    .enabled(if: FileManager.default.fileExists(atPath: specification.path), "the specification is not here"))
  func steps() throws {
    let text = try String(contentsOf: specification, encoding: .utf8)
    let constants = Set(text.matches(of: /RBX_ONB_STEP_[A-Z_]+/).map { String($0.output) })
    #expect(constants == Set(OnboardingStep.known.map(\.rawValue)))
  }

  @Test("absent members of a view are written as null, and both null and absence are read")
  func explicitNull() throws {
    let view = try WireJSON.decode(OnboardingView.self, from: Data(Sample.view().utf8))
    #expect(view.customer.middleName == nil)
    let text = String(decoding: try WireJSON.encode(view), as: UTF8.self)
    for member in ["session", "appointment", "is_evaluation_verified", "middle_name"] {
      #expect(text.contains("\"\(member)\":null"))
    }
    let registration = String(decoding: try WireJSON.encode(Sample.registration), as: UTF8.self)
    #expect(registration.contains(#""middle_name":null"#))
    let update = String(decoding: try WireJSON.encode(UpdateMeRequest(email: "b@example.com")), as: UTF8.self)
    #expect(update == #"{"email":"b@example.com"}"#)
  }

  @Test(
    "instants are RFC 3339 in UTC",
    arguments: [
      ("1970-01-01T00:00:00Z", 0), ("2026-11-21T06:00:00Z", 1_795_240_800_000), ("1969-12-31T23:59:59.999Z", -1),
      ("2000-02-29T12:30:45.120Z", 951_827_445_120),
    ])
  func instants(text: String, milliseconds: Int64) {
    #expect(WireInstant(text)?.millisecondsSince1970 == milliseconds)
    #expect(WireInstant(millisecondsSince1970: milliseconds).description == text)
  }

  @Test(
    "what is no instant in UTC is refused",
    arguments: [
      "", "2026-11-21", "2026-11-21T06:00:00", "2026-11-21T06:00:00+00:00", "2026-11-21T24:00:00Z",
      "2026-11-21T06:60:00Z", "2026-11-21T06:00:60Z", "2026-11-21 06:00:00Z", "2026-11-21T06:00:00.Z",
      "2026-02-30T06:00:00Z", "2026-11-21T06:00:00.12xZ", "２026-11-21T06:00:00Z",
    ])
  func noInstants(text: String) { #expect(WireInstant(text) == nil) }

  @Test(
    "dates that no instant is written of are held at the edge, and what is no number is 1970-01-01",
    arguments: [
      (Double.infinity, "9999-12-31T23:59:59.999Z"), (-Double.infinity, "0001-01-01T00:00:00Z"),
      (1e300, "9999-12-31T23:59:59.999Z"), (-1e300, "0001-01-01T00:00:00Z"), (Double.nan, "1970-01-01T00:00:00Z"),
      (1_795_240_800.0004, "2026-11-21T06:00:00Z"),
    ])
  func dates(seconds: Double, text: String) {
    let instant = WireInstant(Date(timeIntervalSince1970: seconds))
    #expect(instant.description == text && WireInstant(text) == instant)
  }

  @Test("any fraction is read to the millisecond")
  func fractions() {
    #expect(WireInstant("1970-01-01T00:00:00.1Z")?.millisecondsSince1970 == 100)
    #expect(WireInstant("1970-01-01T00:00:00.123999999Z")?.millisecondsSince1970 == 123)
  }

  @Test("every day of four centuries counts one more than the day before")
  func days() throws {
    var last = try #require(WireDate("1899-12-31"))
    for days in (last.daysSince1970 + 1)..<(last.daysSince1970 + 146_098) {
      let date = WireDate(daysSince1970: days)
      #expect(date > last)
      #expect(date.daysSince1970 == days)
      #expect(WireDate(date.description) == date)
      last = date
    }
    #expect(last == WireDate("2299-12-31"))
  }

  @Test(
    "days that do not exist are refused",
    arguments: ["2026-02-29", "1900-02-29", "2026-04-31", "2026-00-10", "2026-13-01", "0000-01-01", "2026-1-01"])
  func noDates(text: String) { #expect(WireDate(text) == nil) }

  @Test("every kind of document has its own steps, and the alias paths are understood")
  func kinds() {
    #expect(Set(DocumentKind.allCases.map(\.uploadedStep)).count == DocumentKind.allCases.count)
    #expect(Set(DocumentKind.allCases.map(\.processedStep)).count == DocumentKind.allCases.count)
    for kind in DocumentKind.allCases { #expect(DocumentKind(documentType: kind.documentType) == kind) }
    #expect(DocumentKind(pathComponent: "national-id-back") == .nationalIDBack)
    #expect(DocumentKind(pathComponent: "selfie") == nil)
  }

  @Test("a problem document without a code takes it from its type")
  func problemCode() throws {
    let problem = try WireJSON.decode(
      ProblemDetails.self, from: Data(#"{"type":"https://x.example/problems/slot-taken","status":409}"#.utf8))
    #expect(problem.code == .slotTaken)
  }
}
