// SPDX-License-Identifier: Apache-2.0

extension CoreTransferClient {
  /// The latest state of a transfer.
  public func getTransferDetails(
    request: GetTransferDetailsRequest
  ) async throws(FinapticError) -> TransferTransactionDetails {
    try await withCheckedContinuation { done in getTransferDetails(request: request) { done.resume(returning: $0) } }
      .get()
  }

  /// Moves money between two of the customer's accounts. Too little money is an answer, not an error.
  public func initiateTransfer(
    request: InitiateTransferRequest
  ) async throws(FinapticError) -> InitiateTransferResponse {
    try await withCheckedContinuation { done in initiateTransfer(request: request) { done.resume(returning: $0) } }
      .get()
  }

  /// Accounts that transfers of a type can go to.
  public func listTargetAccounts(
    request: ListTargetAccountsRequest
  ) async throws(FinapticError) -> ListTargetAccountsResponse {
    try await withCheckedContinuation { done in listTargetAccounts(request: request) { done.resume(returning: $0) } }
      .get()
  }

  /// Money that waits to be taken.
  public func getIncomingTransferDetails(
    request: GetIncomingTransferDetailsRequest
  ) async throws(FinapticError) -> GetIncomingTransferDetailsResponse {
    try await withCheckedContinuation { done in
      getIncomingTransferDetails(request: request) { done.resume(returning: $0) }
    }.get()
  }
}
