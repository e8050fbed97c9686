// SPDX-License-Identifier: Apache-2.0

internal import FinapticWire

/// Accounts and their ledger, over the wire.
final class LiveCoreTransactionClient: CoreTransactionClient {
  private let calls: FinapticCalls

  init(calls: FinapticCalls) { self.calls = calls }

  func listAccounts(request: ListAccountsRequest, completion: @escaping FinapticCompletion<ListAccountsResponse>) {
    calls.start(completion) { (calls) throws(FinapticError) in
      let answer: FinapticAPI.AccountsResponse = try await calls.send(.listAccounts, request.wire)
      return ListAccountsResponse(
        accounts: try answer.accounts.all { (account) throws(FinapticError) in try Account(account) },
        nextPageToken: answer.nextPageToken.orEnd)
    }
  }

  func getAccount(request: GetAccountRequest, completion: @escaping FinapticCompletion<Account>) {
    calls.start(completion) { (calls) throws(FinapticError) in
      let answer: FinapticAPI.Account = try await calls.send(
        .getAccount, FinapticAPI.AccountRequest(accountId: request.accountId))
      return try Account(answer)
    }
  }

  func listAuthorizedUsers(
    request: ListAuthorizedUsersRequest, completion: @escaping FinapticCompletion<ListAuthorizedUsersResponse>
  ) {
    calls.start(completion) { (calls) throws(FinapticError) in
      let answer: FinapticAPI.AuthorizedUsersResponse = try await calls.send(
        .listAuthorizedUsers, FinapticAPI.AccountRequest(accountId: request.accountId))
      return ListAuthorizedUsersResponse(authorizedUsers: answer.authorizedUsers)
    }
  }

  func listOwners(request: ListOwnersRequest, completion: @escaping FinapticCompletion<ListOwnersResponse>) {
    calls.start(completion) { (calls) throws(FinapticError) in
      let answer: FinapticAPI.OwnersResponse = try await calls.send(
        .listOwners, FinapticAPI.AccountRequest(accountId: request.accountId))
      return ListOwnersResponse(owners: answer.owners)
    }
  }

  func listTransactions(
    request: ListTransactionsRequest, completion: @escaping FinapticCompletion<ListTransactionsResponse>
  ) {
    calls.start(completion) { (calls) throws(FinapticError) in
      let answer: FinapticAPI.AccountTransactionsResponse = try await calls.send(.listTransactions, request.wire)
      return ListTransactionsResponse(
        transactions: try answer.transactions.all { (entry) throws(FinapticError) in try AccountTransaction(entry) },
        nextPageToken: answer.nextPageToken.orEnd)
    }
  }
}
