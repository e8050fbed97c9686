// SPDX-License-Identifier: Apache-2.0

/// Transfers (finaptic §3.8).
public protocol CoreTransferClient: AnyObject, Sendable {
  /// The latest state of a transfer.
  func getTransferDetails(
    request: GetTransferDetailsRequest, completion: @escaping FinapticCompletion<TransferTransactionDetails>)
  /// Moves money between two of the customer's accounts. Too little money is an answer, not an error.
  func initiateTransfer(
    request: InitiateTransferRequest, completion: @escaping FinapticCompletion<InitiateTransferResponse>)
  /// Accounts that transfers of a type can go to.
  func listTargetAccounts(
    request: ListTargetAccountsRequest, completion: @escaping FinapticCompletion<ListTargetAccountsResponse>)
  /// Money that waits to be taken.
  func getIncomingTransferDetails(
    request: GetIncomingTransferDetailsRequest,
    completion: @escaping FinapticCompletion<GetIncomingTransferDetailsResponse>)
}
