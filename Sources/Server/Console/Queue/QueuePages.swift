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

/// One case: what waits, what there is to look at, who did what, and what can be done.
struct CaseFilePage: StaffPage {
  static var template: [UInt8] { PackageResources.CaseFilePage_mustache }
  static var pictures: String? { "'self'" }

  struct Picture {
    let href: String
    let label: Phrase
  }

  struct Verdict {
    let code: String
    let label: Phrase
    /// The key that gives it, with the browser's own modifier.
    let key: Int
    let isRefusal: Bool
  }

  struct Colleague {
    let id: String
    let name: String
  }

  struct Note {
    let author: String
    let at: Moment
    let words: String
  }

  struct Step {
    let at: Moment
    let action: Phrase
    let actor: String
  }

  struct Receipt {
    let href: String
    let at: Moment
    let outcome: String
    let actor: String
  }

  let row: CaseRow
  let path: String
  let (isMine, isFree, mayRelease): (Bool, Bool, Bool)
  let pictures: [Picture]
  let verdicts: [Verdict]
  let colleagues: [Colleague]
  let reasons = ["end_of_shift", "language", "escalation", "conflict_of_interest"].map {
    QueuePage.Choice(code: $0.replacing("_", with: "-"), label: Phrase("why_\($0)"), isOn: false)
  }
  let notes: [Note]
  let history: [Step]
  let receipts: [Receipt]
  let csrf: String
  let fault: Phrase?
  let foot: StaffFoot

  init(
    _ file: CaseFile, _ material: CaseMaterial?, names: [StaffMember], at now: Instant, fault: Phrase?,
    _ worker: CaseWorker, for visit: StaffVisit
  ) {
    let (item, path) = (file.item, QueueRoutes.path(of: file.item.id))
    let isMine = item.holder == worker.actor
    (row, self.path, self.isMine) = (CaseRow(item, at: now, names: names), path, isMine)
    (isFree, mayRelease) = (item.state == .open, item.holder != nil && (isMine || worker.isManager))
    pictures = (material?.pictures ?? []).enumerated().map { number, name in
      Picture(
        href: "\(path)/pictures/\(number + 1)", label: Phrase("picture_\(name)", otherwise: name))
    }
    verdicts = (isMine ? material?.verdicts ?? [] : []).enumerated().map { number, code in
      Verdict(code: code, label: Phrase("verdict_\(code)"), key: number + 1, isRefusal: number > 0)
    }
    colleagues = names.filter { $0.isActive && $0.actor != item.holder && CaseWorker($0).may(item.kind) }
      .map { Colleague(id: $0.id.rawValue, name: $0.name) }
    notes = file.notes.map {
      Note(author: CaseRow.name(of: $0.author, names), at: Moment($0.writtenAt), words: $0.words)
    }
    history = file.history.map { line in
      Step(
        at: Moment(line.at), action: Phrase("step_" + line.action.replacing(".", with: "_"), otherwise: line.action),
        actor: CaseRow.name(of: line.actor, names))
    }
    receipts = file.receipts.map {
      Receipt(
        href: "\(path)/receipts/\($0.id)", at: Moment($0.decidedAt), outcome: $0.outcome,
        actor: CaseRow.name(of: $0.decidedBy, names))
    }
    (csrf, self.fault, foot) = (visit.csrf, fault, StaffFoot(visit))
  }
}
