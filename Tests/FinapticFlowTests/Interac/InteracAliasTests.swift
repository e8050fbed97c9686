// SPDX-License-Identifier: Apache-2.0

import Foundation
import FinapticWire
import Kit
import TestSupport
import Testing

@testable import FinapticFlow

@Suite("Finaptic: aliases of autodeposit", .storeless)
struct InteracAliasTests {
  private func code(email: String? = nil, phone: String? = nil) -> String {
    do {
      _ = try InteracAlias.checked(
        email: email, phone: phone.map { .init(phoneNumber: $0) }, path: "", rules: InteracRules())
      return "ok"
    } catch let problem as Problem { return String(problem.code.split(separator: "/").last ?? "") } catch {
      return "\(error)"
    }
  }

  @Test(
    "mobile numbers are North America's, with an area code of Canada",
    arguments: [
      ("+1-5145550123", "ok"), ("+1-(514)-555-0123", "ok"), ("+1-2125550123", "TRANS_INTERAC_INV_MOB_AREACODE"),
      ("+1-514555012", "TRANS_INTERAC_INV_MOB_NUMBER"), ("+1-51455501234", "TRANS_INTERAC_INV_MOB_NUMBER"),
      ("+44-5145550123", "TRANS_INTERAC_INV_MOB_NUMBER"), ("+1-0145550123", "TRANS_INTERAC_INV_MOB_NUMBER"),
      ("+1-1145550123", "TRANS_INTERAC_INV_MOB_NUMBER"), ("+1-5140550123", "TRANS_INTERAC_INV_MOB_NUMBER"),
      ("+1-5141550123", "TRANS_INTERAC_INV_MOB_NUMBER"), ("+15145550123", "validation-failed"),
      ("", "validation-failed"), ("+1-514555012a", "validation-failed"),
      ("+1-5145550123514555012351455501", "validation-failed"), ("+1-٥١٤٥٥٥٠١٢٣", "validation-failed"),
    ])
  func numbers(number: String, code: String) { #expect(self.code(phone: number) == code) }

  @Test("exactly one alias, and it is one")
  func one() {
    #expect(code(email: "d@example.ca") == "ok")
    #expect(code() == "validation-failed" && code(email: " ") == "validation-failed")
    #expect(code(email: "d@example.ca", phone: "+1-5145550123") == "validation-failed")
    #expect(code(email: "no address") == "validation-failed")
  }

  @Test("spellings of one alias are one alias")
  func folded() {
    #expect(InteracAlias.email("Ada@Example.ca").folded == InteracAlias.email("ada@example.CA").folded)
    #expect(InteracAlias.phone("+1-(514)-555-0123").folded == InteracAlias.phone("+1-5145550123").folded)
    #expect(InteracAlias.phone("+1-5145550123").destination == "+15145550123")
  }

  @Test("a registration ends after 12 months by e-mail and 3 by phone, by the calendar")
  func expiry() throws {
    let made = try #require(Instant(rfc3339: "2026-11-30T06:00:00Z"))
    #expect(InteracRules().expiry(of: .email("a@b.ca"), after: made).rfc3339 == "2027-11-30T06:00:00Z")
    #expect(InteracRules().expiry(of: .phone("+1-5145550123"), after: made).rfc3339 == "2027-02-28T06:00:00Z")
  }

  @Test("an answer is hashed as the phone does it, whatever its case and blanks; other alphabets have no answer")
  func answers() {
    let hash = SecurityAnswer.hash(of: "Blue", salt: "salt")
    #expect(hash == Data("BLUEsalt".utf8).sha256Hex && SecurityAnswer.hash(of: "  blue ", salt: "salt") == hash)
    #expect(SecurityAnswer.hash(of: "été", salt: "") == Data([0xC9, 0x54, 0xC9]).sha256Hex)
    #expect(SecurityAnswer.hash(of: "синий", salt: "") == nil && SecurityAnswer.hash(of: " ", salt: "x") == nil)
  }
}
