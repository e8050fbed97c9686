import Foundation
import Identity
import Kit

/// What a flow keeps, the newest first.
struct RecordListPage: StaffPage {
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
  /// Where the next page is; nil after the last, and for rows of a name, which come in one page.
  let older: String?
  /// That rows of the name are left out; nil where all of them are here.
  let cut: Phrase?
  let foot: StaffFoot

  init(_ page: RecordPage, _ question: RecordQuestion, _ shelf: any RecordShelf, for visit: StaffVisit) {
    let path = RecordRoutes.path(of: shelf.kind)
    (self.path, heading) = (path, Phrase("records_\(shelf.kind)"))
    (hint, name) = (Phrase("records_\(shelf.kind)_hint"), question.name ?? "")
    rows = page.rows.map { row in
      Row(
        href: "\(path)/\(row.id)", name: row.name, tenant: row.tenant, state: .record(row.state), at: Moment(row.at))
    }
    states = shelf.states.map { Choice(code: $0, label: .record($0), isOn: $0 == question.state) }
    let next = page.next.map { "\(path)?state=\(question.state ?? "")&after=\($0)" }
    older = question.name == nil ? next : nil
    cut = question.name == nil || next == nil ? nil : .newest(RecordQuestion.pageMax)
    foot = StaffFoot(visit)
  }
}

/// One of them.
struct RecordFilePage: StaffPage {
  static var template: [UInt8] { PackageResources.RecordFilePage_mustache }

  struct Fact {
    let label: Phrase
    let value: String
  }

  struct Line {
    let at: Moment
    let actor, action: String
  }

  struct Subject { let href: String }

  let kind: Phrase
  let path: String
  let name: String
  let tenant: String
  let state: Phrase
  let at: Moment
  let facts: [Fact]
  let texts: [Fact]
  let subjects: [Subject]
  let history: [Line]
  /// That older lines are left out; nil where all of them are here.
  let cut: Phrase?
  let foot: StaffFoot

  /// - Parameters:
  ///   - history: the newest lines of the record.
  ///   - isCut: whether there are older ones.
  init(_ file: RecordFile, _ history: [AuditLine], isCut: Bool = false, _ kind: String, for visit: StaffVisit) {
    (self.kind, path) = (Phrase("records_\(kind)"), RecordRoutes.path(of: kind))
    (name, tenant, state, at) = (
      file.row.name, file.row.tenant, .record(file.row.state), Moment(file.row.at)
    )
    facts = file.facts.map { Fact(label: Phrase("fact_\($0.code)", otherwise: $0.code), value: $0.value) }
    texts = file.texts.map { Fact(label: Phrase("fact_\($0.code)", otherwise: $0.code), value: $0.text) }
    subjects = file.subjects.map { Subject(href: "\(QueueRoutes.base)?id=\($0)") }
    self.history = history.map { Line(at: Moment($0.at), actor: $0.actor, action: $0.action) }
    cut = isCut ? .newest(history.count) : nil
    foot = StaffFoot(visit)
  }
}

extension Phrase {
  fileprivate static func newest(_ count: Int) -> Phrase {
    Phrase("records_cut", ["count": Words.current.text(count)])
  }

  /// A state as people call it.
  fileprivate static func record(_ state: String) -> Phrase {
    Phrase("record_\(state.lowercased())", otherwise: state)
  }
}
