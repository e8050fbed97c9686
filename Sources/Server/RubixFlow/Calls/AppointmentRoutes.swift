// SPDX-License-Identifier: Apache-2.0

import HTTP
import Hummingbird
import Kit
import RubixWire
import Scheduling

/// `/agents/available`, `/agents/slots`, `/agents/appointments…`: the customer's side of calls.
package struct AppointmentRoutes: Sendable {
  let commands: AppointmentCommands

  package func add(to group: RouterGroup<CustomerContext>) {
    group.get("agents/available", use: available)
    group.get("agents/slots", use: slots)
    group.post("agents/appointments", use: book)
    group.get("agents/appointments/current", use: current)
    group.post("agents/appointments/current/cancel", use: cancel)
  }

  @Sendable
  func available(_ request: Request, _ context: CustomerContext) async throws -> Response {
    let query = QueryValues(request)
    guard let callTime = try query.instant("call_time") else {
      throw Problem.validation([.init("/call_time", "required", "The start of the call.")])
    }
    return try Response.json(
      try await commands.available(at: callTime, suiting: query.preference(), for: context.customer))
  }

  @Sendable
  func slots(_ request: Request, _ context: CustomerContext) async throws -> Response {
    let query = QueryValues(request)
    return try Response.json(
      try await commands.slots(
        from: query.date("from"), to: query.date("to"), suiting: query.preference(), for: context.customer))
  }

  @Sendable
  func book(_ request: Request, _ context: CustomerContext) async throws -> Response {
    Response(try await commands.book(StepRequest(request, context)))
  }

  @Sendable
  func current(_ request: Request, _ context: CustomerContext) async throws -> Response {
    let reason = try QueryValues(request).value("reason", "verification or help.") {
      Appointment.Reason(rawValue: $0)
    }
    return try Response.json(try await commands.current(reason: reason, for: context.customer))
  }

  @Sendable
  func cancel(_ request: Request, _ context: CustomerContext) async throws -> Response {
    Response(try await commands.cancel(StepRequest(request, context)))
  }
}
