// SPDX-License-Identifier: Apache-2.0

import Foundation
import Ledger
import TestSupport
import Testing

@testable import Payments

@Suite("Payments that come twice", .storeless)
struct RepeatedPaymentsTests {
  private let message: CreditTransferMessage

  init() throws { message = try CreditTransferTests.read(Data(MessageSamples.creditTransfers.utf8)) }

  @Test("the same file twice is a message and its identified transfers again")
  func again() {
    var seen = RepeatedPayments()
    #expect(seen.note(message) == [])
    #expect(seen.note(message) == [.message, .transfer(0)])
  }

  @Test("a transfer under another message id is found by its references, each alone")
  func resent() {
    var seen = RepeatedPayments()
    _ = seen.note(message)
    var resent = message
    resent.id = "PAY-2"
    resent.transfers[0].transactionID = "TX-2"
    #expect(seen.note(resent) == [.transfer(0)], "by its end-to-end id")
    resent.id = "PAY-3"
    resent.transfers[0].endToEndID = "E2E-2"
    #expect(seen.note(resent) == [.transfer(0)], "by its transaction id, which came with the message before")
  }

  @Test("another amount, another creditor or another account of the debtor is another transfer")
  func others() {
    for change in [
      { (transfer: inout CreditTransfer) in transfer.amount = Money(1, "EUR") },
      { $0.creditorAccount = .other("9") }, { $0.debtorAccount = .other("9") }, { $0.debtorAgent = Agent() },
    ] {
      var (seen, other) = (RepeatedPayments(), message)
      _ = seen.note(message)
      other.id = "PAY-2"
      other.transfers[0].transactionID = nil
      change(&other.transfers[0])
      #expect(seen.note(other) == [])
    }
  }

  @Test("senders have ids of their own, and a UETR is one for all")
  func senders() {
    var seen = RepeatedPayments()
    var first = message
    first.transfers[1].uetr = "86d7da8e-6e41-4466-b9bb-9b41d5814d5a"
    #expect(seen.note(first) == [])
    var second = first
    second.instructing = Agent(bic: BIC("WESTGB2L"))
    second.transfers.removeFirst()
    #expect(seen.note(second) == [.transfer(0)])
  }

  @Test("a message of statements comes once")
  func statements() throws {
    var seen = RepeatedPayments()
    let statements = try AccountStatementTests.read(Data(MessageSamples.statement.utf8))
    #expect(seen.note(.statement(statements)) == [])
    #expect(seen.note(.statement(statements)) == [.message])
  }
}
