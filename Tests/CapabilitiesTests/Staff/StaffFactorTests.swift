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

  /// A member whose app was set up by the code of the time step before.
  private func enrolled(_ app: StaffTestApp) async throws -> (member: StaffMember, secret: Data, codes: [String]) {
    let member = try await app.add()
    let enrolment = try await app.staff.factors.enrolment(of: member, issuer: "Bank")
    // Asked again, the app learns the same secret.
    #expect(try await app.staff.factors.enrolment(of: member, issuer: "Bank").secret == enrolment.secret)
    #expect(enrolment.address.hasPrefix("otpauth://totp/Bank:agent%40example.com?secret=\(enrolment.secret)&"))
    let secret = Self.bytes(base32: enrolment.secret)
    #expect(try await app.staff.factors.state(of: member.id).isEnrolled == false)
    let first = code(secret, app, steps: -1)
    let codes = try #require(try await app.staff.factors.confirm(first, of: member))
    return (member, secret, codes)
  }

  private static func bytes(base32 text: String) -> Data {
    let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZ234567")
    var (buffer, bits, bytes) = (0, 0, Data())
    for letter in text {
      buffer = buffer << 5 | (alphabet.firstIndex(of: letter) ?? 0)
      bits += 5
      guard bits >= 8 else { continue }
      bits -= 8
      bytes.append(UInt8(buffer >> bits & 0xff))
      buffer &= (1 << bits) - 1
    }
    return bytes
  }

  private func code(_ secret: Data, _ app: StaffTestApp, steps: Int64 = 0) -> String {
    TimeCode.code(secret, step: TimeCode.step(at: app.clock.world.now()) + steps)
  }

  @Test("an app is set up by a code of it, and that code signs in no more")
  func enrolment() async throws {
    let app = try await StaffTestApp()
    let member = try await app.add()
    let factors = app.staff.factors
    let secret = Self.bytes(base32: try await factors.enrolment(of: member, issuer: "Bank").secret)
    // Before it is confirmed, nothing is accepted.
    #expect(try await factors.prove(code(secret, app), of: member) == .refused)
    #expect(try await factors.confirm(code(secret, app, steps: 5), of: member) == nil)
    let now = code(secret, app)
    let codes = try #require(try await factors.confirm(now, of: member))
    #expect(Set(codes).count == StaffFactors.recoveryCodeCount)
    #expect(codes.allSatisfy { $0.wholeMatch(of: /[a-z2-7]{5}-[a-z2-7]{5}/) != nil })
    #expect(try await factors.state(of: member.id) == .init(hasAuthenticator: true, recoveryCodesLeft: 10, keys: []))
    #expect(try await factors.prove(now, of: member) == .refused)
    await #expect(throws: Problem.self) { try await factors.enrolment(of: member, issuer: "Bank") }
    await #expect(throws: Problem.self) { _ = try await factors.confirm(now, of: member) }
  }

  @Test("a code counts once, within one step of now, and no older one after it")
  func replay() async throws {
    let app = try await StaffTestApp()
    let (member, secret, _) = try await enrolled(app)
    let factors = app.staff.factors
    #expect(try await factors.prove(code(secret, app, steps: 2), of: member) == .refused)
    #expect(try await factors.prove(code(secret, app, steps: 1), of: member) == .accepted(by: "authenticator"))
    #expect(try await factors.prove(code(secret, app, steps: 1), of: member) == .refused)
    #expect(try await factors.prove(code(secret, app), of: member) == .refused)
    app.clock.advance(.seconds(60))
    #expect(try await factors.prove(code(secret, app), of: member) == .accepted(by: "authenticator"))
  }

  @Test("of ten uses of one code at once one is accepted")
  func race() async throws {
    let app = try await StaffTestApp()
    let (member, secret, _) = try await enrolled(app)
    let (factors, code) = (app.staff.factors, code(secret, app))
    let accepted = try await withThrowingTaskGroup(of: Bool.self) { group in
      for _ in 0..<10 {
        group.addTask { try await factors.prove(code, of: member) == .accepted(by: "authenticator") }
      }
      return try await group.reduce(0) { $0 + ($1 ? 1 : 0) }
    }
    #expect(accepted == 1)
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
    #expect(try await factors.prove(code(secret, app), of: member) == .locked(retryAfter: .minutes(15)))
    #expect(try await factors.prove(codes[0], of: member) == .locked(retryAfter: .minutes(15)))
    app.clock.advance(.minutes(15))
    #expect(try await factors.prove(code(secret, app), of: member) == .accepted(by: "authenticator"))
    let lines = try await app.lines(of: member.id.rawValue).filter { $0.action.hasPrefix("agent.") }
    #expect(
      lines.map(\.action)
        == Array(repeating: "agent.sign_in_failed", count: 5) + ["agent.locked_out"]
        + Array(repeating: "agent.sign_in_failed", count: 2))
    #expect(lines[0].facts == ["reason": "factor", "network": "192.0.2.0/24"])
  }

  @Test("a reset takes app, codes and sessions away, and is audited")
  func reset() async throws {
    let app = try await StaffTestApp()
    let (member, secret, codes) = try await enrolled(app)
    try await app.database.write { [staff = app.staff] in
      try staff.factors.reset(member.id, by: "agent:boss", in: $0)
    }
    #expect(try await app.staff.factors.state(of: member.id).isEnrolled == false)
    #expect(try await app.staff.factors.prove(code(secret, app), of: member) == .refused)
    #expect(try await app.staff.factors.prove(codes[0], of: member) == .refused)
    let line = try #require(try await app.lines(of: member.id.rawValue).first { $0.action == "staff.factors_reset" })
    #expect(line.actor == "agent:boss")
    let enrolment = try await app.staff.factors.enrolment(of: member, issuer: "Bank")
    #expect(Self.bytes(base32: enrolment.secret) != secret)
  }

  @Test("the secret and the recovery codes are nowhere in the database's files")
  func sealed() async throws {
    let app = try await StaffTestApp()
    let (_, secret, codes) = try await enrolled(app)
    let bytes = try await app.store.bytesOnDisk()
    #expect(bytes.range(of: secret) == nil)
    for code in codes { #expect(bytes.range(of: Data(code.utf8)) == nil, "\(code)") }
  }
}

@Suite("Staff: security keys")
struct StaffKeyTests {
  private let webAuthn = WebAuthn(relyingParty: "localhost", origin: "http://localhost:8080")
  private let session = SessionFamily.ID(rawValue: "session-1")

  private func member(_ app: StaffTestApp, _ email: String = "agent@example.com") async throws -> StaffMember {
    let member = try await app.add(email: email)
    // As set up long ago.
    try await app.database.write { tx in
      try StaffFactorStore(tx).begin(member.id, sealed: Data([1]), at: Instant(milliseconds: 0))
      _ = try StaffFactorStore(tx).confirm(member.id, step: 1, at: Instant(milliseconds: 1))
    }
    return member
  }

  private func register(
    _ authenticator: SoftwareAuthenticator, _ member: StaffMember, _ app: StaffTestApp
  ) async throws {
    let factors = app.staff.factors
    let (client, attestation) = authenticator.registration(
      try await factors.challenge(for: .registration, in: session))
    try await factors.register(
      clientData: client, attestation: attestation, of: member, in: session, with: webAuthn)
  }

  @Test("a key is registered once, for members who have an app")
  func registration() async throws {
    let app = try await StaffTestApp()
    let authenticator = SoftwareAuthenticator()
    let bare = try await app.add(email: "bare@example.com")
    await #expect(throws: Problem.self) { try await register(authenticator, bare, app) }
    let member = try await self.member(app)
    try await register(authenticator, member, app)
    #expect(try await app.staff.factors.state(of: member.id).keys.map(\.credential.id) == [authenticator.id])
    let again = await #expect(throws: Problem.self) { try await register(authenticator, member, app) }
    #expect(again?.code == "security-key-exists")
    #expect(try await app.lines(of: member.id.rawValue).map(\.action) == ["staff.added", "staff.key_added"])
  }

  @Test("a challenge counts once, for its session and ceremony, and for five minutes")
  func challenges() async throws {
    let app = try await StaffTestApp()
    let (factors, authenticator) = (app.staff.factors, SoftwareAuthenticator())
    let member = try await self.member(app)
    try await register(authenticator, member, app)
    func prove(
      _ challenge: Data, counter: UInt32, in session: SessionFamily.ID? = nil
    ) async throws -> StaffFactors.Proof {
      let (client, data, signature) = try authenticator.assertion(challenge, counter: counter)
      return try await factors.prove(
        .init(credential: authenticator.id, clientData: client, authenticatorData: data, signature: signature),
        of: member, in: session ?? self.session, with: webAuthn)
    }
    let first = try await factors.challenge(for: .assertion, in: session)
    #expect(try await prove(first, counter: 2, in: .init(rawValue: "session-2")) == .refused)
    #expect(try await prove(first, counter: 2) == .accepted(by: "security-key"))
    #expect(try await prove(first, counter: 3) == .refused)
    let wrong = try await factors.challenge(for: .registration, in: session)
    #expect(try await prove(wrong, counter: 3) == .refused)
    let late = try await factors.challenge(for: .assertion, in: session)
    app.clock.advance(.minutes(5))
    #expect(try await prove(late, counter: 3) == .refused)
    // An old counter is a clone's.
    let cloned = try await factors.challenge(for: .assertion, in: session)
    #expect(try await prove(cloned, counter: 2) == .refused)
    let reasons = try await app.lines(of: member.id.rawValue).compactMap { $0.facts["reason"] }
    #expect(reasons.last == "key-counter")
    app.clock.advance(.minutes(15))
    #expect(try await prove(try await factors.challenge(for: .assertion, in: session), counter: 3) != .refused)
  }

  @Test("another member's key is refused")
  func foreign() async throws {
    let app = try await StaffTestApp()
    let (factors, authenticator) = (app.staff.factors, SoftwareAuthenticator())
    try await register(authenticator, try await member(app), app)
    let other = try await member(app, "other@example.com")
    let (client, data, signature) = try authenticator.assertion(
      try await factors.challenge(for: .assertion, in: session), counter: 2)
    #expect(
      try await factors.prove(
        .init(credential: authenticator.id, clientData: client, authenticatorData: data, signature: signature),
        of: other, in: session, with: webAuthn) == .refused)
  }
}
