// SPDX-License-Identifier: Apache-2.0

internal import FinapticWire

extension InitiateTransferRequest {
  var wire: FinapticAPI.InitiateTransferRequest {
    FinapticAPI.InitiateTransferRequest(
      sourceAccountId: sourceAccountId, destinationAccountId: destinationAccountId, fundTransfer: fundTransfer.wire)
  }
}

extension GetTransferDetailsRequest {
  var wire: FinapticAPI.TransferDetailsRequest {
    guard let idempotencyKey else { return FinapticAPI.TransferDetailsRequest(transactionId: transactionId) }
    return FinapticAPI.TransferDetailsRequest(idempotencyKey: idempotencyKey.uuidString.lowercased())
  }
}

extension ListTargetAccountsRequest {
  var wire: FinapticAPI.ListTargetAccountsRequest {
    FinapticAPI.ListTargetAccountsRequest(
      transferType: transferType.rawValue, pageSize: pageSize, pageToken: pageToken)
  }
}

extension TransferTransactionDetails {
  init(_ wire: FinapticAPI.TransferDetails) {
    self.init(
      transactionId: wire.transactionId, lifecycleTransactionId: wire.lifecycleTransactionId,
      status: TransferStatus(rawValue: wire.status) ?? .unspecified,
      customerRole: CustomerRole(rawValue: wire.customerRole) ?? .unspecified,
      transferType: TransferType(rawValue: wire.transferType) ?? .unspecified,
      counterparty: wire.counterparty.map { Counterparty(legalName: $0.legalName) },
      clearingSystemRefNumber: wire.clearingSystemRefNumber, remittance: wire.remittance.map { Remittance($0) })
  }
}

extension IncomingTransferDetails {
  init(_ wire: FinapticAPI.IncomingTransfer) throws(FinapticError) {
    self.init(
      interacPaymentNumber: wire.interacPaymentNumber,
      transferStatus: IncomingTransferStatus(rawValue: wire.transferStatus) ?? .unspecified,
      transferAmount: try Amount(wire.transferAmount), expiryDate: wire.expiryDate.date,
      initiatorName: wire.initiatorName, authenticationRequired: wire.authenticationRequired,
      securityQuestion: wire.securityQuestion, senderMemo: wire.senderMemo)
  }
}
