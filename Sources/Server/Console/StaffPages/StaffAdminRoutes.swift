// SPDX-License-Identifier: Apache-2.0

import Foundation
import HTTP
import HTTPTypes
import Hummingbird
import Identity
import Kit

/// `/console/staff/…`: administrators look after the staff of their tenant. The rules are those of
/// `StaffAdministration`; hiding a page protects nothing.
package struct StaffAdminRoutes: Sendable {
  package static let base = "\(StaffRoutes.base)/staff"

  private let signIn: StaffSignIn
  private let administration: StaffAdministration
  private let leaves: StaffLeaves

  package init(_ signIn: StaffSignIn, _ administration: StaffAdministration, _ leaves: StaffLeaves) {
    (self.signIn, self.administration, self.leaves) = (signIn, administration, leaves)
  }

  package func add(to root: RouterGroup<PublicContext>) {
    let group = root.group(RouterPath(Self.base))
    group.get("", use: page { visit, _, _ in try await list(visit) })
    group.post("", use: page(invite))
    group.get("{member}", use: page { visit, _, parameters in try await member(visit, Self.target(parameters)) })
    group.post("{member}/roles", use: change(setRoles))
    group.post(
      "{member}/suspend",
      use: change { visit, target, _, order in
        try await administration.setActive(false, of: target, by: order)
        let calls = try await leaves.calls(of: target)
        return .note(calls == 0 ? Phrase("staff_suspended") : Phrase("staff_suspended_calls", ["count": "\(calls)"]))
      })
    group.post(
      "{member}/resume",
      use: change { visit, target, _, order in
        try await administration.setActive(true, of: target, by: order)
        return .note(Phrase("staff_resumed"))
      })
    group.post(
      "{member}/password",
      use: change { visit, target, _, order in
        .issued(try await administration.resetPassword(of: target, by: order))
      })
    group.post(
      "{member}/factors",
      use: change { visit, target, _, order in
        .code(try await administration.resetFactors(of: target, by: order))
      })
    group.post(
      "{member}/sessions",
      use: change { visit, target, form, order in
        let session = form["session"].flatMap { $0.isEmpty ? nil : SessionFamily.ID(rawValue: $0) }
        try await administration.endSessions(of: target, session, by: order)
        return .note(Phrase("staff_sessions_ended"))
      })
    group.post(
      "{member}/leave",
      use: change { visit, target, form, order in
        let calls = try await leaves.add(from: form["from"] ?? "", until: form["until"] ?? "", of: target, by: order)
        return .note(calls == 0 ? Phrase("staff_leave_added") : Phrase("staff_leave_calls", ["count": "\(calls)"]))
      })
    group.post(
      "{member}/leave/remove",
      use: change { visit, target, form, order in
        try await leaves.remove(.init(rawValue: form["leave"] ?? ""), of: target, by: order)
        return .note(Phrase("staff_leave_removed"))
      })
    root.get("\(InvitationPage.base)/{token}", use: invitation)
    root.post("\(InvitationPage.base)/{token}", use: accept)
  }

  /// What a page says after a change.
  private enum Outcome {
    case note(Phrase)
    case issued(StaffAdministration.Issued)
    case code(StaffFactors.EnrolmentCode)
  }

  private typealias Change =
    @Sendable (StaffVisit, StaffMember.ID, FormFields, StaffOrder) async throws -> Outcome

  private func page(_ show: @escaping StaffSignIn.Show) -> StaffSignIn.Handler {
    signIn.page(for: .manageStaff, show)
  }

  private func change(_ change: @escaping Change) -> StaffSignIn.Handler {
    page { visit, request, parameters in
      let (form, target) = (try await StaffForm.read(request, csrf: visit.csrf), try Self.target(parameters))
      do {
        let order = try StaffOrder(by: visit.member.id, reason: form["reason"], reference: form["reference"])
        switch try await change(visit, target, form, order) {
        case .note(let note): return try await member(visit, target, note: note)
        case .issued(let issued): return try StaffDonePage(issued, for: visit).response()
        case .code(let code): return try StaffDonePage(code, for: visit).response()
        }
      } catch let problem as Problem where [.unprocessable, .conflict].contains(problem.category) {
        return try await member(visit, target, fault: Phrase(firstOf: problem), status: problem.status)
      }
    }
  }

  private static func target(_ parameters: Parameters) throws -> StaffMember.ID {
    .init(rawValue: try parameters.require("member"))
  }

  private func list(
    _ visit: StaffVisit, typed: FormFields? = nil, fault: Phrase? = nil, status: HTTPResponse.Status = .ok
  ) async throws -> Response {
    let entries = try await administration.list(seenBy: visit.member.id)
    return try StaffListPage(entries, typed: typed, fault: fault, for: visit).response(status: status)
  }

  private func member(
    _ visit: StaffVisit, _ target: StaffMember.ID, note: Phrase? = nil, fault: Phrase? = nil,
    status: HTTPResponse.Status = .ok
  ) async throws -> Response {
    let (entry, sessions) = try await administration.detail(of: target, seenBy: visit.member.id)
    let ahead = try await leaves.ahead(of: target)
    return try StaffMemberPage(entry, sessions, ahead, note: note, fault: fault, for: visit).response(status: status)
  }

  @Sendable
  private func invite(_ visit: StaffVisit, _ request: Request, _ parameters: Parameters) async throws -> Response {
    let form = try await StaffForm.read(request, csrf: visit.csrf)
    func text(_ name: String) -> String { (form[name] ?? "").trimmingCharacters(in: .whitespacesAndNewlines) }
    do {
      guard let gender = StaffMember.Gender(rawValue: text("gender")) else {
        throw Problem.validation([.init("/gender", "invalid", "Say who customers meet in a call.")])
      }
      let languages = text("languages").split { $0 == "," || $0 == " " }.map { $0.lowercased() }
      let invitee = StaffAdministration.Invitee(
        email: text("email"), name: text("name"), gender: gender, languages: languages, roles: Self.roles(form))
      let order = try StaffOrder(by: visit.member.id, reason: form["reason"], reference: form["reference"])
      return try StaffDonePage(try await administration.invite(invitee, by: order), for: visit).response()
    } catch let problem as Problem where [.unprocessable, .conflict].contains(problem.category) {
      return try await list(visit, typed: form, fault: Phrase(firstOf: problem), status: problem.status)
    }
  }

  @Sendable
  private func setRoles(
    _ visit: StaffVisit, _ target: StaffMember.ID, _ form: FormFields, _ order: StaffOrder
  ) async throws -> Outcome {
    try await administration.setRoles(Self.roles(form), of: target, by: order)
    return .note(Phrase("staff_roles_set"))
  }

  private static func roles(_ form: FormFields) -> Set<StaffRole> {
    Set(StaffRole.allCases.filter { form["role_\($0.rawValue)"] != nil })
  }

  // MARK: The other end of a link

  @Sendable
  private func invitation(_ request: Request, _ context: PublicContext) async throws -> Response {
    let token = try context.parameters.require("token")
    return try InvitationPage(try await administration.holder(of: token), token: token).response()
  }

  @Sendable
  private func accept(_ request: Request, _ context: PublicContext) async throws -> Response {
    let token = try context.parameters.require("token")
    // An invalid link is reported before the form is read.
    let holder = try await administration.holder(of: token)
    let form = try FormFields(try await RequestContent(request, limit: 16 * 1024))
    do {
      let password = form["password"] ?? ""
      guard password == form["repeated"] ?? "" else {
        throw Problem.validation([.init("/password", "differs", "The two passwords are not the same.")])
      }
      return try InvitationPage(holder, code: try await administration.accept(token, password: password)).response()
    } catch let problem as Problem where problem.category == .unprocessable {
      return try InvitationPage(holder, token: token, fault: Phrase(firstOf: problem)).response(status: problem.status)
    }
  }
}
