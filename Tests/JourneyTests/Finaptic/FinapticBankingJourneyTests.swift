// SPDX-License-Identifier: Apache-2.0

import Ledger
import Finaptic
import FinapticFlow
import FinapticSamples
import Foundation
import Kit
import TestSupport
import Testing

@testable import GatehouseApp

/// Accounts and transactions as an app has them: through the SDK, from the application to the last page.
@Suite("Finaptic banking: through the SDK", .serialized)
@MainActor
struct FinapticBankingJourneyTests {
  @Test("an account that was applied for is there, and what happens on it is seen both ways")
  func account() async throws {
    try await FinapticTestApp.run { app in
      let (sdk, _, id) = try await FinapticApplicant.customer(in: app, email: "ada@example.ca")
      let accounts = try await sdk.coreTransactionClient.listAccounts(request: ListAccountsRequest(pageSize: 5))
      let account = try #require(accounts.accounts.first)
      #expect(accounts.accounts.count == 1 && accounts.nextPageToken == nil && account.id == id)
      #expect(account.balance.actual.amount == 0 && account.name == "Current account")
      #expect(try await sdk.coreTransactionClient.getAccount(request: GetAccountRequest(accountId: id)) == account)
      let owners = try await sdk.coreTransactionClient.listOwners(request: ListOwnersRequest(accountId: id))
      #expect(owners.owners == account.owners && owners.owners.count == 1)
      let users = try await sdk.coreTransactionClient.listAuthorizedUsers(
        request: ListAuthorizedUsersRequest(accountId: id))
      #expect(users.authorizedUsers.isEmpty)
      let stated = try await sdk.statementClient.listStatements(request: ListStatementsRequest(accountId: id))
      #expect(stated.statements.isEmpty)
      let details = try await sdk.coreBankingClient.getAccountDetails(request: GetAccountDetailsRequest(accountId: id))
      #expect(details.status == .active && details.accruedInterest.amount == 0 && details.accountType == .deposit)
      for amount in 1...5 {
        try await app.deposit(Int64(amount), to: id)
        app.clock.advance(by: .seconds(60))
      }
      let first = try await sdk.coreTransactionClient.listTransactions(
        request: ListTransactionsRequest(accountId: id, pageSize: 3))
      #expect(first.transactions.map { "\($0.amount.amount)" } == ["0.05", "0.04", "0.03"])
      let rest = try await sdk.coreTransactionClient.listTransactions(
        request: ListTransactionsRequest(accountId: id, pageSize: 3, pageToken: first.nextPageToken))
      #expect(rest.transactions.count == 2 && rest.nextPageToken == nil)
      let ranged = try await sdk.coreTransactionClient.listTransactions(
        request: ListTransactionsRequest(
          accountId: id, from: rest.transactions[1].transactionTime, to: rest.transactions[0].transactionTime,
          pageSize: 3))
      #expect(ranged.transactions == [rest.transactions[1]])
      let newest = try await sdk.personalFinanceManagementClient.getTransactions(
        request: GetTransactionsRequest(accountId: id, pageSize: 2, sortOrder: .descending))
      #expect(newest.sortOrder == .descending && newest.previousPageToken == nil)
      let next = try await sdk.personalFinanceManagementClient.getTransactions(
        request: GetTransactionsRequest(
          accountId: id, pageSize: 2, pageToken: newest.nextPageToken, sortOrder: .descending))
      let back = try await sdk.personalFinanceManagementClient.getTransactions(
        request: GetTransactionsRequest(
          accountId: id, pageSize: 2, pageToken: next.previousPageToken, sortOrder: .descending))
      #expect(back.transactions == newest.transactions)
      let one = try await sdk.personalFinanceManagementClient.getTransaction(
        request: GetTransactionRequest(transactionId: newest.transactions[0].transactionId))
      #expect(one.transaction == newest.transactions[0] && one.transaction.transactionType == .credit)
      try await play(sdk, id, one.transaction.transactionId)
    }
  }

  /// The seed's samples, signed in: they print how it went.
  private func play(_ sdk: FinapticSDK, _ account: String, _ transaction: String) async throws {
    for (sample, expected) in [
      ({ AccountSamples.listAccounts(sdk: sdk) }, "Accounts: 1"),
      ({ AccountSamples.getAccount(sdk: sdk, accountId: account) }, "Get account success: "),
      ({ AccountSamples.listAuthorizedUsers(sdk: sdk, accountId: account) }, "List authorized users success"),
      ({ AccountSamples.listOwners(sdk: sdk, accountId: account) }, "List owners success"),
      ({ AccountSamples.listTransactions(sdk: sdk, accountId: account) }, "List transactions success"),
      ({ BankingSamples.getAccountDetails(sdk: sdk, accountId: account) }, "active"),
      ({ PersonalFinanceSamples.getTransactions(sdk: sdk, accountId: account) }, "Get transactions success"),
      (
        { PersonalFinanceSamples.getTransaction(sdk: sdk, transactionId: transaction) },
        "Get transaction success: \(transaction)"
      ),
    ] as [(() -> Void, String)] {
      let text = await Transcript.heard(sample)
      #expect(text.hasPrefix(expected), "\(text)")
    }
  }

  @Test("every refusal of these calls has its code")
  func refusals() async throws {
    try await FinapticTestApp.run { app in
      let (sdk, _, id) = try await FinapticApplicant.customer(in: app, email: "ada@example.ca")
      let (other, _, _) = try await FinapticApplicant.customer(in: app, email: "bob@example.ca")
      let nobody = try await app.phone()
      let unknown = "00000000-0000-4000-8000-000000000000"
      let calls: [(String, FinapticErrorCode, @Sendable (FinapticSDK, String) async throws -> Void)] = [
        (
          "getAccountDetails", .notFound,
          { sdk, id in
            _ = try await sdk.coreBankingClient.getAccountDetails(request: GetAccountDetailsRequest(accountId: id))
          }
        ),
        (
          "getAccount", .notFound,
          { sdk, id in
            _ = try await sdk.coreTransactionClient.getAccount(request: GetAccountRequest(accountId: id))
          }
        ),
        (
          "listTransactions", .notFound,
          { sdk, id in
            _ = try await sdk.coreTransactionClient.listTransactions(
              request: ListTransactionsRequest(accountId: id, pageSize: 1))
          }
        ),
        (
          "getTransactions", .notFound,
          { sdk, id in
            _ = try await sdk.personalFinanceManagementClient.getTransactions(
              request: GetTransactionsRequest(accountId: id, pageSize: 1, sortOrder: .ascending))
          }
        ),
        (
          "getTransaction", .notFound,
          { sdk, id in
            _ = try await sdk.personalFinanceManagementClient.getTransaction(
              request: GetTransactionRequest(transactionId: id))
          }
        ),
      ]
      for (name, code, call) in calls {
        #expect(await Self.code { try await call(other, id) } == code, "\(name) of another person's")
        #expect(await Self.code { try await call(sdk, unknown) } == code, "\(name) of nothing")
        #expect(await Self.code { try await call(sdk, "x") } == .invalidArgument, "\(name) of no id")
        #expect(await Self.code { try await call(nobody, id) } == .unauthenticated, "\(name) without sign-in")
      }
      #expect(
        await Self.code {
          _ = try await sdk.coreTransactionClient.listAccounts(request: ListAccountsRequest(pageSize: 0))
        } == .invalidArgument)
      #expect(
        await Self.code {
          _ = try await sdk.personalFinanceManagementClient.getTransactions(
            request: GetTransactionsRequest(accountId: id, pageSize: 1, sortOrder: .orderUnspecified))
        } == .invalidArgument)
      #expect(
        await Self.code {
          _ = try await sdk.coreTransactionClient.listTransactions(
            request: ListTransactionsRequest(accountId: id, from: app.now, to: app.now - 1, pageSize: 1))
        } == .invalidArgument)
    }
  }

  private nonisolated static func code(_ call: @Sendable () async throws -> Void) async -> FinapticErrorCode? {
    do { try await call() } catch { return (error as? FinapticError)?.code }
    return nil
  }
}

extension FinapticTestApp {
  /// Cash over the counter.
  func deposit(_ minorUnits: Int64, to account: String) async throws {
    let order = TransferOrder(
      .deposit, tenant: 7, key: clock.world.uuid(), debit: InternalAccounts.account(.cash, tenant: 7),
      credit: .init(rawValue: account), amount: Money(minorUnits, "CAD"))
    guard case .done = try await app.finaptic.dependencies.ledger.transfer(order) else { throw SetUpFailed() }
  }

  private struct SetUpFailed: Error {}
}
