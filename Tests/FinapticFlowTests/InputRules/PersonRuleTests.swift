// SPDX-License-Identifier: Apache-2.0

import DocumentCore
import FinapticFlow
import FinapticWire
import Kit
import TestSupport
import Testing

@Suite("Finaptic input rules: people", .storeless)
struct PersonRuleTests {
  private typealias Personal = FinapticAPI.PersonalDetails

  private static func refused(_ details: FinapticAPI.PersonalDetails) throws -> [String] {
    try RuleTable.refused {
      _ = try $0.personalDetails(.init(onboardingApplicationId: RuleTable.id, customerPersonalDetails: details))
    }.map { $0.replacing("customerPersonalDetails.", with: "") }
  }

  private static func details(
    first: String? = "Ann", middle: String? = nil, last: String? = "Roy", birth: String? = "2000-03-06",
    alias: String? = nil
  ) -> FinapticAPI.PersonalDetails {
    .init(firstName: first, middleName: middle, lastName: last, dateOfBirth: birth, alias: alias)
  }

  @Test(
    "a name has 1 to 50 letters of English and French, digits, hyphens, apostrophes and spaces",
    arguments: [
      ("A", true), (RuleTable.letters(50), true), (RuleTable.letters(51), false), ("", false), (" \t", false),
      ("Élodie-Anne", true), ("O'Neil", true), ("O’Neil", true), ("Jean Luc 2", true), ("Cœur Çà Ÿ Æ", true),
      ("e\u{301}lodie", true), ("John_Doe", false), ("Doe🙂", false), ("Łukasz", false), ("Müller", true),
      ("Björn", false), ("a\u{0}b", false), ("a\tb", false), ("a\u{A0}b", false), ("Иван", false), ("a.b", false),
    ])
  func names(name: String, isTaken: Bool) throws {
    #expect(try Self.refused(Self.details(first: name)) == (isTaken ? [] : ["firstName"]))
    #expect(try Self.refused(Self.details(last: name)) == (isTaken ? [] : ["lastName"]))
    let isBlank = name.allSatisfy(\.isWhitespace)
    #expect(try Self.refused(Self.details(middle: name)) == (isTaken || isBlank ? [] : ["middleName"]))
  }

  @Test("fifty composed letters may come as a hundred scalars")
  func composed() throws {
    #expect(try Self.refused(Self.details(first: String(repeating: "e\u{301}", count: 50))) == [])
    #expect(try Self.refused(Self.details(first: String(repeating: "e\u{301}", count: 51))) == ["firstName"])
  }

  @Test("what is kept is composed, trimmed and has the plain apostrophe; blanks are absent")
  func kept() throws {
    let kept = try RuleTable.rules().personalDetails(
      .init(
        onboardingApplicationId: RuleTable.id.uppercased(),
        customerPersonalDetails: Self.details(first: " E\u{301}lodie ", middle: " ", last: "O’Neil", alias: "")))
    #expect(kept.onboardingApplicationId == RuleTable.id)
    #expect(kept.customerPersonalDetails?.firstName?.unicodeScalars.count == 6)
    #expect(kept.customerPersonalDetails?.lastName == "O'Neil")
    #expect(kept.customerPersonalDetails?.middleName == nil && kept.customerPersonalDetails?.alias == nil)
  }

  @Test(
    "a birth is a day from 1900 until today in Toronto",
    arguments: [
      ("1900-01-01", true), ("1899-12-31", false), ("2026-11-21", true), ("2026-11-22", false), ("2000-02-29", true),
      ("1999-02-29", false), ("6 March 2000", false), ("", false), (nil, false), ("2000-3-6", false),
    ])
  func births(birth: String?, isTaken: Bool) throws {
    #expect(try Self.refused(Self.details(birth: birth)) == (isTaken ? [] : ["dateOfBirth"]))
  }

  @Test("today is Toronto's, not Greenwich's")
  func day() throws {
    let majority = try AgeOfMajority()
    func today(_ text: String) throws -> CalendarDate? { try majority.today(at: #require(Instant(rfc3339: text))) }
    #expect(try today("2026-11-21T06:00:00Z") == CalendarDate("2026-11-21"))
    // The evening before, in winter and in summer.
    #expect(try today("2026-11-21T04:59:59Z") == CalendarDate("2026-11-20"))
    #expect(try today("2026-07-01T03:59:59Z") == CalendarDate("2026-06-30"))
    #expect(try today("2026-07-01T04:00:00Z") == CalendarDate("2026-07-01"))
  }

  @Test("an alias has at most 20 letters and digits", arguments: [(20, true), (21, false)])
  func alias(length: Int, isTaken: Bool) throws {
    #expect(try Self.refused(Self.details(alias: RuleTable.letters(length))) == (isTaken ? [] : ["alias"]))
    #expect(try Self.refused(Self.details(alias: "a-b")) == ["alias"])
  }

  @Test("everything that is wrong is said at once, in the SDK's names")
  func allAtOnce() throws {
    let paths = try RuleTable.refused {
      _ = try $0.personalDetails(
        .init(
          onboardingApplicationId: "42",
          customerPersonalDetails: Self.details(first: "_", middle: "_", last: nil, birth: "x", alias: "?")))
    }
    #expect(
      Set(paths)
        == [
          "onboardingApplicationId", "customerPersonalDetails.firstName", "customerPersonalDetails.middleName",
          "customerPersonalDetails.lastName", "customerPersonalDetails.dateOfBirth", "customerPersonalDetails.alias",
        ])
    #expect(paths.count == 6)
    #expect(
      try RuleTable.refused { _ = try $0.personalDetails(.init()) }
        == ["onboardingApplicationId", "customerPersonalDetails"])
  }

  @Test(
    "the published names", .enabled(if: !PublishedProfiles.all.isEmpty), arguments: PublishedProfiles.of("personName"))
  func published(profile: PublishedProfiles.Profile) throws {
    let input = profile.input
    let refused = try Self.refused(
      Self.details(first: input["firstName"].text, middle: input["middleName"].text, last: input["lastName"].text))
    #expect(refused.isEmpty == (profile.expect["requestStatus"].text == "OK"), "\(profile.id)")
    #expect(refused.isEmpty != (profile.expect["error"].text == "invalidArgument"), "\(profile.id)")
  }

  // MARK: Contact

  private static func contact(_ details: FinapticAPI.ContactDetails) throws -> [String] {
    try RuleTable.refused {
      _ = try $0.contactDetails(.init(onboardingApplicationId: RuleTable.id, customerContactDetails: details))
    }.map { $0.replacing("customerContactDetails.", with: "") }
  }

  @Test(
    "a number is +, a country code and 1 to 14 digits",
    arguments: [
      ("+15141234567", true), ("+11", true), ("+1" + String(repeating: "2", count: 14), true),
      ("+1" + String(repeating: "2", count: 15), false), ("+1", false), ("15141234567", false),
      ("+1 514 123 4567", false),
      ("+3521", true), ("+352", false), ("+9991234567", false), ("+0123456", false), ("", true), ("+", false),
      ("+1५", false),
    ])
  func numbers(number: String, isTaken: Bool) throws {
    #expect(
      try Self.contact(.init(customerEmail: "a@b.ca", phoneNumber: number)) == (isTaken ? [] : ["phoneNumber"]))
    let typed = FinapticAPI.ContactDetails(
      contactPhoneNumber: .init(smsCompatible: true, number: number), customerEmail: "a@b.ca")
    #expect(try Self.contact(typed) == (isTaken && !number.isEmpty ? [] : ["contactPhoneNumber.number"]))
  }

  @Test("an e-mail address has at most 254 letters", arguments: [(254, true), (255, false)])
  func email(length: Int, isTaken: Bool) throws {
    let tail = "@" + ["a", "b", "c"].map { String(repeating: $0, count: 60) }.joined(separator: ".") + ".ca"
    let address = RuleTable.letters(length - tail.utf8.count - 6) + tail
    let long = address.replacing("@", with: "@" + RuleTable.letters(5) + ".")
    #expect(long.utf8.count == length)
    #expect(try Self.contact(.init(customerEmail: long)) == (isTaken ? [] : ["customerEmail"]))
    for wrong in ["", "a", "a@b", "a b@c.ca", "not-an-email"] {
      #expect(try Self.contact(.init(customerEmail: wrong)) == ["customerEmail"])
    }
  }

  @Test("a bare number is one without text messages, and the typed one wins")
  func bareNumber() throws {
    let rules = try RuleTable.rules()
    func kept(_ details: FinapticAPI.ContactDetails) throws -> FinapticAPI.Phone? {
      try rules.contactDetails(.init(onboardingApplicationId: RuleTable.id, customerContactDetails: details))
        .customerContactDetails?.contactPhoneNumber
    }
    #expect(
      try kept(.init(customerEmail: "a@b.ca", phoneNumber: "+15141234567"))
        == .init(smsCompatible: false, number: "+15141234567"))
    #expect(
      try kept(
        .init(
          contactPhoneNumber: .init(smsCompatible: true, number: "+15141234568"), customerEmail: "a@b.ca",
          phoneNumber: "+15141234567")) == .init(smsCompatible: true, number: "+15141234568"))
  }
}
