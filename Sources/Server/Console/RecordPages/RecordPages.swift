// SPDX-License-Identifier: Apache-2.0

import Foundation
import Identity
import Kit

/// The list of a flow's records, such as applications, the newest first.
struct RecordListPage: ConsolePage {
  static var template: [UInt8] { PackageResources.RecordListPage_mustache }

  struct Row {
    let href: String
    let name, tenant: String
    let state: Phrase
    let at: Moment
  }

  struct Choice {
    let code: String
    let label: Phrase
    let isOn: Bool
  }

  let heading: Phrase
  let hint: Phrase
  let path: String
  let name: String
  let rows: [Row]
  let states: [Choice]
  /// Where the next page is; nil after the last, and where a name was searched for.
  let older: String?
  /// Where this page of what was searched for ended; nil after the last.
  let olderFound: String?
  let csrf: String
  let foot: StaffFooter

  init(
    _ page: RecordPage, _ question: RecordQuestion, _ repository: any RecordRepository, why: RecordAccess,
    for visit: StaffVisit
  ) {
    let path = RecordRoutes.path(of: repository.kind)
    (self.path, heading) = (path, Phrase("records_\(repository.kind)"))
    (hint, name) = (Phrase("records_\(repository.kind)_hint"), question.name ?? "")
    rows = page.rows.map { row in
      Row(
        href: RecordRoutes.path(of: repository.kind, row.id, why: why),
        name: row.name, tenant: row.tenant, state: .record(row.state), at: Moment(row.at))
    }
    states = repository.states.map { Choice(code: $0, label: .record($0), isOn: $0 == question.state) }
    let isSearch = question.name != nil
    older = isSearch ? nil : page.next.map { "\(path)?state=\(question.state ?? "")&after=\($0)" }
    olderFound = isSearch ? page.next : nil
    (csrf, foot) = (visit.csrf, StaffFooter(visit))
  }
}

/// One record of a flow.
struct RecordFilePage: ConsolePage {
  static var template: [UInt8] { PackageResources.RecordFilePage_mustache }

  struct Fact {
    let label: Phrase
    let value: String
  }

  struct HistoryEntry {
    let at: Moment
    let actor, action: String
    /// Why it was done or looked at; nil where the line does not tell.
    let why: Phrase?

    init(_ line: AuditLine) {
      (at, actor, action, why) = (Moment(line.at), line.actor, line.action, Phrase(why: line))
    }
  }

  /// What has cases.
  struct Subject { let href, id: String }

  /// Before the codes of fields, as the names of inputs.
  static let fieldPrefix = "in_"
  /// What a form was sent with that was refused, so that it is not typed anew.
  typealias Typed = (act: RecordAct, reason: String)

  /// Something to fill in.
  struct Input {
    let code: String
    let label: Phrase
    let isRequired: Bool
    let value: String
    /// Nil for a choice.
    let lengthMax: String?
    let options: [RecordListPage.Choice]
    let isChoice: Bool

    init(_ field: RecordField, _ value: String) {
      (code, label, isRequired) = (fieldPrefix + field.code, Phrase("input_\(field.code)"), field.isRequired)
      self.value = value
      switch field.kind {
      case .line(let length): (lengthMax, options, isChoice) = ("\(length)", [], false)
      case .choice(let choices):
        (lengthMax, isChoice) = (nil, true)
        options = choices.map { option in
          let words = option.label.map(Phrase.init(plain:)) ?? Phrase("choice_\(option.code.lowercased())")
          return .init(code: option.code, label: words, isOn: option.code == value)
        }
      }
    }
  }

  struct Act {
    let code: String
    let label: Phrase
    let subject: String
    let isRefusal: Bool
    let reasons: [RecordListPage.Choice]
    /// What a second person was asked; nil when nothing waits.
    let asked: Phrase?
    let inputs: [Input]
    let key: String?
    /// Whether it is shown at once: a second person was asked, or it was sent and refused.
    let isOpen: Bool

    init(_ act: RecordAct, reasons: [String], typed: Typed?) {
      func words(_ reason: String) -> Phrase {
        Phrase("\(act.reasonTopic)_\(reason.lowercased())", otherwise: reason)
      }
      let isAsked = act.asked != nil
      let own = typed.flatMap { typed in
        let isSame = typed.act.code == act.code && typed.act.subject == act.subject
        return isSame && (isAsked ? typed.act.key == act.key : true) ? typed : nil
      }
      let isPosting = act.reasonTopic != "stop"
      (code, subject, isRefusal) = (act.code, act.subject, !isPosting && !act.code.hasPrefix("un"))
      inputs = act.fields.map { Input($0, own?.act.filled[$0.code] ?? act.filled[$0.code] ?? "") }
      (key, isOpen) = (act.key, isAsked || own != nil)
      label = Phrase("act_" + act.code.replacing("-", with: "_"), otherwise: act.code)
      // The second person agreed to this reason: with another one the form asks anew.
      self.reasons = reasons.map { .init(code: $0, label: words($0), isOn: $0 == own?.reason ?? act.asked?.reason) }
      asked = act.asked.map { asked in
        Phrase(asked.isAgreed ? "ask_agreed" : "ask_waits", ["reason": words(asked.reason).text])
      }
    }
  }

  let kind: Phrase
  let path: String
  let record: String
  let name: String
  let tenant: String
  let state: Phrase
  let at: Moment
  let facts: [Fact]
  let texts: [Fact]
  let subjects: [Subject]
  let history: [HistoryEntry]
  /// Tells that older lines are left out; nil where all of them are here.
  let cut: Phrase?
  /// What this member can do about it.
  let acts: [Act]
  let csrf: String
  let fault: Phrase?
  let foot: StaffFooter

  /// - Parameters:
  ///   - tail: of the record's chain.
  ///   - reasons: of an act; without one it is not offered.
  ///   - typed: a form that was refused.
  init(
    _ file: RecordFile, _ tail: AuditTail, _ kind: String, reasons: (RecordAct) -> [String] = { _ in [] },
    fault: Phrase? = nil, typed: Typed? = nil, for visit: StaffVisit
  ) {
    (self.kind, path) = (Phrase("records_\(kind)"), RecordRoutes.path(of: kind))
    (record, name, tenant) = (file.row.id, file.row.name, file.row.tenant)
    (state, at) = (.record(file.row.state), Moment(file.row.at))
    facts = file.facts.map {
      Fact(
        label: Phrase("fact_\($0.code)", otherwise: $0.code), value: DisplayedText.cleaned($0.value, lines: true))
    }
    texts = file.texts.map { Fact(label: Phrase("fact_\($0.code)", otherwise: $0.code), value: $0.text) }
    subjects = file.subjects.map { Subject(href: "\(QueueRoutes.base)?id=\($0)", id: $0) }
    (history, cut) = (tail.lines.map(HistoryEntry.init), Phrase.cut(tail))
    acts = file.acts.map { Act($0, reasons: reasons($0), typed: typed) }.filter { !$0.reasons.isEmpty }
    (csrf, self.fault) = (visit.csrf, fault)
    foot = StaffFooter(visit)
  }
}

extension Phrase {
  /// Why something was done or looked at, as a line of the audit tells; nil where it does not.
  init?(why line: AuditLine) {
    let words = [("why", "why"), ("reason", "stop")].lazy.compactMap { fact, topic in
      line.facts[fact].map { Phrase("\(topic)_\($0.lowercased().replacing("-", with: "_"))", otherwise: $0) }
    }
    guard let first = words.first else { return nil }
    self = first
  }

  /// Tells that older lines are left out; nil where all of them are here.
  static func cut(_ tail: AuditTail) -> Phrase? {
    tail.isCut ? Phrase("records_cut", ["count": PageTexts.current.text(tail.lines.count)]) : nil
  }

  /// A state, in the words of the page's language.
  fileprivate static func record(_ state: String) -> Phrase {
    Phrase("record_\(state.lowercased())", otherwise: state)
  }
}
