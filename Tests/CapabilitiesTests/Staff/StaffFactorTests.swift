// SPDX-License-Identifier: Apache-2.0

import Foundation
import Kit
import Storage
import Testing
import TestSupport

@testable import Identity

@Suite("Staff: the second factor")
struct StaffFactorTests {
  /// Appendix B of RFC 6238 has eight digits; six digits are the last six of them.
  @Test(
    "the codes of RFC 6238, appendix B, for SHA-1",
    arguments: [
      (59, "94287082"), (1_111_111_109, "07081804"), (1_111_111_111, "14050471"), (1_234_567_890, "89005924"),
      (2_000_000_000, "69279037"), (20_000_000_000, "65353130"),
    ] as [(Int64, String)])
  func published(seconds: Int64, code: String) {
    let step = TimeCode.step(at: Instant(milliseconds: seconds * 1000))
    #expect(TimeCode.code(Data("12345678901234567890".utf8), step: step) == code.suffix(6))
  }

  private let session = SessionFamily.ID(rawValue: "session-1")

  /// A member whose app was set up by the code of the time step before.
  private func enrolled(_ app: StaffTestApp) async throws -> (member: StaffMember, secret: Data, codes: [String]) {
    let member = try await app.add()
    try await app.openSession("session-1", of: member)
    let enrolment = try await app.staff.factors.enrolment(of: member, in: session, issuer: "Bank")
    // Asked again in the same session, the app learns the same secret.
    #expect(
      try await app.staff.factors.enrolment(of: member, in: session, issuer: "Bank").secret == enrolment.secret)
    #expect(enrolment.address.hasPrefix("otpauth://totp/Bank:agent%40example.com?secret=\(enrolment.secret)&"))
    let secret = Data(base32: enrolment.secret)
    #expect(try await app.staff.factors.state(of: member.id).isEnrolled == false)
    let outcome = try await app.staff.factors.confirm(
      app.code(secret, steps: -1), enrolmentCode: try await app.enrolmentCode(for: member), of: member, in: session)
    return (member, secret, try #require(outcome.recoveryCodes))
  }

  @Test("an app is set up by a code of it, and that code signs in no more")
  func enrolment() async throws {
    let app = try await StaffTestApp()
    let member = try await app.add()
    try await app.openSession("session-1", of: member)
    let factors = app.staff.factors
    let secret = Data(base32: try await factors.enrolment(of: member, in: session, issuer: "Bank").secret)
    // Before it is confirmed, nothing is accepted.
    #expect(try await factors.prove(app.code(secret), of: member) == .refused)
    let given = try await app.enrolmentCode(for: member)
    func confirm(_ code: String) async throws -> StaffFactors.Confirmation {
      try await factors.confirm(code, enrolmentCode: given, of: member, in: session)
    }
    // A wrong code of the app leaves the enrolment code as it is.
    #expect(try await confirm(app.code(secret, steps: 5)) == .wrongCode)
    let now = app.code(secret)
    let codes = try #require(try await confirm(now).recoveryCodes)
    #expect(Set(codes).count == StaffFactors.recoveryCodeCount)
    #expect(codes.allSatisfy { $0.wholeMatch(of: /[a-z2-7]{5}-[a-z2-7]{5}/) != nil })
    #expect(try await factors.state(of: member.id) == .init(hasAuthenticator: true, recoveryCodesLeft: 10, keys: []))
    #expect(try await factors.prove(now, of: member) == .refused)
    await #expect(throws: Problem.self) { try await factors.enrolment(of: member, in: session, issuer: "Bank") }
    await #expect(throws: Problem.self) { _ = try await confirm(now) }
  }

  @Test("a code counts once, within one step of now, and no older one after it")
  func replay() async throws {
    let app = try await StaffTestApp()
    let (member, secret, _) = try await enrolled(app)
    let factors = app.staff.factors
    #expect(try await factors.prove(app.code(secret, steps: 2), of: member) == .refused)
    #expect(try await factors.prove(app.code(secret, steps: 1), of: member) == .accepted(by: "authenticator"))
    #expect(try await factors.prove(app.code(secret, steps: 1), of: member) == .refused)
    #expect(try await factors.prove(app.code(secret), of: member) == .refused)
    app.clock.advance(.seconds(60))
    #expect(try await factors.prove(app.code(secret), of: member) == .accepted(by: "authenticator"))
  }

  @Test("of ten uses of one code at once one is accepted")
  func race() async throws {
    let app = try await StaffTestApp()
    let (member, secret, _) = try await enrolled(app)
    let (factors, code) = (app.staff.factors, app.code(secret))
    let accepted = try await withThrowingTaskGroup(of: Bool.self) { group in
      for _ in 0..<10 {
        group.addTask { try await factors.prove(code, of: member) == .accepted(by: "authenticator") }
      }
      return try await group.reduce(0) { $0 + ($1 ? 1 : 0) }
    }
    #expect(accepted == 1)
  }

  @Test("a right code that was used before is refused, and counts for no lock, as wrong ones do")
  func usedBefore() async throws {
    let app = try await StaffTestApp()
    let (member, secret, _) = try await enrolled(app)
    let (factors, used) = (app.staff.factors, app.code(secret))
    #expect(try await factors.prove(used, of: member) == .accepted(by: "authenticator"))
    for _ in 1...4 { #expect(try await factors.prove("000000", of: member) == .refused) }
    for _ in 1...8 { #expect(try await factors.prove(used, of: member) == .refused) }
    let reasons = try await app.lines(of: member.id.rawValue).filter { $0.action == "agent.sign_in_failed" }
      .map { $0.facts["reason"] }
    #expect(reasons == Array(repeating: "factor", count: 4) + Array(repeating: "code-used", count: 8))
    #expect(try await !app.lines(of: member.id.rawValue).map(\.action).contains("agent.locked_out"))
    // The four wrong ones still count.
    #expect(try await factors.prove("000000", of: member) == .refused)
    #expect(try await factors.prove(app.code(secret, steps: 1), of: member) == .locked(retryAfter: .minutes(15)))
  }

  @Test("a recovery code counts once, in any case, and not for another member")
  func recovery() async throws {
    let app = try await StaffTestApp()
    let (member, _, codes) = try await enrolled(app)
    let factors = app.staff.factors
    let other = try await app.add(email: "other@example.com")
    #expect(try await factors.prove(codes[0], of: other) == .refused)
    #expect(try await factors.prove(codes[0].uppercased(), of: member) == .accepted(by: "recovery-code"))
    #expect(try await factors.prove(codes[0], of: member) == .refused)
    let plain = codes[1].replacing("-", with: "")
    #expect(try await factors.prove(plain, of: member) == .accepted(by: "recovery-code"))
    #expect(try await factors.state(of: member.id).recoveryCodesLeft == 8)
  }

  @Test("five wrong codes lock the factor for 15 minutes, even for the right one, and are audited with the network")
  func locked() async throws {
    let app = try await StaffTestApp()
    let (member, secret, codes) = try await enrolled(app)
    let factors = app.staff.factors
    for _ in 1...5 { #expect(try await factors.prove("000000", of: member, network: "192.0.2.0/24") == .refused) }
    #expect(try await factors.prove(app.code(secret), of: member) == .locked(retryAfter: .minutes(15)))
    #expect(try await factors.prove(codes[0], of: member) == .locked(retryAfter: .minutes(15)))
    app.clock.advance(.minutes(15))
    #expect(try await factors.prove(app.code(secret), of: member) == .accepted(by: "authenticator"))
    let lines = try await app.lines(of: member.id.rawValue).filter { $0.action.hasPrefix("agent.") }
    #expect(
      lines.map(\.action)
        == Array(repeating: "agent.sign_in_failed", count: 5) + ["agent.locked_out"]
        + Array(repeating: "agent.sign_in_failed", count: 2))
    #expect(lines[0].facts == ["reason": "factor", "network": "192.0.2.0/24"])
  }

  /// As many wrong codes as are given, five in a quarter of an hour.
  private func guess(_ count: Int, _ member: StaffMember, _ app: StaffTestApp) async throws -> StaffFactors.Proof {
    var last = StaffFactors.Proof.refused
    for number in 0..<count {
      if number % 5 == 0 { app.clock.advance(.minutes(15)) }
      last = try await app.staff.factors.prove("000000", of: member, network: "192.0.2.0/24")
    }
    return last
  }

  @Test("fifty wrong codes over hours lock the app for good; a recovery code lets the member in and counts anew")
  func lockedForGood() async throws {
    let app = try await StaffTestApp()
    let (member, secret, codes) = try await enrolled(app)
    let factors = app.staff.factors
    #expect(try await guess(49, member, app) == .refused)
    app.clock.advance(.minutes(15))
    // A right code before the last wrong one forgives them.
    #expect(try await factors.prove(app.code(secret), of: member) == .accepted(by: "authenticator"))
    #expect(try await guess(50, member, app) == .appLocked)
    #expect(try await factors.state(of: member.id).isAppLocked)
    app.clock.advance(.minutes(15))
    #expect(try await factors.prove(app.code(secret), of: member) == .appLocked)
    let lines = try await app.lines(of: member.id.rawValue)
    let locked = lines.filter { $0.action == "staff.authenticator_locked" }
    #expect(locked.map(\.facts) == [["codes": "50", "network": "192.0.2.0/24"]] && locked[0].actor == "system")
    #expect(lines.last?.facts["reason"] == "authenticator-locked")

    #expect(try await factors.prove(codes[0], of: member) == .accepted(by: "recovery-code"))
    #expect(try await !factors.state(of: member.id).isAppLocked)
    app.clock.advance(.seconds(60))
    #expect(try await factors.prove(app.code(secret), of: member) == .accepted(by: "authenticator"))
  }

  @Test("a reset unlocks: the next app begins with no wrong code")
  func lockedAndReset() async throws {
    let app = try await StaffTestApp()
    let (member, _, _) = try await enrolled(app)
    #expect(try await guess(50, member, app) == .appLocked)
    let factors = app.staff.factors
    let code = try await app.database.write { try factors.reset(member.id, by: "agent:boss", in: $0).text }
    app.clock.advance(.minutes(15))
    try await app.openSession("session-2", of: member)
    let second = SessionFamily.ID(rawValue: "session-2")
    let secret = Data(base32: try await factors.enrolment(of: member, in: second, issuer: "Bank").secret)
    let outcome = try await factors.confirm(
      app.code(secret, steps: -1), enrolmentCode: code, of: member, in: second)
    #expect(outcome.recoveryCodes?.count == StaffFactors.recoveryCodeCount)
    #expect(try await factors.prove(app.code(secret), of: member) == .accepted(by: "authenticator"))
  }

  @Test("a reset takes app, codes and sessions away, and is audited")
  func reset() async throws {
    let app = try await StaffTestApp()
    let (member, secret, codes) = try await enrolled(app)
    _ = try await app.database.write { [staff = app.staff] in
      try staff.factors.reset(member.id, by: "agent:boss", in: $0)
    }
    #expect(try await app.staff.factors.state(of: member.id).isEnrolled == false)
    #expect(try await app.staff.factors.prove(app.code(secret), of: member) == .refused)
    #expect(try await app.staff.factors.prove(codes[0], of: member) == .refused)
    let line = try #require(try await app.lines(of: member.id.rawValue).first { $0.action == "staff.factors_reset" })
    #expect(line.actor == "agent:boss")
    let enrolment = try await app.staff.factors.enrolment(of: member, in: session, issuer: "Bank")
    #expect(Data(base32: enrolment.secret) != secret)
  }

  @Test("secrets, recovery codes and enrolment codes are nowhere in the database's files")
  func sealed() async throws {
    let app = try await StaffTestApp()
    let (_, secret, codes) = try await enrolled(app)
    let other = try await app.add(email: "other@example.com")
    let shown = Data(base32: try await app.staff.factors.enrolment(of: other, in: session, issuer: "Bank").secret)
    let enrolmentCode = try await app.enrolmentCode(for: other)
    let bytes = try await app.store.bytesOnDisk()
    for secret in [secret, shown] { #expect(bytes.range(of: secret) == nil) }
    for code in codes + [enrolmentCode] {
      for text in [code, code.replacing("-", with: "")] { #expect(bytes.range(of: Data(text.utf8)) == nil, "\(code)") }
    }
  }
}
