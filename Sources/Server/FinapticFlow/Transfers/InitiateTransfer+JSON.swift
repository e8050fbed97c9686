// SPDX-License-Identifier: Apache-2.0

import FinapticWire
import Foundation
import GatehouseWire
import Kit

extension FinapticAPI.InitiateTransferRequest: PlainJSONReadable {
  private static let names: [StaticString] = ["source_account_id", "destination_account_id", "fund_transfer"]

  package init?(plain reader: inout PlainJSONReader) {
    var (source, destination, amount) = (String?.none, String?.none, FinapticAPI.Amount?.none)
    let isRead = reader.object(Self.names) { name, reader in
      switch name {
      case 0: source = reader.text()
      case 1: destination = reader.text()
      default: amount = FinapticAPI.Amount(plain: &reader)
      }
      return true
    }
    guard isRead, let source, let destination, let amount else { return nil }
    self.init(sourceAccountId: source, destinationAccountId: destination, fundTransfer: amount)
  }
}

extension FinapticAPI.InitiateTransferResponse {
  /// Bytes of one answer, about.
  private static let size = 512

  /// The same as `WireJSON` writes.
  func json() throws -> Data {
    // No transfer that is just ordered has a remittance.
    guard details.remittance == nil else { return try WireJSON.encode(self) }
    var writer = JSONWriter(capacity: Self.size)
    writer.object { writer in
      writer.name("details")
      writer.object { writer in
        writer.member("clearing_system_ref_number", details.clearingSystemRefNumber)
        if let counterparty = details.counterparty {
          writer.name("counterparty")
          writer.object { $0.member("legal_name", counterparty.legalName) }
        }
        writer.member("customer_role", details.customerRole)
        writer.member("lifecycle_transaction_id", details.lifecycleTransactionId)
        writer.member("status", details.status)
        writer.member("transaction_id", details.transactionId)
        writer.member("transfer_type", details.transferType)
      }
      writer.member("reason", reason)
    }
    return writer.data
  }
}
