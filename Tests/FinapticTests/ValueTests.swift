// SPDX-License-Identifier: Apache-2.0

import Foundation
import GatehouseWire
import FinapticWire
import Testing

@testable import Finaptic

@Suite("Finaptic: values")
struct ValueTests {
  @Test(
    "money is read exactly",
    arguments: [
      ("0.00", "0"), ("12.30", "12.3"), ("-120.01", "-120.01"), ("99999999999999999999.99", "99999999999999999999.99"),
      ("7", "7"),
    ])
  func money(text: String, expected: String) {
    #expect(Decimal(money: text)?.description == expected)
  }

  @Test(
    "and nothing else is", arguments: ["", "-", ".5", "5.", "1e3", "1,000.00", "+1", "１", "1.2.3", "NaN", " 1", "0x1"])
  func notMoney(text: String) { #expect(Decimal(money: text) == nil) }

  @Test("as JSON an amount is text")
  func amount() throws {
    let amount = Amount(amount: try #require(Decimal(string: "0.01")), currency: "CAD")
    #expect(String(decoding: try WireJSON.encode(amount), as: UTF8.self) == #"{"amount":"0.01","currency":"CAD"}"#)
    #expect(try WireJSON.decode(Amount.self, from: try WireJSON.encode(amount)) == amount)
    #expect(throws: DecodingError.self) {
      try WireJSON.decode(Amount.self, from: Data(#"{"amount":0.01,"currency":"CAD"}"#.utf8))
    }
  }

  @Test("a word of the future is the unspecified one")
  func words() throws {
    func read<Word: Decodable>(_: Word.Type) throws -> Word {
      try JSONDecoder().decode([Word].self, from: Data(#"["FUTURE"]"#.utf8))[0]
    }
    #expect(try read(TransferStatus.self) == .unspecified && read(CustomerRole.self) == .unspecified)
    #expect(try read(TransactionType.self) == .transactionTypeUnspecified && read(CardState.self) == .unspecified)
    #expect(try read(FinapticErrorCode.self) == .unknown && read(TransactionOrder.self) == .orderUnspecified)
    #expect(try read(ApplicationStatus.self).rawValue == "FUTURE")
    #expect(try read(AuthorizedUserInvitationStatus.self) == .unspecified)
  }

  @Test("a push of a transaction is read, in the seed's own form")
  func push() throws {
    let push: [AnyHashable: Any] = [
      "eventType": "TransactionCreatedEvent", "transactionId": "00c660a0-c03d-401d-bf77-99df3e6a157f",
      "amount": "12.30", "availableBalance": "120.00", "actualBalance": "100.00",
      "transactionTime": "2021-12-17 12:34:56.793213 +0000 UTC",
    ]
    let event = try #require(TransactionCreatedEvent(userInfo: push))
    #expect(event.amount == Decimal(string: "12.3") && event.availableBalance == 120 && event.actualBalance == 100)
    #expect(abs(event.transactionTime.timeIntervalSince1970 - 1_639_744_496.793213) < 0.000_01)
    for (name, value) in [
      ("eventType", "Other"), ("amount", "12,30"), ("transactionTime", "2021-12-17T12:34:56Z"), ("transactionId", ""),
      ("transactionTime", "2021-12-17 12:34:56.1234567891 +0000 UTC"), ("availableBalance", "much"),
    ] {
      var other = push
      other[name] = value
      #expect(TransactionCreatedEvent(userInfo: other) == nil, "\(name)")
      other[name] = nil
      #expect(TransactionCreatedEvent(userInfo: other) == nil, "\(name)")
    }
    var east = push
    east["transactionTime"] = "2021-12-17 17:34:56 +0500 PKT"
    #expect(TransactionCreatedEvent(userInfo: east)?.transactionTime.timeIntervalSince1970 == 1_639_744_496)
  }

  @Test("a push of changed terms is read, also of a kind that is not known")
  func termsPush() {
    let push: [AnyHashable: Any] = [
      "eventType": "TermsChangeEvent", "accountId": "a-1", "changeId": "c-1", "kind": "announced",
    ]
    let event = TermsChangeEvent(userInfo: push)
    #expect(event?.accountId == "a-1" && event?.changeId == "c-1" && event?.kind == .announced)
    for name in ["eventType", "accountId", "changeId", "kind"] {
      #expect(TermsChangeEvent(userInfo: push.merging([name: ""]) { $1 }) == nil, "\(name)")
    }
    let other = TermsChangeEvent(userInfo: push.merging(["kind": "postponed"]) { $1 })
    #expect(other != nil && other?.kind == nil)
    #expect(TransactionCreatedEvent(userInfo: push) == nil)
  }

  @Test("structured remittance is read as senders write it; what cannot be read is left out")
  func remittance() throws {
    let text = #"""
      [{"referred_document_information":[{"type":{"code_or_proprietary":{"code":"CINV"}},"number":"PO-1",
      "related_date":"2021-08-19"}],"referred_document_amount":{"due_payable_amount":{"amount":"10.00","currency":"CAD"},
      "adjustment_amount_and_reason":[{"amount":{"amount":"1.00","currency":"CAD"},"credit_debit_indicator":"DBIT",
      "reason":"early"}],"remitted_amount":{"amount":"9.00","currency":"CAD"}},
      "creditor_reference_information":{"type":{"code_or_proprietary":{"code":"SCOR"}},"reference":"RF18"},
      "invoicer":{"name":"Acme","postal_address":{"address_type":{"code":"NEWC"},"street_name":"Main",
      "address_line":["1"]},"identification":{"organisation_identification":{"other":[{"identification":"9",
      "scheme_name":{"code":"DUNS"}}]}},"contact_details":{"phone_number":"1"}},"unknown":1},{}]
      """#
    let remittance = Remittance(
      FinapticAPI.Remittance(unstructured: FinapticAPI.UnstructuredRemittance(data: "memo"), structured: text))
    #expect(remittance.unstructured?.data == "memo" && remittance.structured.count == 2)
    let document = try #require(remittance.structured.first)
    #expect(document.referredDocumentInformation.first?.type?.codeOrProprietary.code == .CINV)
    #expect(document.referredDocumentAmount?.remittedAmount?.amount == 9)
    #expect(document.referredDocumentAmount?.adjustmentAmountAndReason.first?.creditDebitIndicator == .debit)
    #expect(document.creditorReferenceInformation?.type?.codeOrProprietary.code == .SCOR)
    #expect(document.invoicer?.postalAddress?.addressType?.code == nil && document.invoicee == nil)
    #expect(document.invoicer?.identification?.organisationIdentification?.other.first?.schemeName?.code == .DUNS)
    #expect(try WireJSON.decode(Remittance.self, from: try WireJSON.encode(remittance)) == remittance)
    for broken in ["", "{", "null", "[1]", #"{"a":1}"#] {
      #expect(Remittance(FinapticAPI.Remittance(structured: broken)).structured.isEmpty, "\(broken)")
    }
  }

  @Test("an answer to a security question leaves the device as a digest")
  func answer() {
    // By sha256sum, of `BLUESALT` and of `ÉTÉs` in ISO 8859-1.
    let plain = SecurityAnswer.digest(of: "  blue ", salt: "SALT")
    #expect(plain == "bd6a3fa3f6759e9eda6b05fcf1851afbf3b01edbe0d3f00b31f23f9097f1b33b")
    #expect(
      SecurityAnswer.digest(of: "été", salt: "s") == "01eb9c0016869795fdd26b4782b9ba5bee2e61c9664886b2d73e64086628a47f")
  }
}
