// SPDX-License-Identifier: Apache-2.0

import Foundation
import FinapticWire
import Ledger
import Kit
import TestSupport
import Testing

@testable import FinapticFlow

@Suite("Finaptic: accounts")
struct AccountTests {
  private typealias Wire = FinapticAPI

  private static let ofAccount: [FinapticMethod] = [
    .getAccountDetails, .getAccount, .listAuthorizedUsers, .listOwners,
  ]

  @Test("owners and authorized users see an account, with its people and balances")
  func seen() async throws {
    try await BankingTestApp.run { bank in
      let (owner, other) = (try await bank.customer(), try await bank.customer("Bob", "Cratchit"))
      let account = try await bank.open(owner, funds: 12_345, authorized: other)
      let hold = try await bank.ledger.hold(
        HoldOrder(bank.order(.purchase, 345, from: account, to: BankingTestApp.cards)))
      #expect(hold.done != nil)
      for customer in [owner, other] {
        let asked = Wire.AccountRequest(accountId: account.rawValue.uppercased())
        let seen: Wire.Account = try await bank.call(.getAccount, asked, by: customer).view()
        #expect(seen.id == account.rawValue && seen.sourceDomain == "core-banking" && seen.name == "Current account")
        #expect(seen.balance.actual == .init(amount: "123.45", currency: "CAD"))
        #expect(seen.balance.available == .init(amount: "120.00", currency: "CAD"))
        #expect(seen.owners == [owner.id] && seen.authorizedUsers == [other.id])
        let owners: Wire.OwnersResponse = try await bank.call(.listOwners, asked, by: customer).view()
        #expect(owners.owners == [owner.id])
        let users: Wire.AuthorizedUsersResponse = try await bank.call(.listAuthorizedUsers, asked, by: customer).view()
        #expect(users.authorizedUsers == [other.id])
        let details: Wire.AccountDetails = try await bank.call(.getAccountDetails, asked, by: customer).view()
        #expect(
          details
            == .init(
              accountId: account.rawValue, status: "ACCOUNT_STATUS_ACTIVE",
              accruedInterest: .init(amount: "0.00", currency: "CAD"), accountType: "ACCOUNT_TYPE_DEPOSIT"))
      }
      let sleeping = try await bank.open(owner, isActive: false)
      let details: Wire.AccountDetails = try await bank.call(
        .getAccountDetails, Wire.AccountRequest(accountId: sleeping.rawValue), by: owner
      ).view()
      #expect(details.status == "ACCOUNT_STATUS_INACTIVE")
    }
  }

  @Test("unknown accounts, another customer's, another tenant's and the bank's own get the same answer")
  func hidden() async throws {
    try await BankingTestApp.run { bank in
      let (owner, stranger) = (try await bank.customer(), try await bank.customer("Bob", "Cratchit"))
      let abroad = try await bank.customer("Eve", "Moneypenny", tenant: BankingTestApp.otherTenant)
      let account = try await bank.open(owner, funds: 100)
      let theirs = try await bank.open(abroad, funds: 100)
      for method in Self.ofAccount {
        for (customer, id) in [
          (stranger, account.rawValue), (abroad, account.rawValue), (owner, theirs.rawValue),
          (owner, "0190b0c0-0000-4000-8000-000000000001"),
        ] {
          let answer = try await bank.call(method, Wire.AccountRequest(accountId: id), by: customer)
          #expect(answer.refusal == "404 NOT_FOUND", "\(method.name)")
        }
        // Foundation takes the space of the last one for a digit.
        for id in [
          nil, "", "x", InternalAccounts.account(.cash, tenant: 7).rawValue, "0190b0c0- 000-4000-8000-000000000001",
        ] {
          let answer = try await bank.call(method, Wire.AccountRequest(accountId: id), by: owner)
          #expect(answer.refusal == "400 INVALID_ARGUMENT")
          #expect(answer.error?.details?.fieldViolations?.map(\.field) == ["accountId"])
        }
        let asked = Wire.AccountRequest(accountId: account.rawValue)
        #expect(try await bank.call(method, asked, by: nil).refusal == "401 UNAUTHENTICATED")
      }
    }
  }

  @Test("lists of accounts come by pages, and tokens are of their list only")
  func pages() async throws {
    try await BankingTestApp.run { bank in
      let (owner, other) = (try await bank.customer(), try await bank.customer("Bob", "Cratchit"))
      var all: Set<String> = []
      for _ in 0..<5 { all.insert(try await bank.open(owner).rawValue) }
      all.insert(try await bank.open(other, authorized: owner).rawValue)
      _ = try await bank.open(other)
      var (seen, token) = ([String](), String?.none)
      repeat {
        let page: Wire.AccountsResponse = try await bank.call(
          .listAccounts, Wire.PageRequest(pageSize: 4, pageToken: token), by: owner
        ).view()
        seen += page.accounts.map(\.id)
        token = page.nextPageToken
        if let token {
          let stolen = try await bank.call(.listAccounts, Wire.PageRequest(pageSize: 4, pageToken: token), by: other)
          #expect(stolen.refusal == "400 INVALID_ARGUMENT")
        }
      } while token != nil
      #expect(seen.count == 6 && Set(seen) == all)
      for size in [0, -1, nil] {
        let answer = try await bank.call(.listAccounts, Wire.PageRequest(pageSize: size), by: owner)
        #expect(answer.refusal == "400 INVALID_ARGUMENT")
      }
      for token in ["x", "AAAA", String(repeating: "A", count: 200), "é"] {
        let answer = try await bank.call(.listAccounts, Wire.PageRequest(pageSize: 1, pageToken: token), by: owner)
        #expect(answer.error?.details?.fieldViolations?.map(\.field) == ["pageToken"])
      }
    }
  }
}
