// SPDX-License-Identifier: Apache-2.0

import HTTP
import Identity
import Kit
import Scheduling

/// Why something is changed: what every form of staff administration asks for.
struct ReasonChoice {
  let code: String
  let label: Phrase

  static let all = StaffOrder.Reason.allCases.map {
    ReasonChoice(code: $0.rawValue, label: Phrase("reason_" + $0.rawValue.replacing("-", with: "_")))
  }
}

struct RoleChoice {
  let code: String
  let label: Phrase
  let permissions: String
  let isOn: Bool

  init(_ role: StaffRole, isOn: Bool) {
    (code, label, self.isOn) = (role.rawValue, Phrase("role_\(role.rawValue)"), isOn)
    permissions = role.permissions.sorted().map(\.rawValue).joined(separator: ", ")
  }
}

/// Everybody who works at the tenant, and the form that invites one more.
struct StaffListPage: ConsolePage {
  static var template: [UInt8] { PackageResources.StaffListPage_mustache }

  struct Row {
    let href: String
    let name: String
    let email: String
    let roles: [Phrase]
    let state: Phrase
    let tone: String
    let hasAuthenticator: Bool
    let since: Moment

    init(_ entry: StaffAdministration.Entry) {
      let member = entry.member
      (href, name, email) = ("\(StaffAdminRoutes.base)/\(member.id)", member.name, member.email)
      roles = member.roles.map { Phrase("role_\($0.rawValue)") }
      (state, tone) = (Phrase("standing_\(entry.status.rawValue)"), entry.status.tone)
      (hasAuthenticator, since) = (entry.hasAuthenticator, Moment(member.createdAt))
    }
  }

  let rows: [Row]
  let roles: [RoleChoice]
  let reasons = ReasonChoice.all
  let csrf: String
  /// What was typed before the invitation was refused.
  let (email, name, languages): (String, String, String)
  let (isFemale, isMale): (Bool, Bool)
  let isOpen: Bool
  let fault: Phrase?
  let foot: StaffFooter

  init(_ entries: [StaffAdministration.Entry], typed: FormFields?, fault: Phrase?, for visit: StaffVisit) {
    rows = entries.map(Row.init)
    roles = StaffRole.allCases.map { RoleChoice($0, isOn: typed?["role_\($0.rawValue)"] != nil) }
    (csrf, self.fault, foot, isOpen) = (visit.csrf, fault, StaffFooter(visit), typed != nil)
    (email, name) = (typed?["email"] ?? "", typed?["name"] ?? "")
    languages = typed?["languages"] ?? "en"
    (isFemale, isMale) = (typed?["gender"] == "F", typed?["gender"] == "M")
  }
}

/// One member, and what an administrator may do.
struct StaffMemberPage: ConsolePage {
  static var template: [UInt8] { PackageResources.StaffMemberPage_mustache }

  struct Session {
    let id: String
    let began: Moment
    let ends: Moment
  }

  struct Leave {
    let id: String
    let from: Moment
    let until: Moment
  }

  let path: String
  let name: String
  let email: String
  let languages: String
  let state: Phrase
  let tone: String
  let permissions: String
  let hasAuthenticator: Bool
  let since: Moment
  let roles: [RoleChoice]
  let sessions: [Session]
  let leaves: [Leave]
  let reasons = ReasonChoice.all
  let csrf: String
  /// False for the administrator's own account, which another one administers.
  let isOther: Bool
  let (mayBeSuspended, mayBeResumed): (Bool, Bool)
  let note: Phrase?
  let fault: Phrase?
  let foot: StaffFooter

  init(
    _ entry: StaffAdministration.Entry, _ sessions: [SessionRecord], _ leaves: [AgentLeave], note: Phrase?,
    fault: Phrase?, for visit: StaffVisit
  ) {
    let member = entry.member
    path = "\(StaffAdminRoutes.base)/\(member.id)"
    (name, email, since) = (member.name, member.email, Moment(member.createdAt))
    languages = member.languages.joined(separator: ", ")
    (state, tone) = (Phrase("standing_\(entry.status.rawValue)"), entry.status.tone)
    permissions = member.permissions.sorted().map(\.rawValue).joined(separator: ", ")
    hasAuthenticator = entry.hasAuthenticator
    let own = Set(member.roles)
    roles = StaffRole.allCases.map { RoleChoice($0, isOn: own.contains($0)) }
    self.sessions = sessions.map { Session(id: $0.id, began: Moment($0.createdAt), ends: Moment($0.expiresAt)) }
    self.leaves = leaves.map {
      Leave(id: $0.id.rawValue, from: Moment($0.time.lowerBound), until: Moment($0.time.upperBound))
    }
    (csrf, isOther) = (visit.csrf, member.id != visit.member.id)
    (mayBeSuspended, mayBeResumed) = (member.isActive, !member.isActive)
    (self.note, self.fault, foot) = (note, fault, StaffFooter(visit))
  }
}

extension StaffAdministration.Entry.Status {
  /// How it is coloured.
  var tone: String {
    switch self {
    case .active: "good"
    case .invited: "open"
    case .suspended: "bad"
    }
  }
}

/// What is shown once: a link, or a code.
struct StaffDonePage: ConsolePage {
  static var template: [UInt8] { PackageResources.StaffDonePage_mustache }

  let title: Phrase
  let text: Phrase
  let secret: String?
  let until: Moment
  let foot: StaffFooter

  init(_ issued: StaffAdministration.Issued, for visit: StaffVisit) {
    title = Phrase("staff_link_title")
    text = Phrase(issued.address == nil ? "staff_link_mailed" : "staff_link_shown", ["name": issued.member.name])
    (secret, until, foot) = (issued.address, Moment(issued.expiresAt), StaffFooter(visit))
  }

  init(_ code: StaffFactors.EnrolmentCode, for visit: StaffVisit) {
    (title, text) = (Phrase("staff_code_title"), Phrase("staff_code_shown"))
    (secret, until, foot) = (code.text, Moment(code.expiresAt), StaffFooter(visit))
  }
}

/// Where a member sets the password by a link.
struct InvitationPage: StaffPage {
  static let base = "\(StaffRoutes.base)/invitation"
  static var template: [UInt8] { PackageResources.InvitationPage_mustache }

  struct Form {
    let action: String
    let email: String
    let newPassword = Phrase("new_password", ["count": "\(StaffRules.passwordMin)"])
    let passwordMin = StaffRules.passwordMin
  }

  let greeting: Phrase
  /// Nil once the password is set.
  let form: Form?
  let fault: Phrase?
  let isDone: Bool
  /// What the member sets an authenticator app up with; nil for those who have one.
  let code: String?

  init(_ member: StaffMember, token: String, fault: Phrase? = nil) {
    greeting = Phrase("invitation_text", ["name": member.name])
    form = Form(action: "\(Self.base)/\(token)", email: member.email)
    (self.fault, isDone, code) = (fault, false, nil)
  }

  init(_ member: StaffMember, code: StaffFactors.EnrolmentCode?) {
    greeting = Phrase("invitation_done", ["name": member.name])
    (form, fault, isDone, self.code) = (nil, nil, true, code?.text)
  }
}
