import FinapticWire
import HTTP
import Hummingbird
import Kit

/// `/finaptic/v1/coreTransfer/…` (finaptic §3.8).
package struct TransferRoutes: Sendable {
  private let service: FinapticService
  private var transfers: TransferService { service.dependencies.transfers }

  package init(_ service: FinapticService) { self.service = service }

  package func add(to groups: FinapticRouteGroups) {
    let group = groups.customers.group("coreTransfer")
    group.post("initiateTransfer", use: initiate)
    group.post("getTransferDetails", use: details)
    group.post("listTargetAccounts", use: targets)
    group.post("getIncomingTransferDetails", use: incoming)
  }

  @Sendable
  private func initiate(_ request: Request, _ context: FinapticCustomerContext) async throws -> Response {
    try await service.keyedChange(request, FinapticAPI.InitiateTransferRequest.self) { [transfers] body, key in
      try await transfers.initiate(body, key: key, for: context.customer, of: context.tenant)
    }
  }

  @Sendable
  private func details(_ request: Request, _ context: FinapticCustomerContext) async throws -> Response {
    try await service.ask(request, FinapticAPI.TransferDetailsRequest.self) { [transfers] body in
      try await transfers.core.database.read {
        try transfers.details(body, for: context.customer, of: context.tenant, in: $0)
      }
    }
  }

  @Sendable
  private func targets(_ request: Request, _ context: FinapticCustomerContext) async throws -> Response {
    try await service.ask(request, FinapticAPI.ListTargetAccountsRequest.self) { [transfers] body in
      try await transfers.core.database.read {
        try transfers.targets(body, for: context.customer, of: context.tenant, in: $0)
      }
    }
  }

  @Sendable
  private func incoming(_ request: Request, _ context: FinapticCustomerContext) async throws -> Response {
    try await service.ask(request, FinapticAPI.IncomingTransferRequest.self) {
      [dependencies = service.dependencies] body in
      try await dependencies.core.database.read {
        try dependencies.incomingTransfers.look(body, for: context.customer, of: context.tenant, in: $0)
      }
    }
  }
}
