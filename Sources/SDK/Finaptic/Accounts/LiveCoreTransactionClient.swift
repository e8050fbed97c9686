internal import GatehouseWire

/// Accounts and their ledger, over the wire.
final class LiveCoreTransactionClient: CoreTransactionClient {
  private let calls: FinapticCalls

  init(calls: FinapticCalls) { self.calls = calls }

  func listAccounts(request: ListAccountsRequest, completion: @escaping FinapticCompletion<ListAccountsResponse>) {
    calls.start(completion) { (calls) throws(FinapticError) in
      let answer: FinapticWire.AccountsResponse = try await calls.send(.listAccounts, request.wire)
      return ListAccountsResponse(
        accounts: try answer.accounts.all { (account) throws(FinapticError) in try Account(account) },
        nextPageToken: answer.nextPageToken.orEnd)
    }
  }

  func getAccount(request: GetAccountRequest, completion: @escaping FinapticCompletion<Account>) {
    calls.start(completion) { (calls) throws(FinapticError) in
      let answer: FinapticWire.Account = try await calls.send(
        .getAccount, FinapticWire.AccountRequest(accountId: request.accountId))
      return try Account(answer)
    }
  }

  func listAuthorizedUsers(
    request: ListAuthorizedUsersRequest, completion: @escaping FinapticCompletion<ListAuthorizedUsersResponse>
  ) {
    calls.start(completion) { (calls) throws(FinapticError) in
      let answer: FinapticWire.AuthorizedUsersResponse = try await calls.send(
        .listAuthorizedUsers, FinapticWire.AccountRequest(accountId: request.accountId))
      return ListAuthorizedUsersResponse(authorizedUsers: answer.authorizedUsers)
    }
  }

  func listOwners(request: ListOwnersRequest, completion: @escaping FinapticCompletion<ListOwnersResponse>) {
    calls.start(completion) { (calls) throws(FinapticError) in
      let answer: FinapticWire.OwnersResponse = try await calls.send(
        .listOwners, FinapticWire.AccountRequest(accountId: request.accountId))
      return ListOwnersResponse(owners: answer.owners)
    }
  }

  func listTransactions(
    request: ListTransactionsRequest, completion: @escaping FinapticCompletion<ListTransactionsResponse>
  ) {
    calls.start(completion) { (calls) throws(FinapticError) in
      let answer: FinapticWire.AccountTransactionsResponse = try await calls.send(.listTransactions, request.wire)
      return ListTransactionsResponse(
        transactions: try answer.transactions.all { (entry) throws(FinapticError) in try AccountTransaction(entry) },
        nextPageToken: answer.nextPageToken.orEnd)
    }
  }
}
