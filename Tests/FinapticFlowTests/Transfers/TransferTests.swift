// SPDX-License-Identifier: Apache-2.0

import Foundation
import FinapticWire
import Kit
import Testing

@testable import FinapticFlow
@testable import GatehouseApp

@Suite("Finaptic: transfers between accounts")
struct TransferTests {
  private typealias Answer = FinapticAPI.InitiateTransferResponse

  @Test("money moves once, and both ends and its details tell of it")
  func moves() async throws {
    try await AccountTestApp.run { app in
      let ada = try await app.customer("ada@finaptic.com", accounts: 2, funds: 10_00)
      let key = UUID().uuidString
      let first: Answer = try await app.transfer(
        "4.50", from: ada.accounts[0], to: ada.accounts[1], as: ada, once: key
      ).view()
      #expect(first.reason?.isEmpty == true && first.details.status == "COMPLETED")
      #expect(first.details.customerRole == "INITIATOR")
      #expect(first.details.transferType == "INTERNAL_ACCOUNT_TO_ACCOUNT")
      #expect(first.details.counterparty?.legalName == "Ada Byron")
      #expect(first.details.clearingSystemRefNumber == first.details.transactionId)
      let again: Answer = try await app.transfer(
        "4.50", from: ada.accounts[0], to: ada.accounts[1], as: ada, once: key
      ).view()
      #expect(again == first)
      #expect(
        try await app.transfer("4.51", from: ada.accounts[0], to: ada.accounts[1], as: ada, once: key).refusal
          == "409 ABORTED ABORTED")
      #expect(try await app.balance(ada.accounts[0]) == 5_50)
      #expect(try await app.balance(ada.accounts[1]) == 14_50)
      let details: FinapticAPI.TransferDetails = try await app.call(
        .getTransferDetails, FinapticAPI.TransactionRequest(transactionId: first.details.transactionId), as: ada
      ).view()
      #expect(details == first.details)
    }
  }

  @Test("too little money is an answer with a reason, and nothing moves; so is an account that does not book yet")
  func declined() async throws {
    try await AccountTestApp.run { app in
      let ada = try await app.customer("ada@finaptic.com", accounts: 2, funds: 1_00)
      let answer: Answer = try await app.transfer(
        "1.01", from: ada.accounts[0], to: ada.accounts[1], as: ada
      ).view()
      #expect(answer.details.status == "DECLINED" && answer.reason?.isEmpty == false)
      let details: FinapticAPI.TransferDetails = try await app.call(
        .getTransferDetails, FinapticAPI.TransactionRequest(transactionId: answer.details.transactionId), as: ada
      ).view()
      #expect(details == answer.details)
      let sleeping = app.dependencies.core.world.randomUUID()
      try await app.database.write { [parts = app.dependencies] in
        try AccountTestApp.open(sleeping, of: ada.id, isActive: false, parts, in: $0)
      }
      let other: Answer = try await app.transfer("0.01", from: ada.account, to: sleeping, as: ada).view()
      #expect(other.details.status == "DECLINED" && other.reason != answer.reason)
      #expect(try await app.balance(ada.accounts[0]) == 1_00)
    }
  }

  @Test("more than any books can write is too little money too, and the same for the same key")
  func beyond() async throws {
    try await AccountTestApp.run { app in
      let ada = try await app.customer("ada@finaptic.com", accounts: 2, funds: 1_00)
      let (from, to, key) = (ada.accounts[0], ada.accounts[1], UUID().uuidString)
      for amount in ["9999999999999999.99", "10000000000000000", "92233720368547758.08"] {
        let answer: Answer = try await app.transfer(amount, from: from, to: to, as: ada).view()
        #expect(answer.details.status == "DECLINED" && answer.reason?.isEmpty == false, "\(amount)")
      }
      let huge = "1" + String(repeating: "0", count: 20)
      let answer: Answer = try await app.transfer(huge, from: from, to: to, as: ada, once: key).view()
      let again: Answer = try await app.transfer(huge, from: from, to: to, as: ada, once: key).view()
      #expect(answer.details.status == "DECLINED" && again == answer)
      #expect(answer.details.counterparty?.legalName == "Ada Byron")
      #expect(answer.details.transactionId.canonicalUUID != nil)
      let bob = try await app.customer("bob@finaptic.com", name: "Bob", accounts: 2)
      #expect(
        try await app.transfer(huge, from: from, to: bob.account, as: ada).refusal
          == "403 PERMISSION_DENIED PERMISSION_DENIED")
      let other: Answer = try await app.transfer(
        huge, from: bob.accounts[0], to: bob.accounts[1], as: bob, once: key
      ).view()
      #expect(other.details.transactionId != answer.details.transactionId)
      let done = UUID().uuidString
      _ = try await app.transfer("0.25", from: from, to: to, as: ada, once: done)
      #expect(try await app.transfer(huge, from: from, to: to, as: ada, once: done).refusal == "409 ABORTED ABORTED")
      #expect(try await app.balance(from) == 75)
    }
  }

  @Test("what is no transfer is refused, with everything that is wrong")
  func refused() async throws {
    try await AccountTestApp.run { app in
      let ada = try await app.customer("ada@finaptic.com", accounts: 2, funds: 1_00)
      let bob = try await app.customer("bob@finaptic.com", name: "Bob", funds: 1_00)
      let (from, to) = (ada.accounts[0], ada.accounts[1])
      for amount in ["0", "0.00", "-1", "0.001", "1.000", "1e2", "", "100000000000000000000.001"] {
        let answer = try await app.transfer(amount, from: from, to: to, as: ada)
        #expect(answer.code == "INVALID_ARGUMENT", "\(amount)")
        #expect(answer.error?.details?.fieldViolations?.map(\.field) == ["fundTransfer.amount"], "\(amount)")
      }
      #expect(try await app.transfer("0.10", from: from, to: to, as: ada, currency: "USD").code == "INVALID_ARGUMENT")
      #expect(try await app.transfer("0.10", from: from, to: from, as: ada).code == "INVALID_ARGUMENT")
      let none = try await app.call(.initiateTransfer, FinapticAPI.InitiateTransferRequest(), as: ada)
      #expect(none.error?.details?.fieldViolations?.count == 3)
      // Another customer's account and an unknown one get the same answer.
      for other in [bob.account, app.dependencies.core.world.randomUUID()] {
        for (source, destination) in [(other, to), (from, other)] {
          let answer = try await app.transfer("0.10", from: source, to: destination, as: ada)
          #expect(answer.refusal == "403 PERMISSION_DENIED PERMISSION_DENIED")
        }
      }
      #expect(try await app.transfer("0.10", from: from, to: to, as: ada, once: "7").code == "INVALID_ARGUMENT")
      let nobody = try await app.call(.initiateTransfer, FinapticAPI.InitiateTransferRequest(), as: nil)
      #expect(nobody.code == "UNAUTHENTICATED")
    }
  }

  @Test("who may use an account may transfer from it; who may not sees nothing of it")
  func shared() async throws {
    try await AccountTestApp.run { app in
      let ada = try await app.customer("ada@finaptic.com", funds: 5_00)
      let bob = try await app.customer("bob@finaptic.com", name: "Bob")
      let eve = try await app.customer("eve@finaptic.com", name: "Eve")
      try await app.share(ada.account, with: bob)
      let moved: Answer = try await app.transfer("2.00", from: ada.account, to: bob.account, as: bob).view()
      #expect(moved.details.counterparty?.legalName == "Bob Byron")
      let request = FinapticAPI.TransactionRequest(transactionId: moved.details.transactionId)
      for customer in [ada, bob] {
        #expect(try await app.call(.getTransferDetails, request, as: customer).status == 200)
      }
      let unseen = try await app.call(.getTransferDetails, request, as: eve)
      let unknown = try await app.call(
        .getTransferDetails, FinapticAPI.TransactionRequest(transactionId: app.dependencies.core.world.randomUUID()),
        as: eve
      )
      #expect(unseen.refusal == "400 INVALID_ARGUMENT TRANS_INVALID_TRANSACTION")
      #expect(unknown.refusal == unseen.refusal && unknown.message == unseen.message)
    }
  }

  @Test("targets are the accounts that book, page by page, and a token is its caller's own")
  func targets() async throws {
    try await AccountTestApp.run { app in
      let ada = try await app.customer("ada@finaptic.com", accounts: 5)
      let bob = try await app.customer("bob@finaptic.com", name: "Bob", accounts: 3)
      func page(_ token: String?, _ type: String = "INTERAC_AUTODEPOSIT", as customer: MoneyCustomer) async throws
        -> AccountTestApp.Answer
      {
        try await app.call(
          .listTargetAccounts,
          FinapticAPI.ListTargetAccountsRequest(transferType: type, pageSize: 2, pageToken: token), as: customer)
      }
      var (found, token): ([String], String?) = ([], nil)
      repeat {
        let answer: FinapticAPI.TargetAccountsResponse = try await page(token, as: ada).view()
        found += answer.accounts.map(\.id)
        token = answer.nextPageToken
        if let token { #expect(try await page(token, as: bob).code == "INVALID_ARGUMENT") }
        if let token {
          #expect(try await page(token, "INTERNAL_ACCOUNT_TO_ACCOUNT", as: ada).code == "INVALID_ARGUMENT")
        }
      } while token != nil
      #expect(found.sorted() == ada.accounts.sorted())
      #expect(try await page(nil, "TRANSFER_TYPE_UNSPECIFIED", as: ada).code == "INVALID_ARGUMENT")
    }
  }
}
