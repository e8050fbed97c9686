// SPDX-License-Identifier: Apache-2.0

import FinapticWire
import Foundation
import GatehouseWire
import HTTP
import Hummingbird
import Kit

/// `/finaptic/v1/coreTransfer/…` (finaptic §3.8).
package struct TransferRoutes: Sendable {
  let calls: FinapticCalls
  let transfers: TransferService
  let incomingTransfers: IncomingTransferCommands

  package func add(to groups: FinapticRouteGroups) {
    let group = groups.customers.group("coreTransfer")
    group.post("initiateTransfer", use: initiate)
    group.post("getTransferDetails", use: details)
    group.post("listTargetAccounts", use: targets)
    group.post("getIncomingTransferDetails", use: incoming)
  }

  @Sendable
  private func initiate(_ request: Request, _ context: FinapticCustomerContext) async throws -> Response {
    let (asked, key) = try await calls.order(request, FinapticAPI.InitiateTransferRequest.self)
    let answer = try await transfers.initiate(asked, key: key, for: context.customer, of: context.tenant)
    return Response.json(encoded: try answer.json())
  }

  @Sendable
  private func details(_ request: Request, _ context: FinapticCustomerContext) async throws -> Response {
    let asked = try await calls.body(request, FinapticAPI.TransferDetailsRequest.self)
    return try Response.json(
      try await calls.core.database.read {
        try transfers.details(asked, for: context.customer, of: context.tenant, in: $0)
      })
  }

  @Sendable
  private func targets(_ request: Request, _ context: FinapticCustomerContext) async throws -> Response {
    let asked = try await calls.body(request, FinapticAPI.ListTargetAccountsRequest.self)
    return try Response.json(
      try await calls.core.database.read {
        try transfers.targets(asked, for: context.customer, of: context.tenant, in: $0)
      })
  }

  @Sendable
  private func incoming(_ request: Request, _ context: FinapticCustomerContext) async throws -> Response {
    let asked = try await calls.body(request, FinapticAPI.IncomingTransferRequest.self)
    return try Response.json(
      try await calls.core.database.read {
        try incomingTransfers.look(asked, for: context.customer, of: context.tenant, in: $0)
      })
  }
}

// MARK: The JSON of an order, which is read and written more often than that of any other call

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

extension FinapticAPI.Amount {
  private static let names: [StaticString] = ["amount", "currency"]

  /// - Returns: nil as `PlainJSONReadable` has it.
  init?(plain reader: inout PlainJSONReader) {
    var (amount, currency) = (String?.none, String?.none)
    let isRead = reader.object(Self.names) { name, reader in
      if name == 0 { amount = reader.text() } else { currency = reader.text() }
      return true
    }
    guard isRead, let amount, let currency else { return nil }
    self.init(amount: amount, currency: currency)
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
