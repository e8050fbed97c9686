// SPDX-License-Identifier: Apache-2.0

import Casework
import Foundation
import Identity
import Kit

/// A picture with what was read from it.
struct CasePictureView {
  struct Mark {
    let field: String
    /// The corners, as an SVG polygon has them (SVG 2 §10.6).
    let points: String
  }

  struct Field {
    let name: String
    let label: Phrase
    let machine: String
    let printed: String
    /// Nil where nothing compared the two.
    let agreement: Phrase?
    let tone: String
  }

  let href: String
  let label: Phrase
  let note: Phrase?
  /// The view box of the SVG that draws the marks; nil without marks.
  let viewBox: String?
  let marks: [Mark]
  let hasFields: Bool
  let fields: [Field]
  let checks: CaseChecksView

  init(_ picture: CaseDetails.Picture, href: String) {
    (self.href, label, note) = (href, picture.label, picture.note)
    let marks = picture.size == nil ? [] : picture.marks
    viewBox = marks.isEmpty ? nil : picture.size.map { "0 0 \($0.width) \($0.height)" }
    self.marks = marks.map { mark in
      let points = mark.corners.map { "\(Self.whole($0.x)),\(Self.whole($0.y))" }
      return Mark(field: mark.field, points: points.joined(separator: " "))
    }
    hasFields = !picture.fields.isEmpty
    fields = picture.fields.map { field in
      Field(
        name: field.name, label: Phrase("field_name_\(field.name)", otherwise: field.name),
        machine: field.machine ?? "–", printed: field.printed ?? "–", agreement: Self.words(field.agreement),
        tone: field.agreement == .different ? "bad" : field.agreement == .same ? "good" : "open")
    }
    checks = CaseChecksView(picture.checks, of: picture.label)
  }

  private static func words(_ agreement: CaseDetails.Field.Agreement?) -> Phrase? {
    switch agreement {
    case nil: nil
    case .same: Phrase("field_same")
    case .unclear: Phrase("field_unclear")
    case .different: Phrase("field_different")
    }
  }

  /// A degenerate outline can have a corner at infinity, which is drawn at the edge.
  private static func whole(_ value: Double) -> Int {
    value.isFinite ? Int(max(-100_000, min(100_000, value)).rounded()) : 0
  }
}

/// Checks with their values and thresholds.
struct CaseChecksView {
  struct Row {
    let label: Phrase
    let result: Phrase
    let tone: String
    let score: String
    let threshold: String
    let reasons: String
  }

  /// Above the table.
  let title: Phrase
  let hasRows: Bool
  let rows: [Row]

  init(_ checks: [CaseDetails.Check], of title: Phrase) {
    (self.title, hasRows) = (title, !checks.isEmpty)
    rows = checks.map { check in
      Row(
        label: Phrase("check_" + check.code.replacing("-", with: "_"), otherwise: check.code),
        result: Phrase("result_\(check.result)", otherwise: check.result), tone: Self.tone(of: check.result),
        score: check.score.map(Self.text) ?? "–", threshold: check.threshold.map(Self.text) ?? "–",
        reasons: check.reasons.map {
          Phrase("field_name_" + $0.replacing("-", with: "_"), otherwise: $0).text
        }.joined(separator: ", "))
    }
  }

  private static func tone(of result: String) -> String {
    switch result {
    case "pass": "good"
    case "fail": "bad"
    default: "open"
    }
  }

  /// Three places, as thresholds are set.
  static func text(_ value: Double) -> String { String(format: "%.3f", locale: Locale(identifier: "en"), value) }
}

/// An entry of a list that resembles the person.
struct CaseHitView {
  struct Explanation {
    let label: Phrase
    let sentences: [String]
  }

  struct Remark {
    let by: String
    let at: Moment
    let verdict: Phrase
    let text: String
  }

  let caption: String
  let list: String
  let score: String
  let state: Phrase
  let explanation: [Explanation]
  let hasEntry: Bool
  let entry: [CaseDetails.Fact]
  let words: [Remark]

  init(_ hit: CaseDetails.Hit, names: [StaffMember]) {
    (caption, list, state, entry) = (hit.caption, hit.list, hit.state, hit.entry)
    (score, hasEntry) = (CaseChecksView.text(hit.score), !hit.entry.isEmpty)
    explanation = hit.explanation.map { Explanation(label: $0.label, sentences: $0.sentences) }
    words = hit.words.map {
      Remark(by: CaseRow.name(of: $0.by, names), at: $0.at, verdict: $0.verdict, text: $0.text)
    }
  }
}

/// Another application that shares something.
struct CaseRelatedView {
  let href: String
  let subject: String
  let state: Phrase
  let shared: [Phrase]
  let since: Moment

  init(_ related: CaseDetails.Related) {
    href =
      related.repository.map { RecordRoutes.path(of: $0, related.subject, why: .case) }
      ?? "\(QueueRoutes.base)?id=\(related.subject)"
    (subject, state, shared, since) = (related.subject, related.state, related.shared, related.since)
  }
}

/// A decision that takes two persons, as the case page shows it.
struct CaseAskedView {
  let action: Phrase
  let state: Phrase
  let maker: String
  let checker: String?
  let (asked, expires): (Moment, Moment)
  let facts: [CaseDetails.Fact]
  /// Where a second person agrees or refuses; nil for a member who is no second person of this. The rules are those of
  /// `ApprovalCommands`.
  let decision: String?

  init(_ asked: CaseDetails.Asked, names: [StaffMember], for worker: CaseWorker) {
    let approval = asked.approval
    action = Phrase(act: approval.act.action)
    state = Phrase("approval_\(approval.state.rawValue)")
    (maker, checker) = (CaseRow.name(of: approval.maker, names), approval.checker.map { CaseRow.name(of: $0, names) })
    (self.asked, expires, facts) = (Moment(approval.askedAt), Moment(approval.expiresAt), asked.facts)
    let isSecond =
      approval.state == .pending && approval.maker != worker.actor
      && worker.member?.permissions.contains(asked.permission) == true
    decision = isSecond ? ApprovalRoutes.path(of: .init(rawValue: approval.id)) : nil
  }
}

extension Phrase {
  /// What takes two persons, by its action.
  package init(act action: String) {
    self.init("act_" + action.replacing(".", with: "_").replacing("-", with: "_"), otherwise: action)
  }
}
