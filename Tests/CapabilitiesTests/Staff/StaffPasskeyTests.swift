// SPDX-License-Identifier: Apache-2.0

import Delivery
import Foundation
import Kit
import Storage
import Testing
import TestSupport

@testable import Identity

@Suite("Staff: a passkey alone")
struct StaffPasskeyTests {
  private static let webAuthn = WebAuthn(relyingParty: "localhost", origin: "http://localhost:8080")
  private static let network = "198.51.100.0/24"

  /// A member with a key, and the door.
  private struct Desk {
    let app: StaffTestApp
    let member: StaffMember
    var key: SoftwareAuthenticator
    let passkeys: StaffPasskeys

    /// - Parameters:
    ///   - registered: flags of the registration.
    ///   - counter: of the registration.
    init(_ app: StaffTestApp, registered: UInt8 = 0x05, counter: UInt32 = 1) async throws {
      var key = SoftwareAuthenticator()
      key.flags = registered
      let member = try await app.add()
      self.member = member
      passkeys = StaffPasskeys(app.staff, with: webAuthn, isInstitution: { $0 == member.tenant })
      let (client, attestation) = key.registration(Data(count: 32), counter: counter)
      key.flags = 0x05
      (self.app, self.key) = (app, key)
      let credential = try webAuthn.register(clientData: client, attestation: attestation, challenge: Data(count: 32))
      try await app.database.write { tx in
        try StaffKeyStore(tx).insert(credential, of: member.id, at: Instant(milliseconds: 1))
      }
    }

    func answer(
      _ question: StaffPasskeys.Question, counter: UInt32, user: String? = nil, with key: SoftwareAuthenticator? = nil
    ) throws -> StaffPasskeys.Answer {
      let key = key ?? self.key
      let (client, data, signature) = try key.assertion(question.challenge, counter: counter)
      return StaffPasskeys.Answer(
        .init(credential: key.id, clientData: client, authenticatorData: data, signature: signature),
        user: Data((user ?? member.id.rawValue).utf8), ticket: question.ticket)
    }

    /// How an answer ends: who came in, `refused` or `locked`.
    func come(
      _ answer: StaffPasskeys.Answer, browser: String = "browser-1", network: String? = StaffPasskeyTests.network
    ) async throws -> String {
      switch try await passkeys.complete(
        answer, browser: browser, network: network, enter: { member, _ in member.id.rawValue })
      {
      case .accepted(let member): member
      case .refused: "refused"
      case .locked: "locked"
      }
    }

    func come(counter: UInt32, user: String? = nil, with key: SoftwareAuthenticator? = nil) async throws -> String {
      try await come(answer(try passkeys.question(for: "browser-1"), counter: counter, user: user, with: key))
    }

    func reasons() async throws -> [String] {
      try await app.lines(of: member.id.rawValue).filter { $0.action == "agent.sign_in_failed" }
        .compactMap { $0.facts["reason"] }
    }
  }

  @Test("it lets its member in by one answer to a challenge, in the browser that was asked, for five minutes")
  func challenges() async throws {
    let desk = try await Desk(try await StaffTestApp())
    let question = try desk.passkeys.question(for: "browser-1")
    #expect(try await desk.come(try desk.answer(question, counter: 2)) == desk.member.id.rawValue)
    #expect(try await desk.come(try desk.answer(question, counter: 3)) == "refused")
    let other = try desk.passkeys.question(for: "browser-2")
    #expect(try await desk.come(try desk.answer(other, counter: 3)) == "refused")
    let late = try desk.passkeys.question(for: "browser-1")
    desk.app.clock.advance(.minutes(5))
    #expect(try await desk.come(try desk.answer(late, counter: 3)) == "refused")
    #expect(try await desk.reasons() == Array(repeating: "key-challenge", count: 3))
    #expect(try await desk.come(counter: 3) == desk.member.id.rawValue)
    // What no answer can come to any more is swept.
    desk.app.clock.advance(.minutes(5) + World.clocksApartMax)
    let left = try await desk.app.database.write { [staff = desk.app.staff] tx in
      _ = try staff.sweep(in: tx)
      return try tx.first("SELECT COUNT(*) AS n FROM staff_spent_challenge")?.get("n", as: Int.self)
    }
    #expect(left == 0)
  }

  @Test("an answer counts once, also where a node whose clock is half a minute ahead forgets what is over")
  func clocksApart() async throws {
    let app = try await StaffTestApp()
    // A passkey that several devices have does not count.
    let desk = try await Desk(app, counter: 0)
    let answer = try desk.answer(try desk.passkeys.question(for: "browser-1"), counter: 0)
    #expect(try await desk.come(answer) == desk.member.id.rawValue)
    app.clock.advance(.seconds(270))
    let ahead = World(now: { [clock = app.clock] in clock.world.now() + .seconds(30) }, random: app.clock.world.random)
    let other = Staff(
      core: CoreDependencies(database: app.database, world: ahead, vault: app.vault, blobs: app.core.blobs),
      threads: BlockingThreadPool("test", width: 1), cost: StaffTestApp.cheap)
    try await app.database.write { _ = try other.sweep(in: $0) }
    #expect(try await desk.come(answer) == "refused")
    #expect(try await desk.reasons() == ["key-challenge"])
  }

  @Test("whom the authenticator did not check, another site, another user and an old counter are refused")
  func refused() async throws {
    let desk = try await Desk(try await StaffTestApp())
    func changed(_ change: (inout SoftwareAuthenticator) -> Void) -> SoftwareAuthenticator {
      var key = desk.key
      change(&key)
      return key
    }
    #expect(try await desk.come(counter: 2, with: changed { $0.flags = 0x01 }) == "refused")
    #expect(try await desk.come(counter: 2, with: changed { $0.origin = "https://evil.example" }) == "refused")
    #expect(try await desk.come(counter: 2, with: changed { $0.relyingParty = "evil.example" }) == "refused")
    #expect(try await desk.come(counter: 2, user: "another") == "refused")
    #expect(try await desk.come(counter: 2) == desk.member.id.rawValue)
    #expect(try await desk.come(counter: 2) == "refused")
    #expect(
      try await desk.reasons() == ["key-not-verified", "key-origin", "key-relying-party", "key-user", "key-counter"])
  }

  @Test("five wrong answers lock the member's keys and codes for a quarter of an hour")
  func locked() async throws {
    let desk = try await Desk(try await StaffTestApp())
    for _ in 1...5 { #expect(try await desk.come(counter: 2, user: "another") == "refused") }
    #expect(try await desk.come(counter: 2) == "locked")
    #expect(try await desk.app.staff.factors.prove("000000", of: desk.member) != .refused)
    #expect(try await desk.app.lines(of: desk.member.id.rawValue).contains { $0.action == "agent.locked_out" })
    desk.app.clock.advance(.minutes(15))
    #expect(try await desk.come(counter: 2) == desk.member.id.rawValue)
  }

  @Test("an unknown key is refused and audited, and one network answers thirty times in five minutes")
  func strangers() async throws {
    let desk = try await Desk(try await StaffTestApp())
    var stranger = SoftwareAuthenticator(id: Data("another".utf8))
    stranger.flags = 0x05
    for _ in 1...30 { #expect(try await desk.come(counter: 2, with: stranger) == "refused") }
    let limited = await #expect(throws: Problem.self) { _ = try await desk.come(counter: 2) }
    #expect(limited?.category == .rateLimited)
    let lines = try await desk.app.lines(of: Staff.unknownChain)
    #expect(lines.count == 30 && lines.allSatisfy { $0.facts == ["reason": "key-unknown", "network": Self.network] })
  }

  @Test("it counts where a password of the member does: not when suspended, not by a provider alone, not after a reset")
  func standing() async throws {
    let app = try await StaffTestApp()
    let desk = try await Desk(app)
    try await app.database.write { [staff = app.staff, member = desk.member] in
      try staff.setActive(false, of: member.id, by: "boss", in: $0)
    }
    #expect(try await desk.come(counter: 2) == "refused")
    try await app.database.write { [staff = app.staff, member = desk.member] in
      try staff.setActive(true, of: member.id, by: "boss", in: $0)
    }
    let withoutPasswords = Staff(
      core: app.core, threads: BlockingThreadPool("test", width: 1), cost: StaffTestApp.cheap,
      withoutPasswords: ["bank"])
    for door in [
      StaffPasskeys(withoutPasswords, with: Self.webAuthn, isInstitution: { _ in true }),
      // Of an institution that is in the settings no more.
      StaffPasskeys(app.staff, with: Self.webAuthn, isInstitution: { _ in false }),
    ] {
      let outcome = try await door.complete(
        try desk.answer(try door.question(for: "browser-1"), counter: 2), browser: "browser-1", network: nil,
        enter: { member, _ in member.id })
      guard case .refused = outcome else { throw Problem.notFound }
    }
    try await app.database.write { [staff = app.staff, member = desk.member] in
      try staff.voidPassword(of: member.id, in: $0)
    }
    #expect(try await desk.come(counter: 2) == "refused")
    try await app.staff.setPassword("amaurot has many streets", of: desk.member.id, by: "boss")
    #expect(try await desk.come(counter: 2) == desk.member.id.rawValue)
    #expect(try await desk.reasons() == ["inactive", "password-off", "password-off", "password-off"])
  }

  @Test("a key that checked no person when it was added stays a second factor: who finds it could give it a first PIN")
  func foundKey() async throws {
    let desk = try await Desk(try await StaffTestApp(), registered: 0x01)
    #expect(try await desk.come(counter: 2) == "refused")
    #expect(try await desk.reasons() == ["key-second-factor"])
    let session = SessionFamily.ID(rawValue: "session-1")
    let challenge = try await desk.app.staff.factors.challenge(for: .assertion, in: session)
    let (client, data, signature) = try desk.key.assertion(challenge, counter: 2)
    let proof = try await desk.app.staff.factors.prove(
      .init(credential: desk.key.id, clientData: client, authenticatorData: data, signature: signature),
      of: desk.member, in: session, with: Self.webAuthn)
    #expect(proof == .accepted(by: "security-key"))
    #expect(try await desk.come(counter: 3) == "refused")
  }

  @Test("keys of before the migration stay second factors")
  func before() async throws {
    let desk = try await Desk(try await StaffTestApp())
    try await desk.app.database.write { [member = desk.member] tx in
      _ = try tx.execute(
        """
        INSERT INTO staff_key (credential, staff_id, public_key, sign_count, created_at)
        SELECT 'b2xk', staff_id, public_key, sign_count, created_at FROM staff_key WHERE staff_id = \(member.id)
        """)
    }
    let keys = try await desk.app.staff.factors.state(of: desk.member.id).keys
    #expect(keys.map { $0.credential.isVerified }.sorted { $0 && !$1 } == [true, false])
  }
}
