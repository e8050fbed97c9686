// SPDX-License-Identifier: Apache-2.0

import DocumentCore
import Foundation
import HTTP
import HTTPTypes
import Hummingbird
import Identity
import Kit
import Scheduling

/// `/console/calls/…`: the calendar of an agent, and the page on which a call is held.
package struct AgentCallRoutes: Sendable {
  package static let base = "\(StaffRoutes.base)/calls"
  /// Bytes of a snapshot, and of the form around it.
  private static let snapshotMax = 2 * 1024 * 1024 + 64 * 1024

  private let signIn: StaffSignIn
  private let service: CallService

  package init(_ signIn: StaffSignIn, _ service: CallService) { (self.signIn, self.service) = (signIn, service) }

  package func add(to root: RouterGroup<PublicContext>) {
    let group = root.group(RouterPath(Self.base))
    group.get("", use: page { visit, request, _ in try await list(visit, request) })
    group.get("{call}", use: page { visit, _, parameters in try await show(visit, Self.id(parameters)) })
    group.get("{call}/pictures/{picture}", use: page(picture))
    group.post("{call}/verdict", use: page(decide))
    group.post("{call}/cancel", use: page(cancel))
    group.post("{call}/snapshot", use: page(snapshot))
    group.get(
      "{call}/events",
      use: page(isUse: false) { visit, request, parameters in
        try await service.liveEvents(request, Self.party(visit, try Self.id(parameters))) { [signIn] in
          try await signIn.mayStillRead(visit, .attendVideo)
        }
      })
    group.post("{call}/join", use: message { [service] _, party in try await service.join(party) })
    // The customer's page makes the script of this one post them: they are no act of the agent's.
    group.post("{call}/signals", use: message(isUse: false) { [service] in try await service.signal($0, by: $1) })
    group.post("{call}/connected", use: message(isUse: false) { [service] in try await service.connected($0, $1) })
    group.post("{call}/leave", use: message { [service] in try await service.leave($0, $1) })
    group.post(
      "{call}/end",
      use: message { [service] _, party in
        try await service.calls.end(party)
        return Response(status: .noContent)
      })
  }

  static func path(of call: Appointment.ID) -> String { "\(base)/\(call)" }

  // MARK: Pages

  private func list(_ visit: StaffVisit, _ request: Request) async throws -> Response {
    let day = request.uri.queryParameters.get("day").flatMap { CalendarDate($0) }
    return try CallListPage(try await service.source.calls(on: day, of: visit.callAgent), for: visit).response()
  }

  private func show(
    _ visit: StaffVisit, _ id: Appointment.ID, fault: Phrase? = nil, refused: CallDecision? = nil,
    status: HTTPResponse.Status = .ok
  ) async throws -> Response {
    let look = try await service.calls.look(Self.party(visit, id))
    let details = try await service.source.details(of: look.admission.call, for: visit.callAgent)
    return try AgentCallPage(look, details, fault: fault, refused: refused, for: visit)
      .response(status: status).allowingCamera()
  }

  @Sendable
  private func picture(_ visit: StaffVisit, _ request: Request, _ parameters: Parameters) async throws -> Response {
    let look = try await service.calls.look(Self.party(visit, Self.id(parameters)))
    return Response.image(
      try await service.source.picture(
        parameters.requireUUID("picture"), of: look.admission.call, for: visit.callAgent))
  }

  /// Decides after a call; what is refused is said on its page.
  @Sendable
  private func decide(_ visit: StaffVisit, _ request: Request, _ parameters: Parameters) async throws -> Response {
    let id = try Self.id(parameters)
    let form = try await StaffForm.read(request, csrf: visit.csrf)
    let (look, agent) = (try await service.calls.look(Self.party(visit, id)), visit.callAgent)
    let details = try await service.source.details(of: look.admission.call, for: agent)
    let answers = details.questions.compactMap { code in form[code].map { (code, $0) } }
    func text(_ name: String) -> String? { form[name].flatMap { $0.isEmpty ? nil : $0 } }
    let hasFailed = form["verdict"] == "FAILED"
    let decision = CallDecision(
      verdict: form["verdict"] ?? "", answers: Dictionary(answers) { one, _ in one },
      reason: hasFailed ? text("reason") : nil, mayRetry: hasFailed && form["retry"] == "yes", notes: text("notes"))
    do {
      let decided = try await service.source.decide(decision, on: look.admission.call, by: agent)
      // Its case says who was asked, and has it carried out.
      if case .needsAnother = decided {
        return StaffRoutes.redirect("\(QueueRoutes.base)?id=\(look.admission.call.customerID)")
      }
    } catch let problem as Problem where [.conflict, .unprocessable, .forbidden].contains(problem.category) {
      return try await show(visit, id, fault: Phrase(firstOf: problem), refused: decision, status: problem.status)
    }
    return StaffRoutes.redirect(Self.base)
  }

  /// Calls the call off; what is refused is said on its page.
  @Sendable
  private func cancel(_ visit: StaffVisit, _ request: Request, _ parameters: Parameters) async throws -> Response {
    let id = try Self.id(parameters)
    let form = try await StaffForm.read(request, csrf: visit.csrf)
    let look = try await service.calls.look(Self.party(visit, id))
    do {
      try await service.source.cancel(look.admission.call, why: form["why"] ?? "", by: visit.callAgent)
    } catch let problem as Problem where [.conflict, .unprocessable, .forbidden].contains(problem.category) {
      return try await show(visit, id, fault: Phrase(firstOf: problem), status: problem.status)
    }
    return StaffRoutes.redirect(Self.base)
  }

  @Sendable
  private func snapshot(_ visit: StaffVisit, _ request: Request, _ parameters: Parameters) async throws -> Response {
    let id = try Self.id(parameters)
    let form = try MultipartForm(
      try await RequestContent(request, limit: Self.snapshotMax, from: visit.member.id.rawValue))
    guard let csrf = form["csrf"], csrf.isEqualInConstantTime(to: visit.csrf.utf8) else { throw Self.expired }
    guard let picture = form["photo"], !picture.isEmpty else { throw Problem.notFound }
    let look = try await service.calls.look(Self.party(visit, id))
    try await service.source.keep(picture, of: look.admission.call, by: visit.callAgent)
    return Response(status: .noContent)
  }

  // MARK: Who calls

  private typealias Take = @Sendable (CallMessage, CallParty) async throws -> Response

  private static let expired = Problem(
    .forbidden, "form-expired", "This form is not of now. Go back, load the page again and retry.")

  private func page(isUse: Bool = true, _ show: @escaping StaffSignIn.Show) -> StaffSignIn.Handler {
    signIn.page(for: .attendVideo, isUse: isUse, show)
  }

  /// What the script of the page posts.
  private func message(isUse: Bool = true, _ take: @escaping Take) -> StaffSignIn.Handler {
    page(isUse: isUse) { visit, request, parameters in
      let id = try Self.id(parameters)
      let message = try await CallMessage.read(request)
      guard let csrf = message.csrf, Data(csrf.utf8).isEqualInConstantTime(to: visit.csrf.utf8) else {
        throw Self.expired
      }
      return try await take(message, Self.party(visit, id))
    }
  }

  private static func party(_ visit: StaffVisit, _ call: Appointment.ID) -> CallParty {
    .agent(call, member: visit.member.id.rawValue, session: visit.family.id.rawValue)
  }

  private static func id(_ parameters: Parameters) throws -> Appointment.ID {
    Appointment.ID(rawValue: try parameters.requireUUID("call"))
  }
}

extension StaffVisit {
  var callAgent: CallAgent { CallAgent(member: member, session: family) }
}
