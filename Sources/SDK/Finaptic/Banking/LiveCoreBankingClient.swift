// SPDX-License-Identifier: Apache-2.0

internal import FinapticWire

/// Accounts as the core sees them, over the wire.
final class LiveCoreBankingClient: CoreBankingClient {
  private let calls: FinapticCalls

  init(calls: FinapticCalls) { self.calls = calls }

  func getAccountDetails(request: GetAccountDetailsRequest, completion: @escaping FinapticCompletion<AccountDetails>) {
    calls.start(completion) { (calls) throws(FinapticError) in
      let answer: FinapticAPI.AccountDetails = try await calls.send(
        .getAccountDetails, FinapticAPI.AccountRequest(accountId: request.accountId))
      return AccountDetails(
        accountId: answer.accountId, status: AccountStatus(rawValue: answer.status) ?? .unspecified,
        accruedInterest: try Amount(answer.accruedInterest),
        accountType: AccountType(rawValue: answer.accountType) ?? .unspecified)
    }
  }
}
