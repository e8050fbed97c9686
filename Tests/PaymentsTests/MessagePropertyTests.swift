// SPDX-License-Identifier: Apache-2.0

import DocumentCore
import Foundation
import Ledger
import ReferenceData
import TestSupport
import Testing

@testable import Payments

@Suite("Messages: whatever bytes come", .storeless)
struct MessagePropertyTests {
  private static let letters = "abcXYZ019 -/?:().,'+&<>\"]ÄñЖ中🙂\t\n\r".unicodeScalars.map(Character.init)

  private static func text(_ max: Int, _ generator: inout SeededGenerator) -> String {
    // A carriage return before a line feed is one character of Swift: lengths are of scalars, so it is built of those.
    var text = ""
    for _ in 0..<Int.random(in: 1...max, using: &generator) {
      text += String(letters.randomElement(using: &generator) ?? "x")
    }
    return text
  }

  @Test("a message of any texts and amounts is read as it was written")
  func roundTrips() throws {
    var generator = SeededGenerator(seed: 20022)
    let day = try #require(CalendarDate("2026-11-27"))
    let created = try #require(MessageTime("2026-11-26T23:59:59.999999999-14:00"))
    let currencies = ["EUR", "JPY", "KWD", "CLF", "USD"].filter { Currency.with(code: $0) != nil }
    for _ in 0..<200 {
      var transfers: [CreditTransfer] = []
      for _ in 0..<Int.random(in: 1...4, using: &generator) {
        transfers.append(
          CreditTransfer(
            endToEndID: Self.text(35, &generator),
            transactionID: Bool.random(using: &generator) ? Self.text(35, &generator) : nil,
            amount: Money(
              Int64.random(in: 1...999_999_999_999, using: &generator),
              try #require(currencies.randomElement(using: &generator))),
            settlementDay: day,
            charges: try #require(CreditTransfer.ChargeBearer.allCases.randomElement(using: &generator)),
            debtor: Bool.random(using: &generator) ? Self.text(140, &generator) : nil,
            debtorAgent: Agent(clearingMember: Self.text(35, &generator)), creditorAgent: Agent(bic: BIC("DEUTDEFF")),
            creditorAccount: .other(Self.text(34, &generator)),
            remittance: (0..<Int.random(in: 0...3, using: &generator)).map { _ in Self.text(140, &generator) }))
      }
      let message = CreditTransferMessage(
        id: Self.text(35, &generator), created: created, method: .cover, transfers: transfers)
      #expect(try PaymentMessage.read(message.xml()) == .creditTransfers(message))
    }
  }

  private static func original(_ generator: inout SeededGenerator) -> OriginalPayment {
    OriginalPayment(
      messageID: text(35, &generator), messageName: text(35, &generator),
      endToEndID: Bool.random(using: &generator) ? text(35, &generator) : nil,
      transactionID: Bool.random(using: &generator) ? text(35, &generator) : nil)
  }

  @Test("returns, statuses, orders, cancellations and answers of any texts are read as they were written")
  func otherRoundTrips() throws {
    var generator = SeededGenerator(seed: 4)
    let created = try #require(MessageTime("2026-11-26T10:00:00Z"))
    let day = try #require(CalendarDate("2026-11-27"))
    for _ in 0..<100 {
      let amount = Money(Int64.random(in: 1...999_999_999_999, using: &generator), "EUR")
      let reasons = [
        PaymentReason(code: "AC04", additional: [Self.text(105, &generator)]),
        PaymentReason(proprietary: Self.text(35, &generator)),
      ]
      let detail = AccountStatement.Detail(
        endToEndID: Self.text(35, &generator), amount: amount, debtor: Self.text(140, &generator),
        creditorAccount: .other(Self.text(34, &generator)),
        debtorAgent: Agent(clearingMember: Self.text(35, &generator)),
        remittance: [Self.text(140, &generator)])
      let entry = AccountStatement.Entry(
        amount: Money(-amount.minorUnits, "EUR"), isReversal: Bool.random(using: &generator),
        status: Bool.random(using: &generator) ? "BOOK" : Self.text(35, &generator), booked: day, valued: nil,
        reference: Self.text(35, &generator), servicerReference: nil, details: [detail])
      let id = Self.text(35, &generator)
      let messages: [PaymentMessage] = [
        .returns(
          PaymentReturnMessage(
            id: id, created: created, method: .clearing,
            returns: [.init(original: Self.original(&generator), amount: amount, reasons: reasons)])),
        .statuses(
          PaymentStatusMessage(
            id: id, created: created,
            transactions: [.init(original: Self.original(&generator), status: "RJCT", reasons: reasons)])),
        .cancellation(
          CancellationMessage(
            id: id, created: created, assigner: .party(Self.text(140, &generator)), assignee: .agent(Agent()),
            requests: [.init(original: Self.original(&generator), amount: amount, reasons: reasons)])),
        .cancellationAnswer(
          CancellationAnswerMessage(
            id: id, created: created, assigner: .agent(Agent()), assignee: .party(Self.text(140, &generator)),
            confirmation: "RJCR",
            answers: [
              .init(
                original: Self.original(&generator),
                outcome: CancellationAnswerMessage.Outcome.allCases.randomElement(
                  using: &generator), reasons: reasons, amount: amount)
            ])),
        .orderStatuses(
          PaymentOrderStatusMessage(
            id: id, created: created, initiator: Self.text(140, &generator),
            group: .init(messageID: id, messageName: Self.text(35, &generator), reasons: reasons),
            batches: [
              .init(
                id: Self.text(35, &generator), reasons: reasons,
                transactions: [.init(original: .init(endToEndID: Self.text(35, &generator)), reasons: reasons)])
            ])),
        .paymentOrders(
          PaymentOrderMessage(
            id: id, created: created, initiator: Self.text(140, &generator),
            batches: [
              .init(
                id: Self.text(35, &generator), executionDay: day, debtorAccount: .other("1"), debtorAgent: Agent(),
                orders: [.init(endToEndID: Self.text(35, &generator), amount: amount)])
            ])),
        .notification(
          NotificationMessage(
            id: id, created: created,
            notifications: [.init(id: Self.text(35, &generator), account: .other("1"), entries: [entry])])),
      ]
      for message in messages { #expect(try PaymentMessage.read(message.xml()) == message) }
    }
  }

  @Test("broken bytes are refused or read, and what is read can be written and read again")
  func brokenBytes() throws {
    var generator = SeededGenerator(seed: 8)
    var (taken, refused) = (0, 0)
    for sample in MessageSamples.all {
      let whole = Array(sample.utf8)
      for _ in 0..<500 {
        var bytes = whole
        for _ in 0..<Int.random(in: 1...3, using: &generator) {
          let place = Int.random(in: 0..<bytes.count, using: &generator)
          switch Int.random(in: 0..<4, using: &generator) {
          case 0: bytes[place] = UInt8.random(in: 0...255, using: &generator)
          case 1: bytes.remove(at: place)
          case 2: bytes.insert(Array("<>&\"/ :=19".utf8).randomElement(using: &generator) ?? 0, at: place)
          default:
            let end = min(bytes.count, place + Int.random(in: 1...200, using: &generator))
            bytes.insert(contentsOf: Array(bytes[place..<end]), at: Int.random(in: 0..<bytes.count, using: &generator))
          }
        }
        guard let message = try? PaymentMessage.read(Data(bytes)) else {
          refused += 1
          continue
        }
        taken += 1
        // A sum of more than 18 digits can be read, when the header does not say it, and cannot be written.
        if let written = try? message.xml() { #expect(try PaymentMessage.read(written) == message) }
      }
    }
    #expect(taken > 0 && refused > 1_000)
  }
}
