import FinapticWire
import HTTP
import Hummingbird
import Kit

/// `/finaptic/v1/interac/…` (finaptic §3.7).
package struct InteracRoutes: Sendable {
  private let service: FinapticService

  package init(_ service: FinapticService) { self.service = service }

  package func add(to groups: FinapticRouteGroups) {
    let group = groups.customers.group("interac")
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
    let commands = service.dependencies.registrations
    let new = commands.new()
    return try await service.change(
      request, context, FinapticAPI.CreateRegistrationRequest.self, isolation: .serializable
    ) { body, tx in
      try commands.create(body, new, for: context.customer, of: context.tenant, by: context.actor, in: tx)
    }
  }

  @Sendable
  private func list(_ request: Request, _ context: FinapticCustomerContext) async throws -> Response {
    try await service.ask(request, FinapticAPI.AccountRequest.self) { [dependencies = service.dependencies] body in
      try await dependencies.core.database.read {
        try dependencies.registrations.list(body, for: context.customer, of: context.tenant, in: $0)
      }
    }
  }

  @Sendable
  private func update(_ request: Request, _ context: FinapticCustomerContext) async throws -> Response {
    try await service.change(request, context, FinapticAPI.UpdateRegistrationRequest.self) {
      [commands = service.dependencies.registrations] body, tx in
      try commands.update(body, for: context.customer, of: context.tenant, by: context.actor, in: tx)
    }
  }

  @Sendable
  private func delete(_ request: Request, _ context: FinapticCustomerContext) async throws -> Response {
    try await service.change(request, context, FinapticAPI.DeleteRegistrationRequest.self) {
      [commands = service.dependencies.registrations] body, tx in
      try commands.delete(body, for: context.customer, by: context.actor, in: tx)
    }
  }

  // MARK: Money that waits

  @Sendable
  private func authenticate(_ request: Request, _ context: FinapticCustomerContext) async throws -> Response {
    try await service.change(request, context, FinapticAPI.AuthenticateIncomingTransferRequest.self) {
      [commands = service.dependencies.incomingTransfers] body, tx in
      try commands.authenticate(body, for: context.customer, of: context.tenant, by: context.actor, in: tx)
    }
  }

  /// Serializable: what a customer took within a day is summed.
  @Sendable
  private func complete(_ request: Request, _ context: FinapticCustomerContext) async throws -> Response {
    try await service.change(
      request, context, FinapticAPI.CompleteIncomingTransferRequest.self, isolation: .serializable
    ) { [commands = service.dependencies.incomingTransfers] body, tx in
      try commands.complete(body, for: context.customer, of: context.tenant, by: context.actor, in: tx)
    }
  }

  @Sendable
  private func decline(_ request: Request, _ context: FinapticCustomerContext) async throws -> Response {
    try await service.change(request, context, FinapticAPI.DeclineIncomingTransferRequest.self) {
      [commands = service.dependencies.incomingTransfers] body, tx in
      try commands.decline(body, for: context.customer, of: context.tenant, by: context.actor, in: tx)
    }
  }
}
