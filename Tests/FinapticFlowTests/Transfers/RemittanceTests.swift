// SPDX-License-Identifier: Apache-2.0

import Foundation
import FinapticWire
import Kit
import TestSupport
import Testing

@testable import FinapticFlow

@Suite("Finaptic: what a sender says of money", .storeless)
struct RemittanceTests {
  /// One document with every member of ISO 20022 that the seed names.
  static let whole = """
    [{"referred_document_information":[{"type":{"code_or_proprietary":{"code":"CINV"}},"number":"PO-7",
    "related_date":"2021-08-19"}],
    "referred_document_amount":{"due_payable_amount":{"amount":"120.00","currency":"CAD"},
    "adjustment_amount_and_reason":[{"amount":{"amount":"20.00","currency":"CAD"},"credit_debit_indicator":"DBIT",
    "reason":"Early","additional_information":"Two per cent"}],
    "remitted_amount":{"amount":"100.00","currency":"CAD"}},
    "creditor_reference_information":{"type":{"code_or_proprietary":{"code":"SCOR"}},"reference":"RF18"},
    "invoicer":{"name":"Works","postal_address":{"address_type":{"code":"BIZZ"},"department":"Sales",
    "sub_department":"East","street_name":"Bay Street","building_number":"350","post_code":"M5H 2S6",
    "town_name":"Toronto","country_sub_division":"ON","country":"CA","address_line":["Suite 7"]},
    "identification":{"organisation_identification":{"other":[{"identification":"123","scheme_name":{"code":"DUNS"}}]}},
    "contact_details":{"name":"Ada","phone_number":"+1-5145550123","mobile_number":"+1-5145550124",
    "fax_number":"+1-5145550125","email_address":"ada@works.example"}},
    "invoicee":{"name":"Payer"},"additional_remittance_information":["Thank you"]}]
    """

  private func kept(_ structured: String?, _ text: String? = nil) throws -> FinapticAPI.Remittance? {
    try RemittanceCheck.kept(.init(unstructured: text.map { .init(data: $0) }, structured: structured))
  }

  private func violations(_ structured: String) -> [String] {
    do {
      _ = try kept(structured)
      return []
    } catch let problem as Problem { return problem.fields.map(\.pointer) } catch { return ["\(error)"] }
  }

  @Test("a whole document is kept as it is, and unknown members are left out")
  func whole() throws {
    let text = try #require(try kept(Self.whole)?.structured)
    func tree(_ json: String) throws -> RemittanceTree {
      try JSONDecoder().decode(RemittanceTree.self, from: Data(json.utf8))
    }
    #expect(try tree(text) == tree(Self.whole))
    let other = Self.whole.replacing(#""name":"Works""#, with: #""name":"Works","colour":"red","age":7"#)
    #expect(try kept(other)?.structured == text)
    #expect(try kept(text)?.structured == text)
  }

  @Test(
    "what is wrong is named by its path",
    arguments: [
      ("{}", ["remittance.structured"]), ("[", ["remittance.structured"]), ("7", ["remittance.structured"]),
      (#"[{"invoicer":[]}]"#, ["remittance.structured[0].invoicer"]), ("[7]", ["remittance.structured[0]"]),
      (#"[{"invoicer":{"name":7}}]"#, ["remittance.structured[0].invoicer.name"]),
      (
        #"[{"creditor_reference_information":{"type":{"code_or_proprietary":{"code":"CINV"}}}}]"#,
        ["remittance.structured[0].creditor_reference_information.type.code_or_proprietary.code"]
      ),
      (
        #"[{"referred_document_information":[{"related_date":"2021-02-30"}]}]"#,
        ["remittance.structured[0].referred_document_information[0].related_date"]
      ),
      (
        #"[{"referred_document_amount":{"remitted_amount":{"amount":"1e3","currency":"XXZ"}}}]"#,
        [
          "remittance.structured[0].referred_document_amount.remitted_amount.amount",
          "remittance.structured[0].referred_document_amount.remitted_amount.currency",
        ]
      ),
      (
        #"[{"referred_document_amount":{"remitted_amount":{"amount":"1"}}}]"#,
        ["remittance.structured[0].referred_document_amount.remitted_amount.currency"]
      ),
      ("[{},{},{},{},{},{}]", ["remittance.structured"]),
    ])
  func refused(structured: String, fields: [String]) {
    #expect(violations(structured) == fields)
  }

  @Test("420 characters of text and no more; blank text counts as none; depth is bounded")
  func bounds() throws {
    #expect(try kept(nil, String(repeating: "é", count: 420))?.unstructured?.data.count == 420)
    #expect(throws: Problem.self) { try kept(nil, String(repeating: "é", count: 421)) }
    #expect(try kept("[]", "  ") == nil && RemittanceCheck.kept(nil) == nil)
    let deep = String(repeating: "[", count: 20_000) + String(repeating: "]", count: 20_000)
    #expect(violations(deep) == ["remittance.structured"])
    // Compared as a name, this would take seconds.
    let marks = String(repeating: "\u{315}\u{323}", count: 16_000)
    #expect(violations("[{\"a\(marks)\":\"\"}]") == ["remittance.structured"])
    #expect(violations(String(repeating: " ", count: 70_000) + "[]") == [])
  }

  @Test(
    "a document shows what it holds: nothing turns its direction, ends a line unseen or is invisible",
    arguments: [
      "Works\u{202e}skroW", "Works\u{2028}Total: 5", "Wo\u{ad}rks", "Works\u{e0061}", "\u{7}Works", "\u{200d}",
    ])
  func unseen(_ name: String) throws {
    let text = Self.whole.replacing(#""name":"Works""#, with: #""name":"\#(name)""#)
    #expect(violations(text.replacing("\u{7}", with: "\\u0007")) == ["remittance.structured[0].invoicer.name"])
    #expect(violations(Self.whole.replacing(#""name":"Works""#, with: #""name":"One\nTwo""#)) == [])
  }

  @Test("bytes of any kind are taken or refused, and what is taken is taken again as it is")
  func anything() throws {
    var randomness = SeededGenerator(seed: 20)
    let base = Array(Self.whole.utf8)
    var taken = 0
    for _ in 0..<400 {
      var bytes = base
      for _ in 0..<Int.random(in: 1...6, using: &randomness) {
        let place = Int.random(in: 0..<bytes.count, using: &randomness)
        switch Int.random(in: 0..<3, using: &randomness) {
        case 0: bytes[place] = UInt8.random(in: 0...255, using: &randomness)
        case 1: bytes.remove(at: place)
        default: bytes.insert(bytes.randomElement(using: &randomness) ?? 0x7B, at: place)
        }
      }
      guard let once = try? kept(String(decoding: bytes, as: UTF8.self)), let text = once.structured else { continue }
      #expect(try kept(text) == once)
      taken += 1
    }
    #expect(taken > 20)
  }
}
