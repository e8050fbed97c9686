// SPDX-License-Identifier: Apache-2.0

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
  /// Whose call it is, while it is in no hands.
  let booked: Phrase?
  let risk: Count
  let reasons: [Reason]
  let opened: Moment
  /// Milliseconds, for the script that counts what is new.
  let openedAt: String
  let due: Moment
  /// Milliseconds, for the script that tells what is left; nil where nothing waits any more.
  let dueAt: String?
  let isOverdue: Bool
  /// As the flow names it; nil for the institution of the desk.
  let institution: String?

  /// What makes the risk.
  struct Reason {
    let code: String
    /// Nil where the catalogue has none.
    let words: Phrase?

    init(_ code: String) {
      (self.code, words) = (code, Phrase(waitingFor: code))
    }
  }

  init(_ item: Case, at now: Instant, names: [StaffMember]) {
    (href, subject) = (QueueRoutes.path(of: item.id), item.subject)
    kind = Phrase("case_kind_" + item.kind.rawValue.replacing("-", with: "_"), otherwise: item.kind.rawValue)
    state = Phrase("case_\(item.state.rawValue)")
    isOverdue = item.isOverdue(at: now)
    tone = item.state == .decided ? "good" : isOverdue ? "bad" : "open"
    holder = item.holder.map { Self.name(of: $0, names) }
    let agent = item.holder == nil && item.bookedWith != Case.handedBack ? item.bookedWith : nil
    booked = agent.map { Phrase("case_booked", ["name": Self.name(of: $0, names)]) }
    (risk, reasons) = (Count(item.risk), item.reasons.map(Reason.init))
    (opened, due) = (Moment(item.openedAt), Moment(item.dueAt))
    openedAt = "\(item.openedAt.milliseconds)"
    dueAt = item.state.isClosed ? nil : "\(item.dueAt.milliseconds)"
    institution = item.tenant == item.desk ? nil : item.tenant
  }

  /// The name of a colleague, or the audit log's name of any other actor.
  static func name(of actor: String, _ names: [StaffMember]) -> String {
    names.first { $0.actor == actor }?.name ?? actor
  }
}

/// What waits, the oldest and riskiest first.
struct QueuePage: ConsolePage {
  static var template: [UInt8] { PackageResources.QueuePage_mustache }
  static var parts: [String: [UInt8]] { ["reason": PackageResources.CaseReason_mustache] }
  static var scripts: [Asset] { [.idle, .queue] }

  struct Choice {
    let code: String
    let label: Phrase
    let isOn: Bool
  }

  /// What the address asks for besides the query.
  struct Asked {
    let show: String?
    let colleague: StaffMember?
    /// As they were typed.
    let tenant: String?
    let id: String?
    let isRefused: Bool
  }

  let rows: [CaseRow]
  let kinds: [Choice]
  let shows: [Choice]
  let colleagues: [Choice]
  let (id, tenant): (String, String)
  /// When it was read, in milliseconds, and the number of the last event that it shows.
  let (now, position): (String, String)
  let kind: String
  /// Whether they asked for the first case, and no case was free.
  let isRefused: Bool
  /// Where the next page is; nil after the last.
  let older: String?
  let csrf: String
  let foot: StaffFooter

  init(
    _ page: CasePage, _ query: CaseQuery, _ asked: Asked, names: [StaffMember], _ worker: CaseWorker,
    for visit: StaffVisit
  ) {
    rows = page.cases.map { CaseRow($0, at: page.at, names: names) }
    kinds = worker.kinds.map { kind in
      Choice(
        code: kind.rawValue, label: Phrase("case_kind_" + kind.rawValue.replacing("-", with: "_")),
        isOn: query.kinds == [kind])
    }
    shows = ["open", "mine", "overdue"].map { Choice(code: $0, label: Phrase("queue_\($0)"), isOn: asked.show == $0) }
    colleagues = names.filter(\.isActive).map {
      Choice(code: $0.id.rawValue, label: Phrase(plain: $0.name), isOn: $0.id == asked.colleague?.id)
    }
    let (chosen, tenant) = (query.kinds.first?.rawValue ?? "", query.tenant ?? "")
    (id, kind, self.tenant) = (asked.id ?? "", chosen, asked.tenant ?? "")
    (now, position) = ("\(page.at.milliseconds)", "\(page.position)")
    isRefused = asked.isRefused
    (csrf, foot) = (visit.csrf, StaffFooter(visit))
    let colleague = asked.colleague?.id.rawValue ?? ""
    let filter = "kind=\(chosen)&show=\(asked.show ?? "")&colleague=\(colleague)&tenant=\(tenant)"
    older = page.next.map { "\(QueueRoutes.base)?\(filter)&after=\($0.text)" }
  }
}

extension Phrase {
  /// Of codes that tell how many there are, as `owners-without-user:2`.
  private static let counted = [
    "owners_without_user": "terms_owners", "accounts_not_told": "terms_not_told", "accounts_waiting": "terms_waiting",
  ]

  /// Why something waits for a person: a flag, a check, suspense, what happened to a card, or what stands in the way of
  /// a check of the face. Nil for a code that the catalogue has no words for.
  package init?(waitingFor code: String) {
    func known(_ key: String) -> Bool { PageTexts.template(key, in: .english) != nil }
    let parts = code.lowercased().replacing("-", with: "_").split(separator: ":", maxSplits: 1).map(String.init)
    let stem = parts.first ?? ""
    if parts.count == 2, let count = Int(parts[1]) {
      guard let key = Self.counted[stem] else { return nil }
      self.init("reason_counted", ["reason": Phrase(key).text, "count": Count(count).renderText])
      return
    }
    for (prefix, check) in [("liveness_", "check_liveness"), ("face_", "check_face_selfie_vs_document")] {
      let doubt = "field_name_\(stem.dropFirst(prefix.count))"
      guard stem.hasPrefix(prefix), known(doubt) else { continue }
      self.init("reason_of_check", ["check": Phrase(check).text, "doubt": Phrase(doubt).text])
      return
    }
    let keys = ["reason_", "flag_", "card_", "suspense_", "check_"].map { $0 + stem }
    guard let key = keys.first(where: known) else { return nil }
    self.init(key)
  }
}
