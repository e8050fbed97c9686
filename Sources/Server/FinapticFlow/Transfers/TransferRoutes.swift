// SPDX-License-Identifier: Apache-2.0

import FinapticWire
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
