// SPDX-License-Identifier: Apache-2.0

import Forms
import Foundation
import GatehouseWire
import Kit
import RubixWire
import TestSupport
import Testing

@testable import RubixFlow

@Suite("Rubix: tenants", .storeless)
struct TenantTests {
  @Test("a tenant of four members has the rules of a careful bank")
  func minimal() throws {
    let tenant = try Self.tenant(#"{"id":"b","name":"Bank","host":"b.example","time_zone":"Asia/Kuwait"}"#)
    #expect(tenant.id == "b" && tenant.name == "Bank" && tenant.host == "b.example" && tenant.timeZone == "Asia/Kuwait")
    #expect(tenant.documents == .standard && tenant.emailRequired && tenant.agentAlways)
    #expect(tenant.minimumAge == 18 && tenant.consents == ["terms", "biometrics"] && tenant.retentionDays == 30)
    #expect(tenant.registrationRequires == [.email])
    #expect(Tenant.default.registrationRequires.isEmpty && Tenant.default.consents.isEmpty, "the seed's registration")
    #expect(!tenant.acceptsSpecimens, "specimens are for sandboxes that say so")
    #expect(!tenant.revealsScores && tenant.servedPrefixes == nil && tenant.holidays.isEmpty)
    #expect(tenant.workingWeek.hours(onISOWeekday: 7) == .fullDay && tenant.retention == .standard)
  }

  @Test("a tenant's table of taxpayer numbers takes the place of the product's")
  func tinTable() throws {
    let tenant = try Self.tenant(
      #"""
      {"id":"b","name":"Bank","host":"b.example","time_zone":"UTC",
       "tin_table":{"as_of":"2027-01-01","countries":{"KW":{"issues_to_individuals":true}}}}
      """#)
    #expect(tenant.tinTable.issuesToIndividuals("KW") == true && Tenant.default.tinTable == .standard)
    let unexpected = ComplianceSamples.crs([
      .init(country: "DE", tin: "86095742719"), .init(country: "KW", noTINReason: .notIssued),
    ])
    func flags(_ tenant: Tenant) -> [String] {
      FormAnswers.crs(unexpected).review(
        against: .standardCRS, counterpart: nil,
        verified: VerifiedIdentity(
          familyName: "MUSTERMANN", givenNames: "ERIKA", dateOfBirth: ComplianceSamples.birth, nationalities: ["DEU"]),
        today: ComplianceSamples.today, issuing: tenant.tinTable
      ).flags.map(\.code)
    }
    #expect(flags(.default).isEmpty)
    #expect(flags(tenant) == ["reason-doubtful"])
  }

  @Test("a sandbox takes more registrations from one network, unless the operator says how many")
  func registrationLimits() {
    var settings = RubixSettings()
    #expect(settings.registrationLimits(isSandbox: false).byAddress.count == 5)
    #expect(settings.registrationLimits(isSandbox: true).byAddress.count == 100)
    settings.limitFactor = 2
    #expect(settings.registrationLimits(isSandbox: true).byAddress.count == 10)
  }

  @Test("every member of the file is read")
  func full() throws {
    var tenant = Tenant.default
    tenant.id = "full"
    tenant.timeZone = "Europe/Berlin"
    tenant.documents = DocumentPolicy(anyOf: nil, allOf: [[.passport]])
    tenant.emailRequired = false
    tenant.agentAlways = false
    tenant.minimumAge = 21
    tenant.consents = ["terms"]
    tenant.registrationRequires = [.email, .dateOfBirth]
    tenant.servedPrefixes = ["49", "965"]
    tenant.holidays = [try #require(WireDate("2026-12-25"))]
    tenant.revealsScores = true
    tenant.retentionDays = 7
    tenant.retention = Retention(unfinishedDays: nil, rejectedDays: 30, completedDays: 365)
    let read = try JSONDecoder().decode(Tenant.self, from: JSONEncoder().encode(tenant))
    #expect(read.id == "full" && read.timeZone == "Europe/Berlin" && read.documents == tenant.documents)
    #expect(!read.emailRequired && !read.agentAlways && read.minimumAge == 21 && read.consents == ["terms"])
    #expect(read.registrationRequires == [.email, .dateOfBirth])
    #expect(read.servedPrefixes == ["49", "965"] && read.holidays == tenant.holidays)
    #expect(read.revealsScores && read.retentionDays == 7 && read.acceptsSpecimens)
    #expect(read.workingWeek == tenant.workingWeek && read.retention == tenant.retention)
  }

  @Test(
    "a file that lacks a member or names no real time zone is refused",
    arguments: [
      #"{"id":"b","name":"Bank","host":"b.example","time_zone":"Mars/Olympus"}"#,
      #"{"id":"b","name":"Bank","host":"b.example"}"#, #"{"name":"Bank","host":"b.example","time_zone":"UTC"}"#,
      #"{"id":"b","name":"Bank","host":"b.example","time_zone":"UTC","minimum_age":"18"}"#,
      #"{"id":"b","name":"Bank","host":"b.example","time_zone":"UTC","registration_requires":["shoe_size"]}"#,
    ])
  func refused(text: String) {
    #expect(throws: DecodingError.self) { try Self.tenant(text) }
  }

  @Test("an id is one that a header and an address carry as it is")
  func ids() throws {
    func id(_ id: String) throws -> String {
      try Self.tenant(#"{"id":"\#(id)","name":"Bank","host":"b.example","time_zone":"UTC"}"#).id
    }
    let longest = String(repeating: "b", count: 64)
    for fit in ["b", "bank-kw.1_A", "bank:kw", longest] { #expect(try id(fit) == fit) }
    for unfit in [
      "", " ", "bank kw", "../x", "a/b", #"a\\b"#, ".", "..", "a?b", "a#b", "a%2Fb", "bänk", #"a\u0000b"#, #"a\nb"#,
      longest + "b",
    ] {
      #expect(throws: DecodingError.self, "\(unfit)") { try id(unfit) }
    }
  }

  @Test("pictures go with their file at the latest, and an age is one of a person")
  func kept() throws {
    func days(_ members: String) throws -> Int {
      try Self.tenant(#"{"id":"b","name":"Bank","host":"b.example","time_zone":"UTC",\#(members)}"#).retentionDays
    }
    #expect(try days(#""retention":{"unfinished_days":10}"#) == 10)
    #expect(try days(#""retention":{"unfinished_days":null,"rejected_days":null},"retention_days":400"#) == 400)
    for members in [
      #""retention_days":0"#, #""retention_days":91"#, #""retention_days":8,"retention":{"rejected_days":7}"#,
      // Misspelt members would be passed over.
      #""sms_per_day":0"#, #""minumum_age":21"#, #""retention":{"unfinshed_days":9}"#,
      #""minimum_age":-1"#, #""minimum_age":121"#,
    ] {
      #expect(throws: DecodingError.self, "\(members)") { try days(members) }
    }
  }

  @Test(
    "a name or a host with which no message can be sent is refused where the file is read, by its member",
    arguments: [
      ("name", ""), ("name", #"Bank\nof Utopia"#), ("name", "Bank @ Utopia"), ("name", "Bank #1"),
      ("name", String(repeating: "x", count: 61)), ("host", ""), ("host", "https://b.example"), ("host", "b.example/"),
      ("host", "b.example:443"), ("host", "b example"), ("host", "bänk.example"), ("host", "bank"),
      ("host", "192.0.2.1"),
      ("host", #"b.example\n@c.example #123456"#),
    ])
  func sender(member: String, value: String) throws {
    func file(_ values: [String: String]) -> String {
      let all = ["name": "Bank", "host": "b.example"].merging(values) { $1 }.map { #""\#($0)":"\#($1)""# }
      return #"{"id":"b","time_zone":"UTC",\#(all.joined(separator: ","))}"#
    }
    let error = #expect(throws: DecodingError.self) { try Self.tenant(file([member: value])) }
    guard case .dataCorrupted(let context)? = error else {
      Issue.record("\(String(describing: error))")
      return
    }
    #expect(context.codingPath.map(\.stringValue) == [member])
    let fit = try Self.tenant(file(["name": "بنك اليوتوبيا", "host": "xn--bnk-qla.example"]))
    #expect(try fit.messageSender.host == "xn--bnk-qla.example")
  }

  @Test(
    "a file that asks for no document, or for what is none, is refused, and so is a call without an address of its own",
    arguments: [
      #""documents":{}"#, #""documents":{"any_of":[]}"#, #""documents":{"all_of":[[]]}"#,
      #""documents":{"any_of":[[],["PASSPORT"]]}"#, #""documents":{"any_of":[["SELFIE"]]}"#,
      #""documents":{"all_of":[["PASSPORT"]],"any_of":[["LIVENESS"]]}"#, #""documents":{"all_of":[["PASPORT"]]}"#,
      #""call_url":"http://calls.b.example/{room}""#, #""call_url":"https://calls.b.example/""#,
      #""call_url":"https:///{room}""#, #""call_url":"https://agent@calls.b.example/{room}""#,
    ])
  func unfit(member: String) throws {
    func file(_ member: String) -> String {
      #"{"id":"b","name":"Bank","host":"b.example","time_zone":"UTC",\#(member)}"#
    }
    let error = #expect(throws: DecodingError.self) { try Self.tenant(file(member)) }
    guard case .dataCorrupted(let context)? = error else {
      Issue.record("\(String(describing: error))")
      return
    }
    // It tells what there is instead.
    #expect(context.debugDescription.contains(member.contains("call_url") ? "https address with {room}" : "PASSPORT, "))
    let fit = #""documents":{"all_of":[["PASSPORT"]]},"call_url":"https://calls.b.example/{room}""#
    #expect(try Self.tenant(file(fit)).documents.accepted == [.passport])
  }

  @Test("a request without a tenant is the default one's; an unknown tenant is not found")
  func find() throws {
    var other = Tenant.default
    other.id = "other"
    let tenants = Tenants([.default, other])
    #expect(try tenants.find(nil).id == "default")
    #expect(try tenants.find("other").id == "other")
    #expect(tenants.all.map(\.id) == ["default", "other"])
    for id in ["", "Other", "nobody"] {
      let problem = #expect(throws: Problem.self) { try tenants.find(id) }
      #expect(problem?.code == "not-found")
    }
  }

  @Test("today is the date on the institution's wall")
  func today() throws {
    var tenant = Tenant.default
    // 2026-11-21T22:30Z
    let late = Instant(milliseconds: 1_795_300_200_000)
    #expect(tenant.today(at: late) == WireDate("2026-11-21"))
    tenant.timeZone = "Asia/Kuwait"
    #expect(tenant.today(at: late) == WireDate("2026-11-22"))
  }

  private static func tenant(_ text: String) throws -> Tenant {
    try JSONDecoder().decode(Tenant.self, from: Data(text.utf8))
  }
}
