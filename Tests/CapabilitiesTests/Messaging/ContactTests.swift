// SPDX-License-Identifier: Apache-2.0

import Delivery
import TestSupport
import Testing

@Suite("Messaging: contacts", .storeless)
struct ContactTests {
  @Test(
    "a number is judged by form, range, country and plan",
    arguments: [
      ("+96550001234", "accepted"), ("+966512345678", "accepted"), ("+971501234567", "accepted"),
      ("+4915112345678", "accepted"), ("+447700900123", "accepted"), ("+12025550123", "accepted"),
      ("+33612345678", "accepted"), ("+6591234567", "accepted"), ("+37120000000", "accepted"),
      ("96550001234", "malformed"), ("+", "malformed"), ("", "malformed"), ("+0123456789", "malformed"),
      ("+1234567", "malformed"), ("+1234567890123456", "malformed"), ("+965 5000 1234", "malformed"),
      ("+9655000123٤", "malformed"), ("0096550001234", "malformed"), ("+96550001234\n", "malformed"),
      ("+19005550123", "premium"), ("+449012345678", "premium"), ("+4487012345678", "premium"),
      ("+4990012345678", "premium"), ("+4913712345678", "premium"), ("+33899123456", "premium"),
      ("+979123456789", "premium"), ("+881612345678", "premium"), ("+883510012345", "premium"),
      ("+870773111632", "premium"), ("+966700123456", "premium"), ("+41900123456", "premium"),
      ("+96522001234", "notMobile"), ("+4930123456", "notMobile"), ("+442079460000", "notMobile"),
      ("+447012345678", "notMobile"), ("+9655000123", "notMobile"), ("+966112345678", "notMobile"),
    ])
  func phone(text: String, verdict: String) {
    let found = PhonePolicy().check(text)
    switch found {
    case .accepted(let number):
      #expect(verdict == "accepted")
      #expect(number.rawValue == text)
    case .malformed: #expect(verdict == "malformed")
    case .premium: #expect(verdict == "premium")
    case .notMobile: #expect(verdict == "notMobile")
    case .countryNotServed: Issue.record("every country is served here")
    }
  }

  @Test("only listed countries are served, and part of a shared code can be listed")
  func served() {
    let policy = PhonePolicy(servedPrefixes: ["965", "1202", "49"])
    #expect(policy.check("+96650001234") == .countryNotServed)
    #expect(policy.check("+18765550123") == .countryNotServed)
    #expect(policy.check("+96550001234") == PhonePolicy().check("+96550001234"))
    #expect(policy.check("+12025550123") == PhonePolicy().check("+12025550123"))
    #expect(policy.check("+4990012345678") == .premium)
  }

  @Test("a fixed line passes where mobile is not required")
  func fixedLine() throws {
    let number = try #require(PhoneNumber("+96522001234"))
    #expect(PhonePolicy(requiresMobile: false).check("+96522001234") == .accepted(number))
  }

  @Test(
    "a masked number keeps its ends and hides at least three digits",
    arguments: [("+96550001234", "+9655•••1234"), ("+4915112345678", "+4915•••5678"), ("+12345678", "+123•••78")])
  func maskedPhone(text: String, masked: String) throws {
    let number = try #require(PhoneNumber(text))
    #expect(number.masked == masked)
    #expect("\(number)" == masked, "what is printed is masked too")
  }

  @Test(
    "a masked address keeps its first letter and its domain",
    arguments: [("a@example.com", "a•••@example.com"), ("Erika.Mustermann@example.com", "E•••@example.com")])
  func maskedEmail(text: String, masked: String) throws {
    #expect(try #require(EmailAddress(text)).masked == masked)
  }

  @Test(
    "these are e-mail addresses",
    arguments: [
      "a@example.com", "first.last+tag@sub.example.co.uk", "o'hara_x-1@example.com", "x@xn--bcher-kva.example",
      String(repeating: "a", count: 64) + "@example.com", "A@1and1.com",
    ])
  func email(text: String) { #expect(EmailAddress(text)?.rawValue == text) }

  @Test(
    "these are not",
    arguments: [
      "", "a", "@example.com", "a@", "a@b", "a@@example.com", "a b@example.com", ".a@example.com", "a.@example.com",
      "a..b@example.com", "a@example..com", "a@-example.com", "a@example-.com", "a@[127.0.0.1]", "a@127.0.0.1",
      "\"a\"@example.com", "a@exämple.com", "ä@example.com", "a@example.com\r\nBcc: b@example.com", "<a@example.com>",
      "a@example.com.", "a@" + String(repeating: "b", count: 64) + ".com",
      String(repeating: "a", count: 65) + "@example.com",
      "a@" + Array(repeating: String(repeating: "b", count: 60), count: 5).joined(separator: ".") + ".com",
    ])
  func notEmail(text: String) { #expect(EmailAddress(text) == nil) }
}
