// SPDX-License-Identifier: Apache-2.0

import Identity
import Kit
import RubixWire
import Scheduling
import Storage

extension Applications {
  /// Books a call, or moves the one that is booked for the same reason, and does what follows: the browsers in the
  /// former call leave, the customer is reminded of the new one, and a call of the verification takes its step.
  ///
  /// The caller saves the dossier.
  /// - Parameters:
  ///   - agent: who gets the call where they are free.
  ///   - actor: how the audit names who books; what the institution moves is not counted against the customer.
  /// - Returns: the call, and whether it is another one than was booked before.
  /// - Throws: as `Appointments.book`; `IllegalMove` where the application takes no call of the verification.
  func book(
    _ wish: Appointments.Request, of dossier: inout Dossier, roster: AgentRoster, keeping agent: String? = nil,
    by actor: String = "customer", facts: [String: String] = [:], in tx: any SQLTransaction
  ) throws -> (call: Appointment, isNew: Bool) {
    let (id, calendar) = (dossier.application.id.rawValue, try appointments(of: dossier.tenant))
    let (isHelp, isCustomer) = (wish.reason == .help, actor == "customer")
    let booked = try isHelp ? calendar.current(for: id, reason: .help, in: tx) : dossier.appointment
    let call = try calendar.book(
      wish, for: id, roster: roster, keeping: agent, isByInstitution: !isCustomer, in: tx)
    guard call.id != booked?.id else { return (call, false) }
    if let former = try call.replaces.flatMap({ try calendar.find($0, in: tx) }) {
      try BrowserCalls.finish(former, by: actor, core, in: tx)
    }
    try CallReminder.owe(for: call, of: dossier.tenant, core, in: tx)
    var facts = facts.merging(["appointment": call.id.rawValue, "agent": call.agentID]) { $1 }
    if isHelp {
      try core.audit.append("help.booked", to: id, by: actor, facts: facts, in: tx)
    } else {
      facts["step"] = OnboardingStep.agentVerificationScheduled.rawValue
      dossier.appointment = call
      dossier.application.drop(.agentVerificationFailed)
      dossier.application.record(.agentVerificationScheduled)
      try move(&dossier, on: .appointmentBooked, by: actor, facts: facts, renewsTime: isCustomer, in: tx)
    }
    return (call, true)
  }
}

extension Staff {
  /// The active members of an institution who take calls. They are read before the transaction that books; a member who
  /// was dismissed meanwhile cannot sign in.
  func callTakers(of tenant: Tenant) async throws -> [StaffMember] {
    try await list(tenant: tenant.id).filter { $0.isActive && $0.permissions.contains(.attendVideo) }
  }
}

extension StaffMember {
  /// The member as far as appointments care.
  var callTaker: AgentRoster.Agent {
    AgentRoster.Agent(id: id.rawValue, gender: gender.rawValue, languages: Set(languages))
  }
}
