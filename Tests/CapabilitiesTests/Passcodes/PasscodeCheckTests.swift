// SPDX-License-Identifier: Apache-2.0

import Identity
import Kit
import Testing

@Suite("Passcodes: trying a code")
struct PasscodeCheckTests {
  @Test("the right code is accepted once")
  func accepted() async throws {
    let app = try await PasscodeTestApp()
    let code = try await app.send()
    #expect(try await app.check(code) == .accepted)
    #expect(try await app.check(code) == PasscodeOutcome.none)
  }

  @Test(
    "a code lives until the instant of its expiry and not at it",
    arguments: [(PasscodeChannel.sms, Duration.minutes(5)), (.email, .minutes(10))])
  func expiry(channel: PasscodeChannel, lifetime: Duration) async throws {
    let binding = PasscodeTestApp.binding(channel, to: "a@example.com")
    for (age, outcome) in [(lifetime - .milliseconds(1), PasscodeOutcome.accepted), (lifetime, .expired)] {
      let app = try await PasscodeTestApp()
      let code = try await app.send(binding)
      app.clock.advance(age)
      #expect(try await app.check(code, binding) == outcome)
    }
  }

  @Test("four wrong tries leave one, and the right code still counts in it")
  func lastTry() async throws {
    let app = try await PasscodeTestApp()
    let code = try await app.send()
    for left in [4, 3, 2, 1] {
      #expect(try await app.check(PasscodeTestApp.other(than: code)) == .refused(attemptsLeft: left))
    }
    #expect(try await app.check(code) == .accepted)
  }

  @Test("the fifth wrong try voids the code")
  func exhausted() async throws {
    let app = try await PasscodeTestApp()
    let code = try await app.send()
    for _ in 1...4 { _ = try await app.check(PasscodeTestApp.other(than: code)) }
    #expect(try await app.check(PasscodeTestApp.other(than: code)) == .refused(attemptsLeft: 0))
    #expect(try await app.check(code) == PasscodeOutcome.none)
  }

  @Test("all tries are left before the message leaves, none once the code is void, has expired or was never asked for")
  func attemptsLeft() async throws {
    let app = try await PasscodeTestApp()
    #expect(try await app.attemptsLeft() == 0)
    let request = try await app.request()
    #expect(try await app.check("000000") == PasscodeOutcome.none)
    #expect(try await app.attemptsLeft() == 5)
    let code = try #require(try await app.issue(request))
    for left in [4, 3, 2, 1, 0] {
      _ = try await app.check(PasscodeTestApp.other(than: code))
      #expect(try await app.attemptsLeft() == left)
    }
    app.clock.advance(.minutes(2))
    _ = try await app.send()
    #expect(try await app.attemptsLeft() == 5)
    app.clock.advance(.minutes(5))
    #expect(try await app.attemptsLeft() == 0)
  }

  @Test("ten wrong tries in 24 hours lock the channel for 24 hours, also for sending; then it opens")
  func locked() async throws {
    let app = try await PasscodeTestApp()
    for round in 0..<2 {
      app.clock.advance(.minutes(2 * round))
      let code = try await app.send()
      for number in 1...5 {
        let outcome = try await app.check(PasscodeTestApp.other(than: code))
        if round == 1, number == 5 { #expect(outcome == .locked(retryAfter: .hours(24))) }
      }
    }
    #expect(try await app.refusal()?.code == "otp-locked")
    #expect(try await app.refusal()?.category == .locked)
    #expect(try await app.refusal()?.retryAfterSeconds == 86400)
    #expect(try await app.check("123456") == .locked(retryAfter: .hours(24)))
    // Another customer and the other channel are not touched.
    #expect(try await app.refusal(PasscodeTestApp.binding(to: "+96550009999", subject: "customer-2")) == nil)
    #expect(try await app.refusal(PasscodeTestApp.binding(.email, to: "a@example.com")) == nil)
    app.clock.advance(.hours(24) - .milliseconds(1))
    #expect(try await app.check("123456") == .locked(retryAfter: .milliseconds(1)))
    app.clock.advance(.milliseconds(1))
    let code = try await app.send()
    #expect(try await app.check(code) == .accepted)
  }

  @Test("wrong tries older than 24 hours do not lock")
  func slidingWindow() async throws {
    let app = try await PasscodeTestApp()
    for pause in [Duration.zero, .hours(24), .hours(24)] {
      app.clock.advance(pause)
      let code = try await app.send()
      for _ in 1...5 { _ = try await app.check(PasscodeTestApp.other(than: code)) }
      #expect(try await app.check(code) == PasscodeOutcome.none)
    }
  }

  @Test("a code counts for its channel, destination, customer and purpose only")
  func bound() async throws {
    let app = try await PasscodeTestApp()
    let code = try await app.send()
    let others = [
      PasscodeTestApp.binding(.email), PasscodeTestApp.binding(to: "+96550001235"),
      PasscodeTestApp.binding(subject: "customer-2"), PasscodeTestApp.binding(purpose: "sign-in"),
    ]
    for other in others { #expect(try await app.check(code, other) == PasscodeOutcome.none) }
    #expect(try await app.check(code) == .accepted)
  }

  @Test(
    "what is not six digits is malformed and not counted",
    arguments: [
      "", "12345", "1234567", "12345a", "½23456", "-12345", "123456\u{0}", String(repeating: "1", count: 9999),
    ])
  func malformed(text: String) async throws {
    let app = try await PasscodeTestApp()
    let code = try await app.send()
    for _ in 1...6 { #expect(try await app.check(text) == .malformed) }
    #expect(try await app.check(PasscodeTestApp.other(than: code)) == .refused(attemptsLeft: 4))
  }

  @Test("digits of an Arabic keyboard and a space in the middle are understood")
  func otherDigits() async throws {
    let app = try await PasscodeTestApp()
    let code = try await app.send()
    let arabic = String(
      String.UnicodeScalarView(code.unicodeScalars.map { Unicode.Scalar($0.value - 0x30 + 0x660) ?? $0 }))
    #expect(try await app.check("\(arabic.prefix(3)) \(arabic.suffix(3))") == .accepted)
  }

  @Test("of sixteen right answers at once exactly one is accepted")
  func race() async throws {
    let app = try await PasscodeTestApp()
    let code = try await app.send()
    let outcomes = try await withThrowingTaskGroup(of: PasscodeOutcome.self) { group in
      for _ in 0..<16 { group.addTask { try await app.check(code) } }
      return try await group.reduce(into: []) { $0.append($1) }
    }
    #expect(outcomes.filter { $0 == .accepted }.count == 1)
    #expect(outcomes.filter { $0 == .none }.count == 15)
  }

  @Test("of sixteen wrong answers at once five are compared")
  func guessRace() async throws {
    let app = try await PasscodeTestApp()
    let wrong = PasscodeTestApp.other(than: try await app.send())
    let outcomes = try await withThrowingTaskGroup(of: PasscodeOutcome.self) { group in
      for _ in 0..<16 { group.addTask { try await app.check(wrong) } }
      return try await group.reduce(into: []) { $0.append($1) }
    }
    for left in 0...4 { #expect(outcomes.filter { $0 == .refused(attemptsLeft: left) }.count == 1) }
  }
}
