import Foundation
import GatehouseWire
import HTTP
import HTTPTypes
import Hummingbird
import Kit

/// `/finaptic/v1/coreTransfer/…` (finaptic §3.8).
package struct TransferRoutes: Sendable {
  private let room: FinapticRoom

  package init(_ room: FinapticRoom) { self.room = room }

  package func add(to doors: FinapticDoors) {
    let group = doors.customers.group("coreTransfer")
    group.post("initiateTransfer", use: initiate)
    group.post("getTransferDetails", use: details)
    group.post("listTargetAccounts", use: targets)
    group.post("getIncomingTransferDetails", use: incoming)
  }

  /// The key of the call is the books' own key: they answer it for ever, and joined with others' orders. So nothing
  /// else keeps the answer.
  @Sendable
  private func initiate(_ request: Request, _ context: FinapticCustomerContext) async throws -> Response {
    let key = try Self.key(request) ?? room.parts.world.randomUUID()
    return try await room.ask(request, FinapticWire.InitiateTransferRequest.self) { [parts = room.parts] body in
      try await TransferCommands(parts: parts).initiate(body, key: key, for: context.customer, of: context.tenant)
    }
  }

  @Sendable
  private func details(_ request: Request, _ context: FinapticCustomerContext) async throws -> Response {
    try await room.ask(request, FinapticWire.TransactionRequest.self) { [parts = room.parts] body in
      try await parts.database.read {
        try TransferReading(parts: parts).details(body, for: context.customer, of: context.tenant, in: $0)
      }
    }
  }

  @Sendable
  private func targets(_ request: Request, _ context: FinapticCustomerContext) async throws -> Response {
    try await room.ask(request, FinapticWire.ListTargetAccountsRequest.self) { [parts = room.parts] body in
      try await parts.database.read {
        try TransferReading(parts: parts).targets(body, for: context.customer, of: context.tenant, in: $0)
      }
    }
  }

  @Sendable
  private func incoming(_ request: Request, _ context: FinapticCustomerContext) async throws -> Response {
    try await room.ask(request, FinapticWire.IncomingTransferRequest.self) { [parts = room.parts] body in
      try await parts.database.read {
        try IncomingTransferCommands(parts: parts).look(body, for: context.customer, of: context.tenant, in: $0)
      }
    }
  }

  /// - Throws: `Problem` missing-header for a key that is no UUID.
  static func key(_ request: Request) throws -> String? {
    guard let text = request.headers[.callKey] else { return nil }
    guard let key = UUID(uuidString: text) else {
      throw Problem(.badRequest, "missing-header", "\(FinapticWire.idempotencyKeyHeader) must be a UUID.")
    }
    return key.uuidString.lowercased()
  }
}

extension HTTPField.Name {
  fileprivate static let callKey = Self(FinapticWire.idempotencyKeyHeader)!
}
