// SPDX-License-Identifier: Apache-2.0

import TestSupport
import Testing

@testable import Identity

@Suite("Sessions: tokens that were proved before", .storeless)
struct ProvenTokensTests {
  private static func claims(_ family: String) -> ProvenTokens.Claims {
    ProvenTokens.Claims(
      keyID: "k", issuer: "i", audience: "a", tenant: "t", scope: "s", family: family, subject: "u", notBefore: 0,
      expires: 1)
  }

  @Test("a token is found by its whole text and by nothing else")
  func found() {
    let proven = ProvenTokens()
    proven.keep(Self.claims("one"), ProvenTokens.digest("a.b.c"))
    #expect(proven.find(ProvenTokens.digest("a.b.c"))?.family == "one")
    #expect(proven.find(ProvenTokens.digest("a.b.d")) == nil)
  }

  @Test("memory is bounded: what was not used of late is dropped, what is used stays")
  func bounded() {
    let proven = ProvenTokens()
    proven.keep(Self.claims("used"), ProvenTokens.digest("used"))
    proven.keep(Self.claims("idle"), ProvenTokens.digest("idle"))
    for number in 0..<(ProvenTokens.countMax + 10) {
      proven.keep(Self.claims("other"), ProvenTokens.digest("\(number)"))
      if number % 1000 == 0 { #expect(proven.find(ProvenTokens.digest("used"))?.family == "used") }
    }
    #expect(proven.find(ProvenTokens.digest("idle")) == nil)
  }
}
