// SPDX-License-Identifier: Apache-2.0

import Delivery
import DocumentCore
import Forms
import Foundation
import GatehouseWire
import Kit
import Scheduling

/// An institution that onboards its customers here, with its rules. Read from the operator's tenants file.
package struct Tenant: Sendable, Codable {
  package var id: String
  /// As customers know it; in messages.
  package var name: String
  /// Host of the institution, for domain-bound codes (`@host #123456`).
  package var host: String
  /// IANA name; "today" and slots are in this zone.
  package var timeZone: String
  package var documents: DocumentPolicy
  /// False leaves out the e-mail confirmation.
  package var emailRequired: Bool
  /// False asks for an agent only when a check could not decide.
  package var agentAlways: Bool
  package var minimumAge: Int
  /// Documents of Utopia (UTO) are specimens: only sandbox tenants take them.
  package var acceptsSpecimens: Bool
  /// Consents that registration needs.
  package var consents: [String]
  /// Members that registration needs beside the device, its platform and the phone number.
  package var registrationRequires: [RegistrationMember] = []
  /// Dialling prefixes that codes are sent to, such as `965`, or `all`; nil is what the installation serves.
  package var servedPrefixes: [String]?
  package var workingWeek: WorkingWeek
  /// Where calls are joined: `gatehouse` for the pages of this server; or an https address with `{room}` and, if
  /// wanted, `{role}` in it; nil where the institution telephones.
  package var callURL: String?
  package var holidays: [WireDate]
  /// Which countries issue no taxpayer numbers to individuals.
  package var tinTable = TINIssuingTable.standard
  /// Whether customers see the scores behind the verification rules.
  package var revealsScores: Bool
  /// Images of applications that came to nothing are deleted after this many days.
  package var retentionDays: Int
  /// How long whole files are kept.
  package var retention = Retention.standard
  /// Whether staff need a second factor to sign in. Those who have one are asked for it in any case.
  package var staffSecondFactor = false
  /// Texts that are sent a day; nil is as many as the installation allows a tenant.
  package var smsPerDay: Int?
  /// Whether two persons decide on a hit in a list (four eyes).
  package var screeningNeedsTwo = false
  /// Whether a hit that a change of a list brought stops an application that is under way, which its customer notices.
  package var screeningHitHolds = false
  /// Whether a verdict follows only a call that took place on the pages of this server.
  package var verdictNeedsCall = false
  /// Whether two persons decide after a call (four eyes).
  package var verdictsNeedTwo = false
  /// Whether the three selfies show the face straight, to the left and to the right, in a random order.
  package var asksLooks = false
  /// Whether two persons decide on the memberships of OneAssist (four eyes).
  package var membershipsNeedTwo = false
  /// The members that the file has; the others are the standard ones.
  package private(set) var stated: Set<String> = []

  package static let `default` = Tenant(
    id: "default", name: "Gatehouse Bank", host: "bank.example", timeZone: "UTC", documents: .standard,
    emailRequired: true, agentAlways: true, minimumAge: 18, acceptsSpecimens: true,
    consents: [], servedPrefixes: nil, workingWeek: WorkingWeek([1, 2, 3, 4, 5, 6, 7], .fullDay),
    callURL: CallAddress.here, holidays: [], revealsScores: false, retentionDays: 30)
}

extension Tenant {
  enum CodingKeys: String, CodingKey, CaseIterable {
    case id, name, host, documents, consents, holidays
    case registrationRequires = "registration_requires"
    case timeZone = "time_zone"
    case emailRequired = "email_required"
    case agentAlways = "agent_always"
    case minimumAge = "minimum_age"
    case acceptsSpecimens = "accepts_specimens"
    case servedPrefixes = "served_prefixes"
    case workingWeek = "working_week"
    case callURL = "call_url"
    case tinTable = "tin_table"
    case revealsScores = "reveals_scores"
    case retentionDays = "retention_days"
    case retention
    case staffSecondFactor = "staff_second_factor"
    case smsPerDay = "sms_per_day"
    case screeningNeedsTwo = "screening_four_eyes"
    case screeningHitHolds = "screening_hit_holds"
    case verdictNeedsCall = "verdict_needs_call"
    case verdictsNeedTwo = "verdict_four_eyes"
    case asksLooks = "selfie_looks"
    case membershipsNeedTwo = "membership_four_eyes"
  }

  /// Reads a tenant of the operator's file. Only `id`, `name`, `host` and `time_zone` are required. Unless the file says
  /// otherwise, specimens are refused, and registration needs an e-mail address and the consents of a careful bank.
  package init(from decoder: any Decoder) throws {
    let file = try decoder.container(keyedBy: CodingKeys.self)
    try MemberName.refuseOthers(than: CodingKeys.allCases.map(\.rawValue), in: decoder)
    let standard = Tenant.default
    let callURL = try file.decodeIfPresent(String.self, forKey: .callURL)
    self.init(
      id: try file.decode(String.self, forKey: .id), name: try file.decode(String.self, forKey: .name),
      host: try file.decode(String.self, forKey: .host), timeZone: try file.decode(String.self, forKey: .timeZone),
      documents: try file.decodeIfPresent(DocumentPolicy.self, forKey: .documents) ?? standard.documents,
      emailRequired: try file.decodeIfPresent(Bool.self, forKey: .emailRequired) ?? true,
      agentAlways: try file.decodeIfPresent(Bool.self, forKey: .agentAlways) ?? true,
      minimumAge: try file.decodeIfPresent(Int.self, forKey: .minimumAge) ?? standard.minimumAge,
      acceptsSpecimens: try file.decodeIfPresent(Bool.self, forKey: .acceptsSpecimens) ?? false,
      consents: try file.decodeIfPresent([String].self, forKey: .consents) ?? ["terms", "biometrics"],
      registrationRequires: try file.decodeIfPresent([RegistrationMember].self, forKey: .registrationRequires)
        ?? [.email],
      servedPrefixes: try file.decodeIfPresent([String].self, forKey: .servedPrefixes),
      workingWeek: try file.decodeIfPresent(WorkingWeek.self, forKey: .workingWeek) ?? standard.workingWeek,
      callURL: callURL,
      holidays: try file.decodeIfPresent([WireDate].self, forKey: .holidays) ?? [],
      tinTable: try file.decodeIfPresent(TINIssuingTable.self, forKey: .tinTable) ?? .standard,
      revealsScores: try file.decodeIfPresent(Bool.self, forKey: .revealsScores) ?? false,
      retentionDays: standard.retentionDays,
      retention: try file.decodeIfPresent(Retention.self, forKey: .retention) ?? .standard,
      staffSecondFactor: try file.decodeIfPresent(Bool.self, forKey: .staffSecondFactor) ?? true,
      smsPerDay: try file.decodeIfPresent(Int.self, forKey: .smsPerDay),
      screeningNeedsTwo: try file.decodeIfPresent(Bool.self, forKey: .screeningNeedsTwo) ?? false,
      screeningHitHolds: try file.decodeIfPresent(Bool.self, forKey: .screeningHitHolds) ?? false,
      verdictNeedsCall: try file.decodeIfPresent(Bool.self, forKey: .verdictNeedsCall)
        ?? (callURL == CallAddress.here),
      verdictsNeedTwo: try file.decodeIfPresent(Bool.self, forKey: .verdictsNeedTwo) ?? false,
      asksLooks: try file.decodeIfPresent(Bool.self, forKey: .asksLooks) ?? false,
      membershipsNeedTwo: try file.decodeIfPresent(Bool.self, forKey: .membershipsNeedTwo) ?? false)
    stated = Set(file.allKeys.map(\.stringValue))
    try checkNames(in: file)
    // Pictures go with their file at the latest.
    let keptMax = min(retention.unfinishedDays ?? .max, retention.rejectedDays ?? .max, 36_500)
    retentionDays =
      try file.decodeIfPresent(Int.self, forKey: .retentionDays) ?? min(standard.retentionDays, keptMax)
    try file.require(
      (1...keptMax).contains(retentionDays), .retentionDays,
      "at least one day, and no more than retention has for unfinished and rejected files")
    try file.require((0...120).contains(minimumAge), .minimumAge, "an age between 0 and 120 years")
    try file.require(smsPerDay ?? 1 >= 1, .smsPerDay, "at least one text a day")
    try file.require(
      callURL.map { $0 == CallAddress.here || CallAddress.isTemplate($0) } ?? true, .callURL,
      "gatehouse, or an https address with {room} in it")
    let names = DocumentPolicy.documents.map(\.rawValue).joined(separator: ", ")
    try file.require(
      documents.asksForDocuments, .documents,
      "any_of, all_of or both, with one set at least and no empty one, of \(names); leave documents out to take any one "
        + "of them")
    try file.require(
      !verdictNeedsCall || callURL == CallAddress.here, .verdictNeedsCall, "needs call_url to be gatehouse")
    try file.require(LocalTime(zone: timeZone) != nil, .timeZone, "this machine knows no time zone of that name")
  }

  private func checkNames(in file: KeyedDecodingContainer<CodingKeys>) throws {
    try file.require(Self.isID(id), .id, "1 to 64 characters of ASCII without blanks and / \\ ? # %")
    // Every message is written in these: with others none would be sent.
    do { _ = try messageSender } catch MessageSenderError.host {
      try file.require(false, .host, "the name of a host in ASCII with a dot in it, as bank.example")
    } catch {
      try file.require(false, .name, "1 to 60 characters of one line, without @ and #")
    }
  }
}

extension KeyedDecodingContainer<Tenant.CodingKeys> {
  /// - Throws: `DecodingError` that tells what a member has to be, where it is not.
  fileprivate func require(_ isSo: Bool, _ key: Key, _ rule: String) throws {
    guard isSo else { throw DecodingError.dataCorruptedError(forKey: key, in: self, debugDescription: rule) }
  }
}

extension Tenant {
  /// Whether calls are joined at an address of this machine, which customers and agents elsewhere do not reach.
  package var callsOwnMachine: Bool { callURL.map(CallAddress.isOwnMachine) ?? false }

  /// Whether a header and a part of an address may carry it as it is (RFC 9110 §5.5, RFC 3986 §3.3).
  private static func isID(_ id: String) -> Bool {
    (1...64).contains(id.utf8.count) && id != "." && id != ".."
      && id.utf8.allSatisfy { (0x21...0x7E).contains($0) && !"/\\?#%".utf8.contains($0) }
  }
}

/// The tenants of this installation.
package struct Tenants: Sendable {
  private let byID: [String: Tenant]

  /// - Precondition: one is called `default` or there is exactly one.
  package init(_ tenants: [Tenant]) {
    byID = Dictionary(tenants.map { ($0.id, $0) }) { first, _ in first }
  }

  /// The tenant of a request; without the header, the default one.
  /// - Throws: `Problem` not-found.
  package func find(_ id: String?) throws -> Tenant {
    guard let tenant = byID[id ?? Tenant.default.id] else {
      throw Problem(.notFound, "not-found", "There is no such tenant.")
    }
    return tenant
  }

  package var all: [Tenant] { byID.values.sorted { $0.id < $1.id } }
}

extension Tenant {
  /// The calendar of calls under this tenant's hours.
  /// - Throws: `Problem` unavailable when the machine knows no such time zone.
  func appointments(vault: Vault, world: World, mover: Mover) throws -> Appointments {
    guard let localTime = LocalTime(zone: timeZone) else { throw Problem.unavailable }
    let days = Set(holidays.compactMap { CalendarDate(year: $0.year, month: $0.month, day: $0.day) })
    return Appointments(
      policy: AppointmentPolicy(
        localTime: localTime, workingWeek: workingWeek, holidays: days, verdictNeedsCall: verdictNeedsCall),
      vault: vault, world: world, mover: mover)
  }
}
