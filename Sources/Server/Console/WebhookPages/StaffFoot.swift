import Casework
import Identity

/// What the frame shows to whoever is signed in: the pages that they may open, their name, the form by which they sign
/// out, and when the page is locked.
struct StaffFoot {
  /// A page of the console that has a place in the navigation.
  struct Entry: Sendable {
    let path: String
    /// In the catalogue of words.
    let key: String
    /// What a member needs to see it; nil for everybody.
    let permission: StaffPermission?
    /// What is enough in its place.
    var or: StaffPermission?
  }

  struct Link {
    let href: String
    let label: Phrase
    let isCurrent: Bool
  }

  /// In the order of the navigation.
  static let entries = [
    Entry(path: QueueRoutes.base, key: "queue", permission: .readCustomers),
    Entry(
      path: ApprovalRoutes.base, key: "approvals", permission: .approveMoney, or: RightsRequest.permission),
    Entry(path: AgentCallRoutes.base, key: "calls", permission: .attendVideo),
    Entry(path: CalendarRoutes.base, key: "calendar", permission: .attendVideo, or: .manageStaff),
    Entry(path: ChatRoutes.base, key: "chats", permission: .chatCustomers),
    Entry(path: RecordRoutes.path(of: "memberships"), key: "records_memberships", permission: .readCustomers),
    Entry(path: RecordRoutes.path(of: "verifications"), key: "records_verifications", permission: .readCustomers),
    Entry(path: RecordRoutes.path(of: "sca"), key: "records_sca", permission: .readAudit),
    Entry(path: RecordRoutes.path(of: "factors"), key: "records_factors", permission: .readAudit),
    Entry(path: StatementPageRoutes.base, key: "statements", permission: .readCustomers),
    Entry(path: WebhookRoutes.base, key: "webhooks", permission: .readWebhooks),
    Entry(path: DeadLetterRoutes.base, key: "dead_letters", permission: .manageOutbox),
    Entry(path: FiguresRoutes.base, key: "figures", permission: .readFigures),
    Entry(path: TemplateRoutes.base, key: "templates", permission: TemplateRoutes.permission),
    Entry(path: PolicyRoutes.base, key: "policies", permission: .manageStaff, or: .readAudit),
    Entry(path: RightsRoutes.base, key: "rights", permission: RightsRequest.permission),
    Entry(path: AuditRoutes.base, key: "audit", permission: .readAudit),
    Entry(path: StaffAdminRoutes.base, key: "staff", permission: .manageStaff),
    Entry(path: StaffAccountRoutes.base, key: "your_account", permission: nil),
  ]

  /// Seconds without a new page after which a page is locked, and how long before it warns: what a session of the
  /// console lasts without use.
  private static let (idleMax, warning) = (15 * 60, 2 * 60)

  let name: String
  let token: String
  let links: [Link]
  let warnAfter = Self.idleMax - Self.warning
  /// A little before the token ends, so that signing out is still the session's own.
  let lockAfter = Self.idleMax - 5

  init(_ visit: StaffVisit) {
    (name, token) = (visit.member.name, visit.csrf)
    let path = Display.current.path ?? ""
    links = Self.entries.filter { entry in
      entry.permission == nil
        || [entry.permission, entry.or].compactMap(\.self).contains(where: visit.member.permissions.contains)
    }.map { entry in
      let isCurrent = path == entry.path || ["/", "?"].contains { path.hasPrefix(entry.path + $0) }
      return Link(href: entry.path, label: Phrase(entry.key), isCurrent: isCurrent)
    }
  }
}
