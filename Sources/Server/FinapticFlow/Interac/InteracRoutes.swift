import FinapticWire
import HTTP
import Hummingbird
import Kit

/// `/finaptic/v1/interac/…` (finaptic §3.7).
package struct InteracRoutes: Sendable {
  private let room: FinapticService

  package init(_ room: FinapticService) { self.room = room }

  package func add(to doors: FinapticRouteGroups) {
    let group = doors.customers.group("interac")
    group.post("createRegistration", use: create)
    group.post("listAutodepositRegistrations", use: list)
    group.post("updateRegistration", use: update)
    group.post("deleteRegistration", use: delete)
    group.post("authenticateIncomingTransfer", use: authenticate)
    group.post("completeIncomingTransfer", use: complete)
    group.post("declineIncomingTransfer", use: decline)
  }

  // MARK: Registrations

  /// Serializable: how many a customer has is counted.
  @Sendable
  private func create(_ request: Request, _ context: FinapticCustomerContext) async throws -> Response {
    let commands = room.parts.registrations
    let new = commands.new()
    return try await room.change(
      request, context, FinapticAPI.CreateRegistrationRequest.self, isolation: .serializable
    ) { body, tx in
      try commands.create(body, new, for: context.customer, of: context.tenant, by: context.actor, in: tx)
    }
  }

  @Sendable
  private func list(_ request: Request, _ context: FinapticCustomerContext) async throws -> Response {
    try await room.ask(request, FinapticAPI.AccountRequest.self) { [parts = room.parts] body in
      try await parts.core.database.read {
        try parts.registrations.list(body, for: context.customer, of: context.tenant, in: $0)
      }
    }
  }

  @Sendable
  private func update(_ request: Request, _ context: FinapticCustomerContext) async throws -> Response {
    try await room.change(request, context, FinapticAPI.UpdateRegistrationRequest.self) {
      [commands = room.parts.registrations] body, tx in
      try commands.update(body, for: context.customer, of: context.tenant, by: context.actor, in: tx)
    }
  }

  @Sendable
  private func delete(_ request: Request, _ context: FinapticCustomerContext) async throws -> Response {
    try await room.change(request, context, FinapticAPI.DeleteRegistrationRequest.self) {
      [commands = room.parts.registrations] body, tx in
      try commands.delete(body, for: context.customer, by: context.actor, in: tx)
    }
  }

  // MARK: Money that waits

  @Sendable
  private func authenticate(_ request: Request, _ context: FinapticCustomerContext) async throws -> Response {
    try await room.change(request, context, FinapticAPI.AuthenticateIncomingTransferRequest.self) {
      [commands = room.parts.incomingTransfers] body, tx in
      try commands.authenticate(body, for: context.customer, of: context.tenant, by: context.actor, in: tx)
    }
  }

  /// Serializable: what a customer took within a day is summed.
  @Sendable
  private func complete(_ request: Request, _ context: FinapticCustomerContext) async throws -> Response {
    try await room.change(
      request, context, FinapticAPI.CompleteIncomingTransferRequest.self, isolation: .serializable
    ) { [commands = room.parts.incomingTransfers] body, tx in
      try commands.complete(body, for: context.customer, of: context.tenant, by: context.actor, in: tx)
    }
  }

  @Sendable
  private func decline(_ request: Request, _ context: FinapticCustomerContext) async throws -> Response {
    try await room.change(request, context, FinapticAPI.DeclineIncomingTransferRequest.self) {
      [commands = room.parts.incomingTransfers] body, tx in
      try commands.decline(body, for: context.customer, of: context.tenant, by: context.actor, in: tx)
    }
  }
}
