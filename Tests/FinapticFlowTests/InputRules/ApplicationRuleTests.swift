// SPDX-License-Identifier: Apache-2.0

import FinapticFlow
import FinapticWire
import Kit
import TestSupport
import Testing

@Suite("Finaptic input rules: consents, residence, employment, account", .storeless)
struct ApplicationRuleTests {
  private static let url = "https://must-be-a-well-formed-url.com/document/1.0"
  private static let now = "2026-11-21T06:00:00Z"

  // MARK: Consents and disclosures

  private static func consent(_ consents: FinapticAPI.Consent...) throws -> [String] {
    try RuleTable.refused {
      _ = try $0.consents(.init(onboardingApplicationId: RuleTable.id, consents: consents))
    }
  }

  private static func given(
    _ type: String? = "CONSENT_TYPE_PRIVACY_POLICY", at consented: String? = now, seen: String? = now,
    _ url: String? = url
  ) -> FinapticAPI.Consent {
    .init(consentType: type, consentTimestamp: consented, documentNameAndVersion: url, viewTimestamp: seen)
  }

  @Test("a consent is of a known type, to an absolute URL, seen before it was given, and not in the future")
  func consents() throws {
    #expect(try Self.consent(Self.given()) == [])
    #expect(try Self.consent() == ["consents"])
    #expect(try Self.consent(Self.given("CONSENT_TYPE_SOUL")) == ["consents[0].consentType"])
    // Five minutes ahead, and one millisecond more.
    #expect(try Self.consent(Self.given(at: "2026-11-21T06:05:00Z", seen: "2026-11-21T06:05:00Z")) == [])
    #expect(
      try Self.consent(Self.given(at: "2026-11-21T06:05:00.001Z")) == ["consents[0].consentTimestamp"])
    // The published sample reads the clock for the consent, then for the view.
    #expect(try Self.consent(Self.given(seen: "2026-11-21T06:00:01Z")) == [])
    #expect(try Self.consent(Self.given(seen: "2026-11-21T06:00:01.000001Z")) == ["consents[0].viewTimestamp"])
    #expect(try Self.consent(Self.given(at: "2026-11-21", seen: nil)).count == 2)
    #expect(try Self.consent(Self.given(), Self.given(nil)) == ["consents[1].consentType"])
    #expect(
      try RuleTable.refused {
        _ = try $0.consents(
          .init(onboardingApplicationId: RuleTable.id, consents: Array(repeating: Self.given(), count: 51)))
      } == ["consents"])
  }

  @Test(
    "a document is named by an absolute URL",
    arguments: [
      (url, true), ("http://a.example/", true), ("", false), ("/document/1.0", false), ("https://", false),
      ("mailto:a@b.ca", false), ("https://a b.example", false), ("javascript:alert(1)", false),
      ("https://user@a.example/", false), ("https://a.example/é", false),
    ])
  func urls(url: String, isTaken: Bool) throws {
    #expect(
      try Self.consent(Self.given("CONSENT_TYPE_PRIVACY_POLICY", at: Self.now, seen: Self.now, url))
        == (isTaken ? [] : ["consents[0].documentNameAndVersion"]))
  }

  @Test("a disclosure is of a known type, with instant and URL")
  func disclosures() throws {
    func refused(_ disclosure: FinapticAPI.Disclosure) throws -> [String] {
      try RuleTable.refused {
        _ = try $0.disclosures(.init(onboardingApplicationId: RuleTable.id, disclosures: [disclosure]))
      }
    }
    let type = "DISCLOSURE_TYPE_DISCLOSURES_DURING_ISSUANCE_OF_PREPAID_CARD"
    #expect(
      try refused(.init(disclosureType: type, timestamp: Self.now, documentNameAndVersion: Self.url)) == [])
    #expect(
      try refused(.init(disclosureType: type, timestamp: "2026-11-21T06:05:00Z", documentNameAndVersion: Self.url))
        == [])
    #expect(
      try refused(.init(disclosureType: type, timestamp: "2026-11-21T06:05:00.001Z", documentNameAndVersion: Self.url))
        == ["disclosures[0].timestamp"])
    #expect(
      try refused(.init())
        == [
          "disclosures[0].disclosureType", "disclosures[0].timestamp", "disclosures[0].documentNameAndVersion",
        ])
  }

  // MARK: Residence

  private static func residence(_ residency: FinapticAPI.Residency) throws -> [String] {
    try RuleTable.refused {
      _ = try $0.residency(.init(onboardingApplicationId: RuleTable.id, residency: residency))
    }.map { $0.replacing("residency.", with: "") }
  }

  @Test("who is no tax resident of Canada is one of somewhere else")
  func residency() throws {
    #expect(try Self.residence(.init(isCanadianTaxResident: true, citizenship: "CA")) == [])
    #expect(try Self.residence(.init()) == ["isCanadianTaxResident", "citizenship"])
    #expect(try Self.residence(.init(isCanadianTaxResident: false, citizenship: "CA")) == ["otherResidences"])
    #expect(
      try Self.residence(
        .init(
          isCanadianTaxResident: false, otherResidences: [.init(otherResidenceCountry: "FR")], citizenship: "FR"))
        == [])
    #expect(try Self.residence(.init(isCanadianTaxResident: true, citizenship: "ca")) == ["citizenship"])
    #expect(try Self.residence(.init(isCanadianTaxResident: true, citizenship: "France")) == ["citizenship"])
    #expect(
      try Self.residence(.init(isCanadianTaxResident: true, sinToken: "046 454 286", citizenship: "CA"))
        == ["sinToken"])
    #expect(
      try Self.residence(.init(isCanadianTaxResident: true, sinToken: RuleTable.id, citizenship: "CA")) == [])
  }

  @Test("a residence in the United States or Canada needs the citizenship there", arguments: ["US", "CA"])
  func otherCitizenship(country: String) throws {
    func refused(_ citizenship: String?) throws -> [String] {
      try Self.residence(
        .init(
          isCanadianTaxResident: true,
          otherResidences: [
            .init(otherResidenceCountry: "FR"),
            .init(otherResidenceCountry: country, tinToken: "no", citizenship: citizenship),
          ], citizenship: "CA"))
    }
    let token = "otherResidences[1].tinToken"
    #expect(try refused(RuleTable.letters(50)) == [token])
    #expect(try refused(RuleTable.letters(51)) == [token, "otherResidences[1].citizenship"])
    #expect(try refused(nil) == [token, "otherResidences[1].citizenship"])
  }

  @Test(
    "another country of residence is given by its code, or by its name in either language; its code is kept",
    arguments: [
      ("FR", "FR"), ("France", "FR"), ("united states", "US"), (" États-Unis ", "US"), ("Cote d'Ivoire", "CI"),
    ])
  func otherCountry(given: String, code: String) throws {
    let kept = try RuleTable.rules().residency(
      .init(
        onboardingApplicationId: RuleTable.id,
        residency: .init(
          isCanadianTaxResident: false,
          otherResidences: [.init(otherResidenceCountry: given, citizenship: "Citizen")], citizenship: "CA")))
    #expect(kept.residency?.otherResidences?.map(\.otherResidenceCountry) == [code])
  }

  @Test("what is neither a country's code nor its name is refused", arguments: ["fr", "Atlantis", "XX", ""])
  func noCountry(given: String) throws {
    #expect(
      try Self.residence(
        .init(
          isCanadianTaxResident: false, otherResidences: [.init(otherResidenceCountry: given)], citizenship: "CA"))
        == ["otherResidences[0].otherResidenceCountry"])
  }

  // MARK: Employment

  private static func employment(_ change: (inout FinapticAPI.Employment) -> Void) throws -> [String] {
    var employment = RuleTable.employment
    change(&employment)
    return try RuleTable.refused {
      _ = try $0.employment(.init(onboardingApplicationId: RuleTable.id, employmentInfo: employment))
    }.map { $0.replacing("employmentInfo.", with: "") }
  }

  @Test(
    "who works names employer, industry, place and number",
    arguments: ["EMPLOYED", "SELF_EMPLOYED", "STUDENT_EMPLOYED"])
  func working(status: String) throws {
    #expect(try Self.employment { $0.employmentStatus = "EMPLOYMENT_STATUS_\(status)" } == [])
    #expect(
      try Self.employment { $0 = .init(employmentStatus: "EMPLOYMENT_STATUS_\(status)") }
        == ["employerName", "industry", "workAddress", "phoneNumber"])
  }

  @Test(
    "who does not work has no occupation, and need not name an employer",
    arguments: ["UNEMPLOYED", "RETIRED", "STUDENT_UNEMPLOYED", "HOMEMAKER"])
  func notWorking(status: String) throws {
    #expect(try Self.employment { $0 = .init(employmentStatus: "EMPLOYMENT_STATUS_\(status)") } == [])
    #expect(try Self.employment { $0.employmentStatus = "EMPLOYMENT_STATUS_\(status)" } == ["occupation"])
  }

  @Test("each member of an employment at its edge")
  func employmentEdges() throws {
    #expect(try Self.employment { $0.employerName = RuleTable.letters(50) } == [])
    #expect(try Self.employment { $0.employerName = RuleTable.letters(51) } == ["employerName"])
    #expect(try Self.employment { $0.industry = "999999" } == ["industry"])
    #expect(try Self.employment { $0.occupation = nil } == [])
    #expect(try Self.employment { $0.occupation = "OCCUPATION_0000_NOBODY" } == ["occupation"])
    #expect(try Self.employment { $0.employmentStatus = "EMPLOYED" } == ["employmentStatus"])
    #expect(try Self.employment { $0.workAddress = RuleTable.home } == ["workAddress.type"])
    #expect(try Self.employment { $0.workAddress?.line1 = "PO Box 7" } == [])
    #expect(try Self.employment { $0.phoneNumber?.number = "5141234567" } == ["phoneNumber.number"])
  }

  @Test("an employment does not end in a month before the one that it starts in")
  func months() throws {
    #expect(try Self.employment { ($0.startDate, $0.endDate) = ("2020-05-31", "2020-05-01") } == [])
    #expect(try Self.employment { ($0.startDate, $0.endDate) = ("2020-05-01", "2020-04-30") } == ["endDate"])
    #expect(try Self.employment { ($0.startDate, $0.endDate) = ("2020-05", nil) } == ["startDate"])
    #expect(try Self.employment { ($0.startDate, $0.endDate) = (nil, "2020-02-30") } == ["endDate"])
  }

  // MARK: Account and messages

  @Test("an account has one purpose, and each source of funds once")
  func account() throws {
    func refused(_ purpose: String?, _ sources: [String]?, _ flag: Bool? = false) throws -> [String] {
      try RuleTable.refused {
        _ = try $0.accountDetails(
          .init(
            onboardingApplicationId: RuleTable.id,
            accountDetails: .init(
              accountPurpose: purpose, primarySourceOfFunds: sources, authorizedThirdPartyUsage: flag)))
      }.map { $0.replacing("accountDetails.", with: "") }
    }
    let (loans, gifts) = ("PRIMARY_SOURCE_OF_FUNDS_LOANS", "PRIMARY_SOURCE_OF_FUNDS_GIFTS")
    #expect(try refused("ACCOUNT_PURPOSE_TRAVELLING", [loans, gifts]) == [])
    #expect(try refused("ACCOUNT_PURPOSE_TRAVELLING", [loans, gifts, loans]) == ["primarySourceOfFunds[2]"])
    #expect(try refused("ACCOUNT_PURPOSE_TRAVELLING", ["LOANS"]) == ["primarySourceOfFunds[0]"])
    #expect(
      try refused(nil, [], nil) == ["accountPurpose", "primarySourceOfFunds", "authorizedThirdPartyUsage"])
  }

  @Test("people are written to in one way, in one language")
  func preferences() throws {
    func refused(_ way: String?, _ language: String?) throws -> [String] {
      try RuleTable.refused {
        _ = try $0.communicationPreferences(
          .init(
            onboardingApplicationId: RuleTable.id, customerCommunicationPref: way,
            customerCommunicationLanguage: language))
      }
    }
    #expect(try refused("COMMUNICATION_PREFERENCES_EMAIL", nil) == [])
    #expect(try refused("COMMUNICATION_PREFERENCES_MOBILE", "LANGUAGE_FR_CA") == [])
    #expect(try refused("EMAIL", "fr") == ["customerCommunicationPref", "customerCommunicationLanguage"])
    #expect(try refused(nil, nil) == ["customerCommunicationPref"])
  }
}
