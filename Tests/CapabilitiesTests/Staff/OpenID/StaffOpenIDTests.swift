// SPDX-License-Identifier: Apache-2.0

import Delivery
import Foundation
import Kit
import Storage
import Testing
import TestSupport

@testable import Identity

@Suite("Staff: signing in by an identity provider")
struct StaffOpenIDTests {
  @Test("a new member is what the provider says, and is the same one at the next sign-in")
  func accepted() async throws {
    let bank = try await OpenIDTestApp()
    let member = try #require(try await bank.signIn().member)
    #expect(member.tenant == "bank" && member.email == "new@bank.example" && member.name == "Noor Haddad")
    #expect(member.gender == .female && member.languages == ["ar"] && member.roles == [.agent])
    #expect(try await bank.lines(member.id.rawValue) == ["staff.added by openid"])
    #expect(try await !bank.app.staff.hasPassword(member))
    // A new address at the provider is the same person.
    let again = try await bank.signIn(.init(email: "married@bank.example"))
    #expect(again == .accepted(member, factor: nil))
    // Metadata and keys were read once.
    #expect(bank.provider.count("/.well-known/openid-configuration") == 1 && bank.provider.count("/keys") == 1)
    // No password is right for a member without one.
    for password in ["", "openid", "none", StaffTestApp.password] {
      #expect(try await bank.app.signIn(password, email: member.email) == .refused)
    }
  }

  struct Attack: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let refusal: OpenIDRefusal
    let script: @Sendable (inout PlayedProvider.Script) -> Void

    init(
      _ description: String, _ refusal: OpenIDRefusal,
      _ script: @escaping @Sendable (inout PlayedProvider.Script) -> Void
    ) {
      (testDescription, self.refusal, self.script) = (description, refusal, script)
    }

    static func claim(_ description: String, _ refusal: OpenIDRefusal, _ name: String, _ value: some Sendable)
      -> Attack
    {
      Attack(description, refusal) { $0.edit = { $0[name] = value } }
    }

    static let all: [Attack] = [
      claim("another nonce", .nonce, "nonce", "another"),
      Attack("no nonce", .nonce) { $0.edit = { $0["nonce"] = nil } },
      claim("another audience", .audience, "aud", "other"),
      claim("several audiences without a party", .audience, "aud", ["gatehouse", "other"]),
      claim("another party", .audience, "azp", "other"),
      claim("another issuer", .issuer, "iss", "https://login.evil.example"),
      claim("an issuer with a slash more", .issuer, "iss", "\(PlayedProvider.issuer)/"),
      Attack("expired", .expired) { $0.edit = { $0["exp"] = (($0["iat"] as? Int) ?? 0) - 61 } },
      Attack("not yet", .expired) { $0.edit = { $0["nbf"] = (($0["iat"] as? Int) ?? 0) + 120 } },
      Attack("issued long ago", .expired) { $0.edit = { $0["iat"] = (($0["iat"] as? Int) ?? 0) - 3600 } },
      Attack("issued tomorrow", .expired) { $0.edit = { $0["iat"] = (($0["iat"] as? Int) ?? 0) + 86_400 } },
      Attack("an expiry that is a text", .token) { $0.edit = { $0["exp"] = "9999999999" } },
      Attack("no subject", .token) { $0.edit = { $0["sub"] = nil } },
      claim("an empty subject", .token, "sub", ""),
      Attack("alg none", .signature) { $0.signer = .none },
      Attack("HS256 with the public key", .signature) { $0.signer = .hs256WithPublicKey },
      Attack("a stranger's key", .signature) { $0.signer = .stranger },
      Attack("an elliptic signature by the name of an RSA key", .signature) { $0.signer = .es256 },
      Attack("a key that is not published", .signature) { $0.keyID = "rsa-9" },
      Attack("no key named where two could be meant", .signature) {
        ($0.keyID, $0.published) = (nil, ["rsa-1", "rsa-2"])
      },
      Attack("a code of another client", .code) { $0.codeClient = "other" },
      Attack("no answer", .provider) { $0.isDown = true },
      claim("no role that is known", .roles, "roles", ["visitors"]),
      claim("roles that are no texts", .roles, "roles", [1]),
      claim("an address that is not verified", .claims, "email_verified", false),
      claim("no address at all", .claims, "email", "not an address"),
      Attack("no gender, and none to take instead", .claims) { $0.edit = { $0["gender"] = nil } },
    ]
  }

  @Test("refused, and no member is made", arguments: Attack.all)
  func refused(_ attack: Attack) async throws {
    let bank = try await OpenIDTestApp()
    let (address, ticket) = try await bank.begin()
    bank.script(attack.script)
    let (code, state) = try bank.provider.authorize(address)
    #expect(try await bank.complete(code, state, ticket) == .refused(attack.refusal))
    #expect(try await bank.app.staff.list(tenant: "bank").isEmpty)
    #expect(try await bank.lines(Staff.unknownChain) == ["agent.sign_in_failed by system"])
    // The same provider without the fault lets the person in.
    bank.script { $0 = .init() }
    #expect(try await bank.signIn().member != nil)
  }

  @Test(
    "RS256, PS256 and ES256 are taken",
    arguments: [
      (.rs256, "rsa-1"), (.ps256, "rsa-1"), (.es256, "ec-1"), (.es256, nil), (.rs256, nil),
    ] as [(PlayedProvider.Signer, String?)])
  func algorithms(signer: PlayedProvider.Signer, key: String?) async throws {
    let bank = try await OpenIDTestApp()
    bank.script { ($0.signer, $0.keyID) = (signer, key) }
    #expect(try await bank.signIn().member != nil)
  }

  @Test("a state counts once, for one browser, one institution and ten minutes")
  func states() async throws {
    let bank = try await OpenIDTestApp()
    func begin() async throws -> (code: String, state: String, ticket: String) {
      let (address, ticket) = try await bank.begin()
      let (code, state) = try bank.provider.authorize(address)
      return (code, state, ticket)
    }
    let first = try await begin()
    #expect(try await bank.complete(first.code, first.state, nil) == .refused(.state))
    #expect(try await bank.complete(first.code, first.state, "AAAA") == .refused(.state))
    #expect(try await bank.complete(first.code, "", first.ticket) == .refused(.state))
    let other = try await begin()
    #expect(try await bank.complete(first.code, first.state, other.ticket) == .refused(.state))
    #expect(try await bank.complete(first.code, first.state, first.ticket).member != nil)
    // Replayed, with a fresh code of the same person too.
    #expect(try await bank.complete(first.code, first.state, first.ticket) == .refused(.state))
    #expect(try await bank.complete(other.code, first.state, first.ticket) == .refused(.state))
    // A code that was stolen and put into another browser's sign-in has another verifier.
    let thief = try await begin()
    #expect(try await bank.complete(other.code, thief.state, thief.ticket) == .refused(.code))
    let denied = try await begin()
    #expect(try await bank.complete(nil, denied.state, denied.ticket) == .refused(.denied))
    let late = try await begin()
    bank.app.clock.advance(StaffOpenID.lifetime)
    #expect(try await bank.complete(late.code, late.state, late.ticket) == .refused(.state))
    // What cannot come again is forgotten.
    bank.app.clock.advance(World.clocksApartMax)
    #expect(try await bank.app.database.write { try bank.app.staff.sweep(in: $0) } >= 3)
  }

  @Test("an answer of another issuer is refused, and a missing one where the provider names itself (RFC 9207)")
  func issuers() async throws {
    let bank = try await OpenIDTestApp()
    bank.script { $0.metadata = { $0["authorization_response_iss_parameter_supported"] = true } }
    for (issuer, isRight) in [(nil, false), ("https://evil.example", false), (PlayedProvider.issuer, true)] {
      let (address, ticket) = try await bank.begin()
      let (code, state) = try bank.provider.authorize(address)
      let outcome = try await bank.complete(code, state, ticket, issuer: issuer)
      #expect((outcome.member != nil) == isRight && (isRight || outcome == .refused(.issuer)))
    }
  }

  @Test(
    "metadata of another issuer, or with an address that is not called, is refused",
    arguments: [
      ("issuer", "https://login.evil.example"), ("token_endpoint", "http://login.bank.example/token"),
      ("jwks_uri", "https://localhost/keys"), ("authorization_endpoint", "javascript:alert(1)"),
      ("token_endpoint", "https://user@login.bank.example/token"), ("end_session_endpoint", "https://127.1/leave"),
    ])
  func metadata(name: String, value: String) async throws {
    let bank = try await OpenIDTestApp()
    bank.script { $0.metadata = { $0[name] = value } }
    await #expect(throws: Problem.unavailable) {
      _ = try await bank.begin()
    }
  }

  @Test("who comes at once shares a call for the metadata, and a provider that failed is asked again after a pause")
  func calls() async throws {
    let bank = try await OpenIDTestApp()
    let (provider, openID) = (bank.provider, bank.openID)
    func count() -> Int { provider.count("/.well-known/openid-configuration") }
    @Sendable func begin() async -> Bool {
      (try? await openID.begin(tenant: "bank", redirect: OpenIDTestApp.redirect, network: nil)) != nil
    }
    bank.script { $0.isDown = true }
    for _ in 0..<3 { #expect(await !begin()) }
    #expect(count() == 1)
    bank.script { $0.isDown = false }
    #expect(await !begin())
    bank.app.clock.advance(OpenIDClient.failurePause)
    let begun = await withTaskGroup(of: Bool.self) { group in
      for _ in 0..<20 { group.addTask { await begin() } }
      return await group.reduce(into: 0) { if $1 { $0 += 1 } }
    }
    #expect(begun == 20 && count() == 2)
  }

  @Test("one network begins sixty sign-ins in five minutes, and another one is not held up by it")
  func begins() async throws {
    let bank = try await OpenIDTestApp()
    for _ in 0..<60 { _ = try await bank.begin(from: "198.51.100.0/24") }
    let refusal = try await #require(throws: Problem.self) { try await bank.begin(from: "198.51.100.0/24") }
    #expect(refusal.category == .rateLimited)
    _ = try await bank.begin(from: "203.0.113.0/24")
    bank.app.clock.advance(.minutes(5))
    _ = try await bank.begin(from: "198.51.100.0/24")
  }

  @Test("a key that the provider began to use is read at once, and invented ids are read for once a minute")
  func rotation() async throws {
    let bank = try await OpenIDTestApp()
    bank.script { ($0.published, $0.keyID) = (["rsa-1"], "rsa-1") }
    _ = try await bank.signIn()
    bank.script { ($0.published, $0.keyID) = (["rsa-2"], "rsa-2") }
    #expect(try await bank.signIn().member != nil)
    #expect(bank.provider.count("/keys") == 2)
    bank.script { $0.keyID = "rsa-3" }
    for _ in 0..<3 { #expect(try await bank.signIn() == .refused(.signature)) }
    #expect(bank.provider.count("/keys") == 2)
    bank.app.clock.advance(OpenIDClient.rereadPause)
    for _ in 0..<3 { #expect(try await bank.signIn() == .refused(.signature)) }
    #expect(bank.provider.count("/keys") == 3)
    bank.app.clock.advance(OpenIDClient.lifetime)
    bank.script { $0.keyID = "rsa-2" }
    #expect(try await bank.signIn().member != nil)
    #expect(bank.provider.count("/keys") == 4 && bank.provider.count("/.well-known/openid-configuration") == 2)
  }

  @Test("a member is never taken for who they are by the e-mail address, but by an operator's word")
  func addresses() async throws {
    let bank = try await OpenIDTestApp()
    let member = try await bank.app.add()
    let account = PlayedProvider.Account(email: member.email)
    #expect(try await bank.signIn(account) == .refused(.known))
    try await bank.openID.join("subject-1", to: member, by: "operator")
    #expect(try await bank.signIn(account).member?.id == member.id)
    await #expect(throws: Problem.self) { try await bank.openID.join("subject-1", to: member, by: "operator") }
    // Another person to whom the provider gave the address later.
    #expect(try await bank.signIn(.init(subject: "subject-2", email: member.email)) == .refused(.known))
    #expect(try await bank.lines(member.id.rawValue).contains("staff.openid_joined by operator"))
  }

  @Test("roles follow the claim, and who is suspended stays so")
  func roles() async throws {
    let bank = try await OpenIDTestApp { $0.rolesClaim = "realm.access" }
    bank.script { $0.edit = { $0["realm"] = ["access": ["agents", "admins", "others"]] } }
    let member = try #require(try await bank.signIn().member)
    #expect(member.roles == [.agent, .administrator])
    bank.script { $0.edit = { $0["realm"] = ["access": "agents"] } }
    #expect(try await bank.signIn().member?.roles == [.agent])
    bank.script { $0.edit = { $0["realm"] = ["access": [String]()] } }
    #expect(try await bank.signIn() == .refused(.roles))
    #expect(try await bank.app.staff.find(member.id).permissions.isEmpty)
    bank.script { $0.edit = { $0["realm"] = ["access": ["control"]] } }
    let controller = try #require(try await bank.signIn().member)
    #expect(controller.roles == [.teller, .controller] && controller.permissions == [.postMoney, .approveMoney])
    try await bank.app.database.write { try bank.app.staff.setActive(false, of: member.id, by: "operator", in: $0) }
    bank.script { $0.edit = { $0["realm"] = ["access": "admins"] } }
    #expect(try await bank.signIn() == .refused(.inactive))
    #expect(try await bank.app.staff.find(member.id).permissions == controller.permissions)
    #expect(
      try await bank.lines(member.id.rawValue) == [
        "staff.added by openid", "staff.permissions_set by openid", "staff.permissions_set by openid",
        "agent.sign_in_failed by system", "staff.permissions_set by openid", "staff.suspended by operator",
        "agent.sign_in_failed by system",
      ])
  }

  @Test("a member whom the provider gives no role any more has no permission and no session left")
  func lastRole() async throws {
    let bank = try await OpenIDTestApp()
    let member = try await bank.app.add(permissions: [.manageStaff, .approveMoney])
    try await bank.openID.join("subject-1", to: member, by: "operator")
    try await bank.app.openSession("session-1", of: member)
    bank.script { $0.edit = { $0["roles"] = ["visitors"] } }
    for _ in 0..<2 { #expect(try await bank.signIn() == .refused(.roles)) }
    #expect(try await !bank.app.isOpen("session-1"))
    // The password of before is right, and opens nothing.
    let now = try await bank.app.staff.find(member.id)
    #expect(now.permissions.isEmpty)
    #expect(try await bank.app.signIn() == .accepted(now))
    // The second time there was nothing to take.
    let lines = try await bank.lines(member.id.rawValue)
    #expect(lines.filter { $0.hasSuffix("by openid") } == ["staff.permissions_set by openid"])
  }

  @Test("a second factor of the provider counts where the settings say so, by its method")
  func factors() async throws {
    func factor(_ factor: OpenIDProvider.SecondFactor, _ methods: [String]) async throws -> String? {
      let bank = try await OpenIDTestApp { $0.secondFactor = factor }
      bank.script { $0.edit = { $0["amr"] = methods } }
      guard case .accepted(_, let proved) = try await bank.signIn() else { return "refused" }
      return proved
    }
    #expect(try await factor(.own, ["mfa"]) == nil)
    #expect(try await factor(.provider(methods: []), []) == "openid")
    #expect(try await factor(.provider(methods: ["mfa", "hwk"]), ["pwd", "hwk"]) == "openid")
    #expect(try await factor(.provider(methods: ["mfa", "hwk"]), ["pwd"]) == nil)
  }

  @Test("where passwords are off, the right one is refused, and the audit says why")
  func passwordsOff() async throws {
    let app = try await StaffTestApp()
    let member = try await app.add()
    let staff = Staff(
      core: app.core, threads: BlockingThreadPool("test", width: 1), cost: StaffTestApp.cheap,
      withoutPasswords: ["bank"])
    #expect(
      try await staff.authenticate(email: member.email, password: StaffTestApp.password, tenant: "bank") == .refused)
    let facts = try await app.database.read { try AuditStore($0).lines(of: member.id.rawValue).last?.facts["reason"] }
    #expect(facts == "password-off")
    #expect(try await !staff.hasPassword(member))
    #expect(try await app.signIn() == .accepted(member))
    #expect(try await app.staff.hasPassword(member))
  }

  @Test("a token with a member twice is refused, in header, claims and keys, however the name is spelt")
  func repeated() throws {
    func token(_ header: String) throws -> OpenIDToken {
      try OpenIDToken("\(Data(header.utf8).base64URL).\(Data("{}".utf8).base64URL).\(Data([1]).base64URL)")
    }
    #expect(try token(#"{"alg":"RS256","kid":"1"}"#).algorithm == .rs256)
    for header in [
      #"{"alg":"RS256","alg":"none"}"#, #"{"alg":"ES256","\u0061lg":"RS256"}"#, #"{"alg":"RS256","kid":"1","kid":"2"}"#,
      #"{"alg":"RS256","jwk":{"kty":"RSA","kty":"EC"}}"#,
    ] {
      #expect(throws: OpenIDRefusal.token) { try token(header) }
    }
    let claims = #""sub":"s","aud":"a","exp":2,"iat":1"#
    #expect(OpenIDClaims(Data(#"{"iss":"i",\#(claims)}"#.utf8)) != nil)
    for members in [
      #""iss":"i","iss":"j""#, #""iss":"i","\u0069ss":"i""#, #""iss":"i","sub":"t""#,
      #""iss":"i","realm":{"roles":[],"roles":["admin"]}"#,
    ] {
      #expect(OpenIDClaims(Data("{\(members),\(claims)}".utf8)) == nil, "\(members)")
    }
    #expect(OpenIDKeySet(Data(#"{"keys":[]}"#.utf8)) != nil)
    #expect(OpenIDKeySet(Data(#"{"keys":[],"keys":[]}"#.utf8)) == nil)
  }

  @Test("no text is a token, and none ends the program")
  func noise() {
    let bytes = SeededBytes(28)
    for length in 0..<600 {
      let noise = Data(bytes.next(length)).base64URL
      for text in [noise, "\(noise).\(noise)", "eyJhbGciOiJSUzI1NiJ9.\(noise).\(noise)", "\(noise).e30.AA"] {
        _ = try? OpenIDToken(text)
      }
      #expect(OpenIDClaims(Data(bytes.next(length))) == nil)
      #expect(OpenIDKeySet(Data(bytes.next(length))) == nil)
    }
  }
}
