public import GatehouseWire
public import RubixWire

extension RubixOnboarding {
  /// Free slots in the institution's calendar (§6.13).
  public func slots(
    from: WireDate, to: WireDate, gender: Gender? = nil, language: String? = nil
  ) async throws(RubixError) -> SlotList {
    var query = [(name: "from", value: from.description), (name: "to", value: to.description)]
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

  /// Books a call, or moves the one that is booked (§6.13). The last place taken by another: `slot-taken`.
  public func book(_ request: AppointmentRequest) async throws(RubixError) -> AppointmentView {
    try await send(call("POST", "agents/appointments", body: request))
  }

  /// The call that is booked, nil when no call is (§6.13).
  public func currentAppointment() async throws(RubixError) -> AppointmentView? {
    do throws(RubixError) {
      return try await send(call("GET", "agents/appointments/current"), as: AppointmentView.self)
    } catch .problem(let problem) where problem.code == .notFound {
      return nil
    }
  }

  /// Cancels the call that is booked (§6.13).
  public func cancelAppointment() async throws(RubixError) -> AppointmentView {
    try await send(call("POST", "agents/appointments/current/cancel"))
  }
}
