// SPDX-License-Identifier: Apache-2.0

import Finaptic
import Foundation

/// What the customer was told, held against what the server says when all is over.
extension AccountOpening {
  func faults() async -> [String] {
    var found = broken
    if isFinished { found += await faultsNow() } else { found.append("never ended; stands at \(place)") }
    return found.map { "opening \(serial): \($0)" }
  }

  private func faultsNow() async -> [String] {
    do {
      let sdk = try await scene.bank.app(serial, store)
      return isAway && form != nil ? try await comeBack(sdk) : try await books(sdk)
    } catch {
      return ["the server says nothing of it: \((error as? FinapticError)?.code.rawValue ?? "\(type(of: error))")"]
    }
  }

  /// The selfie that was uploaded while nodes died is there, and the application goes on from it.
  private func comeBack(_ sdk: FinapticSDK) async throws -> [String] {
    guard let form else { return [] }
    let client = sdk.onboardingClient
    let selfie = try await client.validateSelfie(
      request: ValidateSelfieRequest(onboardingApplicationId: form.id, fileName: form.pictures[1])
    ).basicDetails
    let whole = try await client.validateApplication(
      request: ValidateApplicationRequest(onboardingApplicationId: form.id)
    ).basicDetails
    let ended = try await client.cancelApplication(request: CancelApplicationRequest(onboardingApplicationId: form.id))
      .basicDetails
    let statuses = [selfie, whole, ended].map(\.onboardingApplicationStatus)
    return statuses == [.kycInProgress, .kycSuccess, .applicationCancelled]
      ? [] : ["came back to an application that went \(statuses.map(\.rawValue))"]
  }

  /// Every transfer that was acknowledged is booked once on either account, and none that was not asked for.
  private func books(_ sdk: FinapticSDK) async throws -> [String] {
    guard accounts.count == 2 else { return [] }
    var found: [String] = []
    let mine = try await sdk.coreTransactionClient.listAccounts(request: ListAccountsRequest(pageSize: 10)).accounts
    if Set(mine.map(\.id)) != Set(accounts) { found.append("has \(mine.count) accounts, and was told of two others") }
    for (place, account) in accounts.enumerated() {
      var entries: [AccountTransaction] = []
      var token: String?
      repeat {
        let page = try await sdk.coreTransactionClient.listTransactions(
          request: ListTransactionsRequest(accountId: account, pageSize: 50, pageToken: token))
        entries += page.transactions
        token = page.nextPageToken
      } while token != nil && entries.count < 1_000
      found += faults(of: entries, onFirst: place == 0).map { "account \(place + 1) \($0)" }
      let sum = entries.reduce(Decimal(0)) { $0 + $1.amount.amount }
      if mine.first(where: { $0.id == account })?.balance.actual.amount != sum {
        found.append("account \(place + 1) has another balance than its entries")
      }
    }
    for order in orders {
      guard let transaction = order.transaction else { continue }
      let details = try await sdk.coreTransferClient.getTransferDetails(
        request: GetTransferDetailsRequest(transactionId: transaction))
      if details.status != .completed { found.append("a completed transfer is \(details.status.rawValue) now") }
    }
    return found
  }

  private func faults(of entries: [AccountTransaction], onFirst: Bool) -> [String] {
    var found: [String] = []
    var left = entries
    func take(_ matches: (AccountTransaction) -> Bool) -> Int {
      let before = left.count
      left.removeAll(where: matches)
      return before - left.count
    }
    let deposits = take { $0.amount.amount == Decimal(Self.funds) / 100 }
    if deposits != 1 { found.append("has \(deposits) deposits") }
    for order in orders {
      let amount = Decimal(order.isForth == onFirst ? -order.cents : order.cents) / 100
      let booked = take { $0.amount.amount == amount }
      switch order.transaction {
      case .some(let id):
        let named = entries.count { $0.transactionId == id }
        if booked != 1 || named != 1 { found.append("has an acknowledged transfer \(booked) times, its id \(named)") }
      case nil: if booked > 1 { found.append("has a transfer \(booked) times that was asked for once") }
      }
    }
    if !left.isEmpty { found.append("has \(left.count) entries that were not asked for") }
    return found
  }
}
