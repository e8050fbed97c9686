// SPDX-License-Identifier: Apache-2.0

import Foundation
import Kit
import Storage
import Testing
import TestSupport

@testable import Identity

extension StaffTestApp {
  func enrolmentCode(for member: StaffMember) async throws -> String {
    try await database.write { [factors = staff.factors] in
      try factors.issueEnrolmentCode(for: member.id, by: "agent:boss", in: $0).text
    }
  }

  /// What an app shows, or showed, or will show.
  func code(_ secret: Data, steps: Int64 = 0) -> String {
    TimeCode.code(secret, step: TimeCode.step(at: clock.world.now()) + steps)
  }
}

extension StaffFactors.Confirmation {
  /// Nil when nothing was set up.
  var recoveryCodes: [String]? { if case .confirmed(let codes) = self { codes } else { nil } }
}

@Suite("Staff: setting an authenticator app up")
struct StaffEnrolmentTests {
  private let session = SessionFamily.ID(rawValue: "session-1")

  @Test("a member who is added with an enrolment code is there with it, or is not there")
  func added() async throws {
    let app = try await StaffTestApp()
    func add() async throws -> (member: StaffMember, code: StaffFactors.EnrolmentCode) {
      try await app.staff.addWithEnrolmentCode(
        NewStaffMember(
          tenant: "bank", email: "agent@example.com", name: "Noor Haddad", gender: .female, languages: ["ar"],
          permissions: [.readCustomers], password: StaffTestApp.password), by: "agent:boss")
    }
    try await app.database.write { _ = try $0.execute("ALTER TABLE staff_enrolment_code RENAME TO elsewhere") }
    await #expect(throws: SQLError.self) { _ = try await add() }
    #expect(try await app.staff.list(tenant: "bank").isEmpty)
    try await app.database.write { _ = try $0.execute("ALTER TABLE elsewhere RENAME TO staff_enrolment_code") }
    let (member, code) = try await add()
    #expect(try await app.lines(of: member.id.rawValue).map(\.action) == ["staff.added", "staff.enrolment_code_issued"])
    try await app.openSession(session.rawValue, of: member)
    let secret = Data(
      base32: try await app.staff.factors.enrolment(of: member, in: session, issuer: "Bank").secret)
    let confirmed = try await app.staff.factors.confirm(
      app.code(secret), enrolmentCode: code.text, of: member, in: session)
    #expect(confirmed.recoveryCodes != nil)
  }

  @Test("an app is set up with the last enrolment code only, which counts once, for its member and for seven days")
  func enrolmentCodes() async throws {
    let app = try await StaffTestApp()
    let (member, other) = (try await app.add(), try await app.add(email: "other@example.com"))
    let factors = app.staff.factors
    func confirm(_ enrolmentCode: String) async throws -> StaffFactors.Confirmation {
      let session = SessionFamily.ID(app.clock.world)
      try await app.openSession(session.rawValue, of: member)
      let secret = Data(base32: try await factors.enrolment(of: member, in: session, issuer: "Bank").secret)
      return try await factors.confirm(app.code(secret), enrolmentCode: enrolmentCode, of: member, in: session)
    }
    #expect(try await confirm("") == .refused)
    #expect(try await confirm(try await app.enrolmentCode(for: other)) == .refused)
    let late = try await app.enrolmentCode(for: member)
    app.clock.advance(.days(7))
    #expect(try await confirm(late) == .refused)
    let former = try await app.enrolmentCode(for: member)
    let last = try await app.enrolmentCode(for: member)
    #expect(try await confirm(former) == .refused)
    #expect(try await confirm(last.uppercased()).recoveryCodes != nil)
    // The reset gives another one.
    let next = try await app.database.write { try factors.reset(member.id, by: "agent:boss", in: $0).text }
    #expect(try await confirm(last) == .refused)
    #expect(try await confirm(next).recoveryCodes != nil)
    let lines = try await app.lines(of: member.id.rawValue).filter { $0.action == "staff.enrolment_code_issued" }
    #expect(lines.count == 4 && lines.allSatisfy { $0.actor == "agent:boss" })
  }

  @Test("five wrong enrolment codes lock for 15 minutes, even for the right one, and are audited")
  func enrolmentLock() async throws {
    let app = try await StaffTestApp()
    let member = try await app.add()
    let (factors, given) = (app.staff.factors, try await app.enrolmentCode(for: member))
    try await app.openSession("session-1", of: member)
    func confirm(_ enrolmentCode: String) async throws -> StaffFactors.Confirmation {
      let secret = Data(base32: try await factors.enrolment(of: member, in: session, issuer: "Bank").secret)
      return try await factors.confirm(
        app.code(secret), enrolmentCode: enrolmentCode, of: member, in: session, network: "192.0.2.0/24")
    }
    for _ in 1...5 { #expect(try await confirm("aaaaa-aaaaa") == .refused) }
    #expect(try await confirm(given) == .locked(retryAfter: .minutes(15)))
    #expect(try await factors.state(of: member.id).isEnrolled == false)
    let lines = try await app.lines(of: member.id.rawValue).filter { $0.action == "agent.locked_out" }
    #expect(lines.map(\.facts) == [["reason": "enrolment-code", "network": "192.0.2.0/24"]])
    app.clock.advance(.minutes(15))
    #expect(try await confirm(given).recoveryCodes != nil)
  }

  @Test("each session is shown a secret of its own, for ten minutes; another password voids it; each is audited")
  func secretsOfSessions() async throws {
    let app = try await StaffTestApp()
    let (member, factors) = (try await app.add(), app.staff.factors)
    let given = try await app.enrolmentCode(for: member)
    for id in ["session-1", "session-2"] { try await app.openSession(id, of: member) }
    func shown(in session: SessionFamily.ID) async throws -> Data {
      let enrolment = try await factors.enrolment(of: member, in: session, issuer: "Bank", network: "192.0.2.0/24")
      return Data(base32: enrolment.secret)
    }
    func confirm(_ secret: Data) async throws -> StaffFactors.Confirmation {
      try await factors.confirm(app.code(secret), enrolmentCode: given, of: member, in: session)
    }
    let stolen = try await shown(in: .init(rawValue: "session-2"))
    let first = try await shown(in: session)
    #expect(first != stolen)
    #expect(try await confirm(stolen) == .wrongCode)
    app.clock.advance(.minutes(10))
    #expect(try await confirm(first) == .wrongCode)
    let second = try await shown(in: session)
    try await app.staff.setPassword(
      "another horse entirely", of: member.id, by: member.actor, keeping: session)
    #expect(try await confirm(second) == .wrongCode)
    let third = try await shown(in: session)
    #expect(Set([stolen, first, second, third]).count == 4)
    #expect(try await confirm(third).recoveryCodes != nil)
    #expect(try await factors.prove(app.code(stolen, steps: 1), of: member) == .refused)
    let lines = try await app.lines(of: member.id.rawValue).filter { $0.action == "staff.authenticator_shown" }
    #expect(lines.map { $0.facts["session"] } == ["session-2", "session-1", "session-1", "session-1"])
    #expect(lines.allSatisfy { $0.facts["network"] == "192.0.2.0/24" })
  }

  @Test("what a node of the release before left unconfirmed does not count and does not hinder")
  func unconfirmed() async throws {
    let app = try await StaffTestApp()
    let member = try await app.add()
    let now = app.clock.world.now()
    try await app.database.write { tx in
      _ = try tx.execute(
        """
        INSERT INTO staff_authenticator (staff_id, sealed_secret, created_at)
        VALUES (\(member.id), \(Data([1])), \(now))
        """)
    }
    let factors = app.staff.factors
    try await app.openSession("session-1", of: member)
    #expect(try await !factors.state(of: member.id).isEnrolled)
    let secret = Data(base32: try await factors.enrolment(of: member, in: session, issuer: "Bank").secret)
    let outcome = try await factors.confirm(
      app.code(secret), enrolmentCode: try await app.enrolmentCode(for: member), of: member, in: session)
    #expect(outcome.recoveryCodes != nil)
    #expect(try await factors.prove(app.code(secret, steps: 1), of: member) == .accepted(by: "authenticator"))
  }

  @Test("an app that is set up ends every other session of the member")
  func otherSessions() async throws {
    let app = try await StaffTestApp()
    let member = try await app.add()
    for id in ["session-1", "session-2"] { try await app.openSession(id, of: member) }
    let secret = Data(base32: try await app.staff.factors.enrolment(of: member, in: session, issuer: "Bank").secret)
    let given = try await app.enrolmentCode(for: member)
    func confirm(_ enrolmentCode: String) async throws -> StaffFactors.Confirmation {
      try await app.staff.factors.confirm(
        app.code(secret), enrolmentCode: enrolmentCode, of: member, in: session)
    }
    #expect(try await confirm("aaaaa-aaaaa") == .refused)
    #expect(try await app.isOpen("session-2"))
    #expect(try await confirm(given).recoveryCodes != nil)
    #expect(try await app.isOpen("session-1"))
    #expect(try await !app.isOpen("session-2"))
  }

  @Test("secrets and enrolment codes that expired are deleted")
  func swept() async throws {
    let app = try await StaffTestApp()
    let member = try await app.add()
    _ = try await app.staff.factors.enrolment(of: member, in: session, issuer: "Bank")
    _ = try await app.enrolmentCode(for: member)
    func sweep() async throws -> Int {
      try await app.database.write { [staff = app.staff] in try staff.sweep(in: $0) }
    }
    #expect(try await sweep() == 0)
    app.clock.advance(.minutes(10))
    #expect(try await sweep() == 1)
    app.clock.advance(.days(7))
    #expect(try await sweep() == 1)
  }
}
