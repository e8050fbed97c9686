import Casework
import Identity
import Kit

/// A case as a row and as the head of its page.
struct CaseRow {
  let href: String
  let kind: Phrase
  let subject: String
  let state: Phrase
  /// How it is coloured.
  let tone: String
  let holder: String?
  let risk: Count
  let reasons: String
  let opened: Moment
  let due: Moment
  let isOverdue: Bool

  init(_ item: Case, at now: Instant, names: [StaffMember]) {
    (href, subject) = (QueueRoutes.path(of: item.id), item.subject)
    kind = Phrase("case_kind_" + item.kind.rawValue.replacing("-", with: "_"), otherwise: item.kind.rawValue)
    state = Phrase("case_\(item.state.rawValue)")
    isOverdue = item.isOverdue(at: now)
    tone = item.state == .decided ? "good" : isOverdue ? "bad" : "open"
    holder = item.holder.map { Self.name(of: $0, names) }
    (risk, reasons) = (Count(item.risk), item.reasons.joined(separator: ", "))
    (opened, due) = (Moment(item.openedAt), Moment(item.dueAt))
  }

  /// The name of a colleague, or how the audit names whoever it is.
  static func name(of actor: String, _ names: [StaffMember]) -> String {
    names.first { $0.actor == actor }?.name ?? actor
  }
}

/// What waits, the oldest and riskiest first.
struct QueuePage: StaffPage {
  static var template: [UInt8] { PackageResources.QueuePage_mustache }
  static var scripts: [Asset] { [.idle, .queue] }

  struct Choice {
    let code: String
    let label: Phrase
    let isOn: Bool
  }

  let rows: [CaseRow]
  let kinds: [Choice]
  let shows: [Choice]
  let id: String
  let kind: String
  /// Where the next page is; nil after the last.
  let older: String?
  let csrf: String
  let foot: StaffFoot

  init(
    _ page: CasePage, _ query: CaseQuery, show: String?, names: [StaffMember], _ worker: CaseWorker,
    for visit: StaffVisit
  ) {
    rows = page.cases.map { CaseRow($0, at: page.at, names: names) }
    kinds = worker.kinds.map { kind in
      Choice(
        code: kind.rawValue, label: Phrase("case_kind_" + kind.rawValue.replacing("-", with: "_")),
        isOn: query.kinds == [kind])
    }
    shows = ["open", "mine", "overdue"].map { Choice(code: $0, label: Phrase("queue_\($0)"), isOn: show == $0) }
    let chosen = query.kinds.first?.rawValue ?? ""
    (id, kind, csrf, foot) = (query.id ?? "", chosen, visit.csrf, StaffFoot(visit))
    older = page.next.map { "\(QueueRoutes.base)?kind=\(chosen)&show=\(show ?? "")&after=\($0.text)" }
  }
}
