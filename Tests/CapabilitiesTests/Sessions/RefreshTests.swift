// SPDX-License-Identifier: Apache-2.0

import Foundation
import Kit
import Storage
import Testing
import TestSupport

@testable import Identity

@Suite("Sessions: refresh tokens (4. rotation, 10 s grace, reuse → family dead, expired, other device)")
struct RefreshTests {
  @Test("each refresh gives another token of 256 bits with the system's prefix", arguments: Engine.available)
  func rotation(engine: Engine) async throws {
    let app = try await SessionsTestApp(engine)
    let (family, first) = try await app.open()
    var tokens = [first]
    for _ in 0..<5 {
      tokens.append(try #require(try await app.refresh(tokens[tokens.count - 1]).token))
      app.clock.advance(by: .minutes(1))
    }
    #expect(Set(tokens).count == tokens.count)
    for token in tokens {
      #expect(token.hasPrefix("tr_") && Data(base64URL: String(token.dropFirst(3)))?.count == 32)
    }
    #expect(try await app.refusal(of: family) == nil)
  }

  @Test("no token is kept in clear", arguments: Engine.available)
  func hashed(engine: Engine) async throws {
    let app = try await SessionsTestApp(engine)
    let (_, first) = try await app.open()
    let second = try #require(try await app.refresh(first).token)
    let bytes = try await app.made.bytesOnDisk()
    for token in [first, second, String(first.dropFirst(3)), String(second.dropFirst(3))] {
      #expect(bytes.range(of: Data(token.utf8)) == nil)
    }
    #expect(bytes.range(of: Data(tokenDigest(second).utf8)) != nil)
  }

  @Test(
    "a spent token gets the same successor again for ten seconds, and not a millisecond longer",
    arguments: Engine.available)
  func grace(engine: Engine) async throws {
    let app = try await SessionsTestApp(engine)
    let (family, first) = try await app.open()
    let second = try await app.refresh(first)
    for _ in 0..<3 { #expect(try await app.refresh(first) == second) }
    app.clock.advance(by: .seconds(10))
    #expect(try await app.refresh(first) == second)
    app.clock.advance(by: .milliseconds(1))
    #expect(try await app.refresh(first) == .reused)
    #expect(try await app.refusal(of: family) == "token-revoked")
  }

  @Test("within the grace a spent token is a reuse once its successor was used", arguments: Engine.available)
  func graceAfterSuccessor(engine: Engine) async throws {
    let app = try await SessionsTestApp(engine)
    let (family, first) = try await app.open()
    let second = try #require(try await app.refresh(first).token)
    let third = try #require(try await app.refresh(second).token)
    #expect(try await app.refresh(first) == .reused)
    #expect(try await app.refusal(of: family) == "token-revoked")
    #expect(try await app.refresh(third) == .refused("refresh-reused"))
  }

  @Test("a reuse ends the family for good: every token of it is refused as reused", arguments: Engine.available)
  func reuse(engine: Engine) async throws {
    let app = try await SessionsTestApp(engine)
    let (family, first) = try await app.open()
    let second = try #require(try await app.refresh(first).token)
    app.clock.advance(by: .seconds(11))
    #expect(try await app.refresh(first) == .reused)
    for token in [first, second] { #expect(try await app.refresh(token) == .refused("refresh-reused")) }
    #expect(try await app.refusal(of: family) == "token-revoked")
  }

  @Test("a reuse is written into the customer's audit chain, once", arguments: Engine.available)
  func audited(engine: Engine) async throws {
    let app = try await SessionsTestApp(engine)
    let (family, first) = try await app.open()
    _ = try await app.refresh(first)
    app.clock.advance(by: .seconds(11))
    for _ in 0..<3 { _ = try await app.refresh(first) }
    let lines = try await app.database.read { [customer = app.customer] in try AuditStore($0).lines(of: customer) }
    #expect(lines.map(\.action) == ["security.refresh_reuse"])
    #expect(lines.first?.facts == ["family": family.id.rawValue])
  }

  @Test("a reuse in one family leaves the subject's other families alone", arguments: Engine.available)
  func otherFamily(engine: Engine) async throws {
    let app = try await SessionsTestApp(engine)
    let (_, first) = try await app.open()
    let (bystander, token) = try await app.open(device: "tablet")
    _ = try await app.refresh(first)
    app.clock.advance(by: .seconds(11))
    #expect(try await app.refresh(first) == .reused)
    #expect(try await app.refusal(of: bystander) == nil)
    #expect(try await app.refresh(token, device: "tablet").token != nil)
  }

  @Test("a token lives 30 days unused, and each rotation renews that", arguments: Engine.available)
  func idle(engine: Engine) async throws {
    let app = try await SessionsTestApp(engine)
    let (_, first) = try await app.open()
    app.clock.advance(by: .days(30) - .milliseconds(1))
    let second = try #require(try await app.refresh(first).token)
    app.clock.advance(by: .days(30) - .milliseconds(1))
    let third = try #require(try await app.refresh(second).token)
    app.clock.advance(by: .days(30))
    #expect(try await app.refresh(third) == .refused("refresh-expired"))
  }

  @Test("no rotation carries a family beyond 90 days", arguments: Engine.available)
  func absolute(engine: Engine) async throws {
    let app = try await SessionsTestApp(engine)
    let start = app.clock.now
    let (family, first) = try await app.open()
    var token = first
    for day in [20, 40, 60, 80] {
      app.clock.set(start + .days(day))
      token = try #require(try await app.refresh(token).token)
    }
    app.clock.set(start + .days(90) - .milliseconds(1))
    #expect(try await app.refusal(of: family) == nil)
    token = try #require(try await app.refresh(token).token)
    app.clock.set(start + .days(90))
    #expect(try await app.refresh(token) == .refused("refresh-expired"))
    #expect(try await app.refusal(of: family) == "token-revoked")
  }

  @Test("a spent token that comes back after its idle life still ends the family", arguments: Engine.available)
  func reuseOfOutlived(engine: Engine) async throws {
    let app = try await SessionsTestApp(engine)
    let (family, first) = try await app.open()
    app.clock.advance(by: .days(20))
    let second = try #require(try await app.refresh(first).token)
    app.clock.advance(by: .days(15))
    #expect(try await app.refresh(first) == .reused)
    #expect(try await app.refresh(second) == .refused("refresh-reused"))
    #expect(try await app.refusal(of: family) == "token-revoked")
  }

  @Test(
    "another device, tenant, audience or an unknown token is refused alike, and harms nothing",
    arguments: Engine.available)
  func foreign(engine: Engine) async throws {
    let app = try await SessionsTestApp(engine)
    let (family, first) = try await app.open()
    let invalid = SessionsTestApp.Answer.refused("refresh-invalid")
    #expect(try await app.refresh(first, device: "thief") == invalid)
    #expect(try await app.refresh(first, tenant: "other") == invalid)
    for token in [
      "", "tr_", first + "x", String(first.dropLast()), String(first.dropFirst(3)), "ag_" + first.dropFirst(3),
    ] {
      #expect(try await app.refresh(token) == invalid)
    }
    #expect(try await app.refusal(of: family) == nil)
    #expect(try await app.refresh(first).token != nil)
  }

  @Test("a family is rotated ten times a minute and no more", arguments: Engine.available)
  func limited(engine: Engine) async throws {
    let app = try await SessionsTestApp(engine)
    var token = try await app.open().token
    for _ in 0..<10 { token = try #require(try await app.refresh(token).token) }
    #expect(try await app.refresh(token) == .refused("rate-limited"))
    app.clock.advance(by: .minutes(1))
    #expect(try await app.refresh(token).token != nil)
  }
}
