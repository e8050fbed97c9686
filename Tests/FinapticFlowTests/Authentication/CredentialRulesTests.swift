// SPDX-License-Identifier: Apache-2.0

import Identity
import Foundation
import FinapticWire
import Kit
import TestSupport
import Testing

@testable import FinapticFlow

@Suite("Finaptic: rules of credentials", .storeless)
struct CredentialRulesTests {
  @Test("every common word is refused with digits behind it, and taken with symbols")
  func common() {
    for word in CommonPasswords.words {
      #expect(CommonPasswords.holds(word))
      #expect(CommonPasswords.holds(word.uppercased() + "2024"))
      #expect(!CommonPasswords.holds(word + "!@#$") || CommonPasswords.words.contains(word + "!@#$"))
    }
    #expect(CommonPasswords.words.count > 200)
    #expect(CommonPasswords.holds("123456789012"))
    #expect(!CommonPasswords.holds(""))
    // Twelve characters that keep every published rule: the specification's list begins with one letter more.
    #expect(!CommonPasswords.holds("Abcdefghijk1"))
    for word in ["password", "trustno1", "motdepasse", "hockey", "canada", "abcdefghijkl"] {
      #expect(CommonPasswords.words.contains(word))
    }
  }

  @Test("lengths count scalars of the composed form")
  func lengths() {
    // é as two scalars is one.
    #expect(CredentialRules.fault("Aa1" + String(repeating: "e\u{301}", count: 8)) == .length)
    #expect(CredentialRules.fault("Aa1" + String(repeating: "e\u{301}", count: 9)) == nil)
  }

  @Test("a username has 1 to 15 of its characters, a password 12 to 128, one beyond is refused")
  func edges() {
    func isTaken(_ username: String) -> Bool { CredentialRules.isUsername(username) }
    let letters = String(repeating: "a", count: 15)
    #expect(isTaken("a") && isTaken(letters) && !isTaken("") && !isTaken(letters + "a"))
    for character in "abzABZ019_+-.!#$'^`~@" { #expect(isTaken("\(character)"), "\(character)") }
    for character in " /%&*=?{|}\"(),:;<>[\\]é\u{0}\u{7F}" { #expect(!isTaken("a\(character)"), "\(character)") }
    func fault(_ length: Int) -> CredentialRules.PasswordFault? {
      CredentialRules.fault("Aa1" + String(repeating: "x", count: length - 3))
    }
    #expect(fault(11) == .length && fault(12) == nil && fault(128) == nil && fault(129) == .length)
  }

  @Test("whatever bytes come, the rules answer with one of their two codes or with nothing")
  func fuzz() {
    var randomness = SeededGenerator(seed: 8)
    let pieces = ["a", "B", "7", "@", ".", "\u{0}", "é", "💥", " ", "quartz", "mail.ca", "'", "\n", "Password1234"]
    for _ in 1...3000 {
      func text() -> String {
        (0..<Int(randomness.next() % 9)).map { _ in pieces[Int(randomness.next() % UInt64(pieces.count))] }.joined()
      }
      do {
        let rules = try CredentialRules(.init(email: text(), password: text(), username: text()))
        #expect(CredentialRules.fault(rules.password) == nil)
        #expect(rules.username.map { $0 == $0.lowercased() && CredentialRules.isUsername($0) } ?? true)
      } catch let problem as Problem {
        let (_, code) = FinapticDialect.code(problem)
        #expect([.signupCredentialError, .signupError].contains(code))
      } catch {
        Issue.record("\(error)")
      }
    }
  }

  @Test(
    "codes of authenticator apps are those of RFC 6238",
    arguments: [
      (59, "287082"), (1_111_111_109, "081804"), (1_111_111_111, "050471"), (1_234_567_890, "005924"),
      (2_000_000_000, "279037"), (20_000_000_000, "353130"),
    ])
  func timeCodes(seconds: Int64, code: String) {
    let secret = Data("12345678901234567890".utf8)
    let now = Instant(milliseconds: seconds * 1000)
    #expect(TimeCode.code(secret, step: TimeCode.step(at: now)) == code)
    #expect(TimeCode.match(code, secret, at: now, after: nil) == TimeCode.step(at: now))
    #expect(TimeCode.match(code, secret, at: now, after: TimeCode.step(at: now)) == nil)
    #expect(TimeCode.match(code, secret, at: now + .seconds(61), after: nil) == nil)
    #expect(TimeCode.base32(secret) == "GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ")
    #expect(SecondFactorTests.bytes(base32: TimeCode.base32(secret)) == secret)
  }
}
