import FinapticWire
import HTTP
import Hummingbird
import Kit

/// `/finaptic/v1/coreTransfer/…` (finaptic §3.8).
package struct TransferRoutes: Sendable {
  private let room: FinapticService

  package init(_ room: FinapticService) { self.room = room }

  package func add(to doors: FinapticRouteGroups) {
    let group = doors.customers.group("coreTransfer")
    group.post("initiateTransfer", use: initiate)
    group.post("getTransferDetails", use: details)
    group.post("listTargetAccounts", use: targets)
    group.post("getIncomingTransferDetails", use: incoming)
  }

  @Sendable
  private func initiate(_ request: Request, _ context: FinapticCustomerContext) async throws -> Response {
    try await room.order(request, FinapticAPI.InitiateTransferRequest.self) { [parts = room.parts] body, key in
      try await TransferCommands(parts: parts).initiate(body, key: key, for: context.customer, of: context.tenant)
    }
  }

  @Sendable
  private func details(_ request: Request, _ context: FinapticCustomerContext) async throws -> Response {
    try await room.ask(request, FinapticAPI.TransactionRequest.self) { [parts = room.parts] body in
      try await parts.database.read {
        try TransferReading(parts: parts).details(body, for: context.customer, of: context.tenant, in: $0)
      }
    }
  }

  @Sendable
  private func targets(_ request: Request, _ context: FinapticCustomerContext) async throws -> Response {
    try await room.ask(request, FinapticAPI.ListTargetAccountsRequest.self) { [parts = room.parts] body in
      try await parts.database.read {
        try TransferReading(parts: parts).targets(body, for: context.customer, of: context.tenant, in: $0)
      }
    }
  }

  @Sendable
  private func incoming(_ request: Request, _ context: FinapticCustomerContext) async throws -> Response {
    try await room.ask(request, FinapticAPI.IncomingTransferRequest.self) { [parts = room.parts] body in
      try await parts.database.read {
        try IncomingTransferCommands(parts: parts).look(body, for: context.customer, of: context.tenant, in: $0)
      }
    }
  }
}
