// SPDX-License-Identifier: Apache-2.0

import FinapticWire
import HTTP
import Hummingbird
import Kit

/// `/finaptic/v1/interac/…` (finaptic §3.7).
package struct InteracRoutes: Sendable {
  let calls: FinapticCalls
  let registrations: RegistrationCommands
  let transfers: IncomingTransferCommands

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
    let new = registrations.new()
    let call = try await calls.read(request, context, FinapticAPI.CreateRegistrationRequest.self)
    return try await calls.core.database.writeOnce(.serializable) { tx in
      if let earlier = try calls.claim(call, in: tx) { return earlier }
      let view = try registrations.create(
        call.body, new, for: context.customer, of: context.tenant, by: context.actor, in: tx)
      return try calls.keep(view, for: call, in: tx)
    }
  }

  @Sendable
  private func list(_ request: Request, _ context: FinapticCustomerContext) async throws -> Response {
    let asked = try await calls.body(request, FinapticAPI.AccountRequest.self)
    return try Response.json(
      try await calls.core.database.read {
        try registrations.list(asked, for: context.customer, of: context.tenant, in: $0)
      })
  }

  @Sendable
  private func update(_ request: Request, _ context: FinapticCustomerContext) async throws -> Response {
    let call = try await calls.read(request, context, FinapticAPI.UpdateRegistrationRequest.self)
    return try await calls.core.database.writeOnce { tx in
      if let earlier = try calls.claim(call, in: tx) { return earlier }
      let view = try registrations.update(
        call.body, for: context.customer, of: context.tenant, by: context.actor, in: tx)
      return try calls.keep(view, for: call, in: tx)
    }
  }

  @Sendable
  private func delete(_ request: Request, _ context: FinapticCustomerContext) async throws -> Response {
    let call = try await calls.read(request, context, FinapticAPI.DeleteRegistrationRequest.self)
    return try await calls.core.database.writeOnce { tx in
      if let earlier = try calls.claim(call, in: tx) { return earlier }
      let view = try registrations.delete(call.body, for: context.customer, by: context.actor, in: tx)
      return try calls.keep(view, for: call, in: tx)
    }
  }

  // MARK: Money that waits

  @Sendable
  private func authenticate(_ request: Request, _ context: FinapticCustomerContext) async throws -> Response {
    let call = try await calls.read(request, context, FinapticAPI.AuthenticateIncomingTransferRequest.self)
    return try await calls.core.database.writeOnce { tx in
      if let earlier = try calls.claim(call, in: tx) { return earlier }
      let view = try transfers.authenticate(
        call.body, for: context.customer, of: context.tenant, by: context.actor, in: tx)
      return try calls.keep(view, for: call, in: tx)
    }
  }

  /// It waits for accounts that are booked on all the time, as a booking does.
  @Sendable
  private func complete(_ request: Request, _ context: FinapticCustomerContext) async throws -> Response {
    let call = try await calls.read(request, context, FinapticAPI.CompleteIncomingTransferRequest.self)
    return try await calls.core.database.writeOnce(.readCommitted) { tx in
      if let earlier = try calls.claim(call, in: tx) { return earlier }
      let view = try transfers.complete(
        call.body, for: context.customer, of: context.tenant, by: context.actor, in: tx)
      return try calls.keep(view, for: call, in: tx)
    }
  }

  @Sendable
  private func decline(_ request: Request, _ context: FinapticCustomerContext) async throws -> Response {
    let call = try await calls.read(request, context, FinapticAPI.DeclineIncomingTransferRequest.self)
    return try await calls.core.database.writeOnce { tx in
      if let earlier = try calls.claim(call, in: tx) { return earlier }
      let view = try transfers.decline(
        call.body, for: context.customer, of: context.tenant, by: context.actor, in: tx)
      return try calls.keep(view, for: call, in: tx)
    }
  }
}
