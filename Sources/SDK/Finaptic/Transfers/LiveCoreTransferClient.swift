// SPDX-License-Identifier: Apache-2.0

internal import FinapticWire

/// Transfers, over the wire.
final class LiveCoreTransferClient: CoreTransferClient {
  private let calls: FinapticCalls

  init(calls: FinapticCalls) { self.calls = calls }

  func getTransferDetails(
    request: GetTransferDetailsRequest, completion: @escaping FinapticCompletion<TransferTransactionDetails>
  ) {
    calls.start(completion) { (calls) throws(FinapticError) in
      let answer: FinapticAPI.TransferDetails = try await calls.send(.getTransferDetails, request.wire)
      return TransferTransactionDetails(answer)
    }
  }

  func initiateTransfer(
    request: InitiateTransferRequest, completion: @escaping FinapticCompletion<InitiateTransferResponse>
  ) {
    calls.start(completion) { (calls) throws(FinapticError) in
      let answer: FinapticAPI.InitiateTransferResponse = try await calls.send(
        .initiateTransfer, request.wire, idempotencyKey: request.idempotencyKey)
      return InitiateTransferResponse(
        details: TransferTransactionDetails(answer.details), reason: answer.reason ?? "")
    }
  }

  func listTargetAccounts(
    request: ListTargetAccountsRequest, completion: @escaping FinapticCompletion<ListTargetAccountsResponse>
  ) {
    calls.start(completion) { (calls) throws(FinapticError) in
      let answer: FinapticAPI.TargetAccountsResponse = try await calls.send(.listTargetAccounts, request.wire)
      return ListTargetAccountsResponse(
        accounts: answer.accounts.map { AccountIdentification(id: $0.id, sourceDomain: $0.sourceDomain) },
        nextPageToken: answer.nextPageToken.orEnd)
    }
  }

  func getIncomingTransferDetails(
    request: GetIncomingTransferDetailsRequest,
    completion: @escaping FinapticCompletion<GetIncomingTransferDetailsResponse>
  ) {
    calls.start(completion) { (calls) throws(FinapticError) in
      let answer: FinapticAPI.IncomingTransferResponse = try await calls.send(
        .getIncomingTransferDetails,
        FinapticAPI.IncomingTransferRequest(interacPaymentNumber: request.interacPaymentNumber))
      return GetIncomingTransferDetailsResponse(
        transferDetails: try IncomingTransferDetails(answer.transferDetails))
    }
  }
}
