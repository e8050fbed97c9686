// SPDX-License-Identifier: Apache-2.0

import Foundation
import Identity
import Kit
import Storage
import TestSupport
import Testing

@Suite("Passcodes: asking for a code")
struct PasscodeRequestTests {
  @Test("the first answer says what the specification's example says")
  func example() async throws {
    let request = try await PasscodeTestApp().request()
    #expect(request.expiresIn == .seconds(300))
    #expect(request.resendIn == .seconds(60))
    #expect(request.sendsLeft == 4)
    #expect(request.codeLength == 6)
    let mail = try await PasscodeTestApp().request(PasscodeTestApp.binding(.email, to: "a@example.com"))
    #expect(mail.expiresIn == .seconds(600))
  }

  @Test("sends are 60, 120, 240 and 240 seconds apart, to the millisecond")
  func spacing() async throws {
    let app = try await PasscodeTestApp()
    #expect(try await app.request().resendIn == .seconds(60))
    for (gap, next) in [(60, 120), (120, 240), (240, 240)] {
      app.clock.advance(.seconds(gap) - .milliseconds(1))
      let refusal = try await app.refusal()
      #expect(refusal?.code == "rate-limited")
      #expect(refusal?.retryAfterSeconds == 1)
      app.clock.advance(.milliseconds(1))
      #expect(try await app.request().resendIn == .seconds(next))
    }
  }

  @Test("five an hour: the sixth waits for the first to be an hour old")
  func hourly() async throws {
    let app = try await PasscodeTestApp()
    var left: [Int] = []
    for gap in [0, 240, 240, 240, 240] {
      app.clock.advance(.seconds(gap))
      left.append(try await app.request().sendsLeft)
    }
    #expect(left == [4, 3, 2, 1, 0])
    // 960 s have passed.
    app.clock.advance(.seconds(2640) - .milliseconds(1))
    #expect(try await app.refusal()?.code == "rate-limited")
    app.clock.advance(.milliseconds(1))
    #expect(try await app.refusal() == nil)
  }

  @Test("ten a day for one destination, whichever customers ask")
  func daily() async throws {
    let app = try await PasscodeTestApp()
    for number in 0..<10 {
      #expect(try await app.refusal(PasscodeTestApp.binding(subject: "customer-\(number)")) == nil)
      app.clock.advance(.hours(2))
    }
    // The tenth was two hours ago; the first leaves the day in four.
    let refusal = try await app.refusal(PasscodeTestApp.binding(subject: "somebody-else"))
    #expect(refusal?.code == "rate-limited")
    #expect(refusal?.retryAfterSeconds == 4 * 3600)
    #expect(try await app.refusal(PasscodeTestApp.binding(to: "+96550009999", subject: "somebody-else")) == nil)
    app.clock.advance(.hours(4))
    #expect(try await app.refusal(PasscodeTestApp.binding(subject: "somebody-else")) == nil)
  }

  @Test("addresses that differ in case only are one destination")
  func caseOfAddress() async throws {
    let app = try await PasscodeTestApp()
    #expect(try await app.refusal(PasscodeTestApp.binding(.email, to: "Anna@Example.com")) == nil)
    let again = PasscodeTestApp.binding(.email, to: "anna@example.com", subject: "customer-2")
    #expect(try await app.refusal(again)?.code == "rate-limited")
  }

  @Test("of eight requests at once for one destination one is granted")
  func race() async throws {
    let app = try await PasscodeTestApp()
    let granted = try await withThrowingTaskGroup(of: Bool.self) { group in
      for number in 0..<8 {
        group.addTask { try await app.refusal(PasscodeTestApp.binding(subject: "customer-\(number)")) == nil }
      }
      return try await group.reduce(0) { $0 + ($1 ? 1 : 0) }
    }
    #expect(granted == 1)
  }

  @Test("a resend voids the older code at once, before the newer one is made")
  func resendVoids() async throws {
    let app = try await PasscodeTestApp()
    let old = try await app.send()
    app.clock.advance(.seconds(60))
    let request = try await app.request()
    #expect(try await app.check(old) == PasscodeOutcome.none)
    let new = try #require(try await app.issue(request))
    if old != new { #expect(try await app.check(old) == .refused(attemptsLeft: 4)) }
    #expect(try await app.check(new) == .accepted)
  }

  @Test("issuing again for the same request gives the same code, as a message sent twice must, and no new tries")
  func reissue() async throws {
    let app = try await PasscodeTestApp()
    let request = try await app.request()
    let first = try #require(try await app.issue(request))
    #expect(try await app.check(PasscodeTestApp.other(than: first)) == .refused(attemptsLeft: 4))
    let second = try #require(try await app.issue(request))
    #expect(second == first)
    #expect(try await app.check(PasscodeTestApp.other(than: first)) == .refused(attemptsLeft: 3))
    #expect(try await app.check(second) == .accepted)
  }

  @Test("no code is made for a request that was replaced, used, voided, too old, or for another destination")
  func notIssued() async throws {
    let app = try await PasscodeTestApp()
    let replaced = try await app.request()
    app.clock.advance(.seconds(60))
    let used = try await app.request()
    #expect(try await app.issue(replaced) == nil)
    #expect(try await app.issue(used, to: "+96550009999") == nil)
    let code = try #require(try await app.issue(used))
    #expect(try await app.check(code) == .accepted)
    #expect(try await app.issue(used) == nil)

    app.clock.advance(.hours(1))
    let old = try await app.request()
    app.clock.advance(.minutes(30))
    #expect(try await app.issue(old) == nil)

    let voided = try await app.request()
    try await app.database.write { [passcodes = app.passcodes] in
      try passcodes.void(.sms, subject: "customer-1", purpose: "confirm-contact", in: $0)
    }
    #expect(try await app.issue(voided) == nil)
  }

  @Test("neither code nor destination is anywhere in the database's files")
  func digestOnly() async throws {
    let app = try await PasscodeTestApp()
    let code = try await app.send()
    #expect(try await app.check(PasscodeTestApp.other(than: code)) == .refused(attemptsLeft: 4))
    let row = try #require(
      try await app.database.read { try $0.first("SELECT code_digest, destination_digest FROM passcode") })
    #expect(try row.get("code_digest", as: String.self).count == 64)
    let cells = try await app.database.read { tx in
      try tx.query("SELECT id, subject, purpose, state FROM passcode").map { row in
        try ["id", "subject", "purpose", "state"].map { try row.get($0, as: String.self) }.joined(separator: "|")
      } + tx.query("SELECT name FROM passcode_guard").map { try $0.get("name", as: String.self) }
    }
    #expect(!cells.contains { $0.contains("50001234") })
    let bytes = try await app.store.bytesOnDisk()
    #expect(bytes.range(of: Data("50001234".utf8)) == nil, "the number is there")
    // Six digits may stand in a digest by chance, so a code counts as found where no digit or letter is beside it.
    #expect(!Self.holds(code, in: bytes), "the code is there")
  }

  @Test(
    "codes are uniform over their range, leading zeros included",
    .enabled(if: Engine.current == .sqlite, "How a code is drawn does not depend on the engine."))
  func uniform() async throws {
    let app = try await PasscodeTestApp()
    // A request has one code, however often it is issued: so many codes are so many requests.
    let codes = try await app.database.write { [passcodes = app.passcodes] tx in
      try (0..<4000).compactMap { number in
        let binding = PasscodeTestApp.binding(to: "+9655\(1_000_000 + number)", subject: "customer-\(number)")
        return try passcodes.issue(passcodes.request(binding, in: tx).id, to: binding.destination, in: tx)?.code
      }
    }
    #expect(codes.count == 4000)
    #expect(codes.allSatisfy { $0.utf8.count == 6 && $0.allSatisfy(\.isASCII) && $0.allSatisfy(\.isNumber) })
    // Chi-square per position over ten digits: 9 degrees of freedom, 50 is beyond one in ten million.
    for position in 0..<6 {
      var counts = Array(repeating: 0, count: 10)
      for code in codes { counts[Int(Array(code.utf8)[position]) - 48] += 1 }
      let chiSquare = counts.reduce(0.0) { $0 + (Double($1) - 400) * (Double($1) - 400) / 400 }
      #expect(chiSquare < 50, "position \(position): \(counts)")
    }
  }

  @Test("sweeping forgets what no rule looks at, and nothing else")
  func sweep() async throws {
    let app = try await PasscodeTestApp()
    let code = try await app.send()
    _ = try await app.check(PasscodeTestApp.other(than: code))
    app.clock.advance(.hours(24) - .milliseconds(1))
    #expect(try await app.sweep() == 0)
    app.clock.advance(.milliseconds(1))
    // One passcode, one send, one wrong try, and the two guards.
    #expect(try await app.sweep() == 5)
    #expect(try await app.sweep() == 0)
  }

  private static func holds(_ code: String, in bytes: Data) -> Bool {
    var from = bytes.startIndex
    while let found = bytes.range(of: Data(code.utf8), in: from..<bytes.endIndex) {
      let before = found.lowerBound > bytes.startIndex ? bytes[found.lowerBound - 1] : 0
      let after = found.upperBound < bytes.endIndex ? bytes[found.upperBound] : 0
      let isWord = { (byte: UInt8) in (48...57).contains(byte) || (97...122).contains(byte) }
      if !isWord(before) && !isWord(after) { return true }
      from = found.lowerBound + 1
    }
    return false
  }
}
