// SPDX-License-Identifier: Apache-2.0

public import GatehouseWire
public import RubixWire

extension RubixOnboarding {
  /// Free slots in the institution's calendar (§6.13).
  public func slots(
    from: WireDate? = nil, to: WireDate? = nil, gender: Gender? = nil, language: String? = nil
  ) async throws(RubixError) -> SlotList {
    var query: [(name: String, value: String)] = []
    if let from { query.append((name: "from", value: from.description)) }
    if let to { query.append((name: "to", value: to.description)) }
    if let gender { query.append((name: "gender", value: gender.rawValue)) }
    if let language { query.append((name: "language", value: language)) }
    return try await send(call("GET", "agents/slots", query: query))
  }

  /// Whether some agent is free then (§6.13).
  public func available(callTime: WireInstant, gender: Gender? = nil) async throws(RubixError) -> AgentAvailability {
    var query = [(name: "call_time", value: callTime.description)]
    if let gender { query.append((name: "gender", value: gender.rawValue)) }
    return try await send(call("GET", "agents/available", query: query))
  }

  /// Books a call, or moves the one that is booked for the same reason (§6.13). A call for help can be booked at every
  /// step. The last place taken by another: `slot-taken`.
  public func book(_ request: AppointmentRequest) async throws(RubixError) -> AppointmentView {
    try await send(call("POST", "agents/appointments", body: request))
  }

  /// The call that is booked, nil when no call is (§6.13). It has `joinURL` while it can be joined.
  /// - Parameter reason: which call; nil is the one of the verification, and where none is booked the one for help.
  public func currentAppointment(reason: AppointmentReason? = nil) async throws(RubixError) -> AppointmentView? {
    let query = reason.map { [(name: "reason", value: $0.rawValue)] } ?? []
    do throws(RubixError) {
      return try await send(call("GET", "agents/appointments/current", query: query), as: AppointmentView.self)
    } catch .problem(let problem) where problem.code == .notFound {
      return nil
    }
  }

  /// Cancels the call that is booked for the reason (§6.13).
  public func cancelAppointment(
    reason: AppointmentReason = .verification
  ) async throws(RubixError) -> AppointmentView {
    // Without a body it is the call of the verification, also for a server that knows no other.
    guard reason != .verification else { return try await send(call("POST", "agents/appointments/current/cancel")) }
    return try await send(
      call("POST", "agents/appointments/current/cancel", body: CancelAppointmentRequest(reason: reason)))
  }
}
