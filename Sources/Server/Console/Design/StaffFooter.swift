// SPDX-License-Identifier: Apache-2.0

import Casework
import Identity
import Scheduling

/// What the frame shows to the signed-in member: the pages that they may open, their name, the form by which they sign
/// out, and when the page is locked.
struct StaffFooter {
  /// A page of the console that has a place in the navigation.
  struct Entry: Sendable {
    let path: String
    /// In the catalogue of words.
    let key: String
    /// What a member needs to see it, each of them is enough; empty for everybody.
    let permissions: [StaffPermission]

    func isFor(_ member: StaffMember) -> Bool {
      permissions.isEmpty || permissions.contains(where: member.permissions.contains)
    }
  }

  struct Link {
    let href: String
    let label: Phrase
    let isCurrent: Bool
  }

  /// In the order of the navigation.
  static let entries = [
    Entry(
      path: QueueRoutes.base, key: "queue",
      permissions: [StaffPermission.manageCases] + CaseKind.known.flatMap(\.permissions)),
    Entry(
      path: ApprovalRoutes.base, key: "approvals",
      permissions: [.approveMoney, .approveVerdicts, RightsRequest.permission]),
    Entry(path: AgentCallRoutes.base, key: "calls", permissions: [.attendVideo]),
    Entry(path: CalendarRoutes.base, key: "calendar", permissions: [.attendVideo, .manageStaff]),
    Entry(path: ChatRoutes.base, key: "chats", permissions: [.chatCustomers]),
    Entry(path: RecordRoutes.path(of: "applications"), key: "records_applications", permissions: [.readCustomers]),
    Entry(path: RecordRoutes.path(of: "users"), key: "records_users", permissions: [.readCustomers]),
    Entry(path: RecordRoutes.path(of: "accounts"), key: "records_accounts", permissions: [.postMoney]),
    Entry(path: RecordRoutes.path(of: "memberships"), key: "records_memberships", permissions: [.readCustomers]),
    Entry(path: RecordRoutes.path(of: "verifications"), key: "records_verifications", permissions: [.readCustomers]),
    Entry(path: RecordRoutes.path(of: "sca"), key: "records_sca", permissions: [.readAudit]),
    Entry(path: RecordRoutes.path(of: "factors"), key: "records_factors", permissions: [.readAudit]),
    Entry(path: StatementPageRoutes.base, key: "statements", permissions: [.readCustomers]),
    Entry(path: WebhookRoutes.base, key: "webhooks", permissions: [.readWebhooks]),
    Entry(path: DeadLetterRoutes.base, key: "dead_letters", permissions: [.manageOutbox]),
    Entry(path: HealthRoutes.base, key: "health", permissions: [.manageOutbox]),
    Entry(path: FiguresRoutes.base, key: "figures", permissions: [.readFigures]),
    Entry(path: TemplateRoutes.base, key: "templates", permissions: [TemplateRoutes.permission]),
    Entry(path: PolicyRoutes.base, key: "policies", permissions: [.manageStaff, .readAudit]),
    Entry(path: RightsRoutes.base, key: "rights", permissions: [RightsRequest.permission]),
    Entry(path: AuditRoutes.base, key: "audit", permissions: [.readAudit]),
    Entry(path: StaffAdminRoutes.base, key: "staff", permissions: [.manageStaff]),
    Entry(path: StaffAccountRoutes.base, key: "your_account", permissions: []),
  ]

  /// Seconds without a new page after which a page is locked, and how long before it warns: what a session of the
  /// console lasts without use.
  private static let (idleMax, warning) = (15 * 60, 2 * 60)

  let name: String
  let token: String
  let links: [Link]
  let clock: LocalTime?
  let warnAfter = Self.idleMax - Self.warning
  /// A little before the token ends, so that signing out is still the session's own.
  let lockAfter = Self.idleMax - 5

  /// Where a member begins: the first page that is for them.
  static func home(of member: StaffMember) -> String {
    entries.first { $0.isFor(member) }?.path ?? StaffAccountRoutes.base
  }

  init(_ visit: StaffVisit) {
    (name, token, clock) = (visit.member.name, visit.csrf, visit.clock)
    let path = Display.current.path ?? ""
    links = Self.entries.filter { $0.isFor(visit.member) }.map { entry in
      let isCurrent = path == entry.path || ["/", "?"].contains { path.hasPrefix(entry.path + $0) }
      return Link(href: entry.path, label: Phrase(entry.key), isCurrent: isCurrent)
    }
  }
}
