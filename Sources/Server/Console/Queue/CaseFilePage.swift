// SPDX-License-Identifier: Apache-2.0

import Casework
import Identity
import Kit

/// One case: what waits, what there is to look at, who did what, and what can be done.
struct CaseFilePage: ConsolePage {
  static var template: [UInt8] { PackageResources.CaseFilePage_mustache }
  static var parts: [String: [UInt8]] {
    [
      "picture": PackageResources.CasePicture_mustache, "checks": PackageResources.CaseChecks_mustache,
      "reason": PackageResources.CaseReason_mustache,
    ]
  }
  static var scripts: [Asset] { [.idle, .keys, .viewer] }

  /// A form that was not taken, and why.
  struct Refusal {
    let answer: CaseAnswer
    let note: String
    let fault: Phrase
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
    /// Why it was done or looked at; nil where nothing tells.
    let why: Phrase?
    let actor: String
  }

  struct Receipt {
    let href: String
    let page: String
    let at: Moment
    let outcome: String
    let actor: String
  }

  let row: CaseRow
  let path: String
  let (isMine, isFree, mayRelease): (Bool, Bool, Bool)
  /// Where a conversation is answered; nil for other kinds.
  let chat: String?
  let facts: [CaseDetails.Fact]
  let (hasFacts, hasFaces, hasHits, hasRelated): (Bool, Bool, Bool, Bool)
  let faces: [CasePictureView]
  let documents: [CasePictureView]
  let checks: CaseChecksView
  let hits: [CaseHitView]
  let filled: [CaseDetails.Filled]
  let related: [CaseRelatedView]
  let asked: [CaseAskedView]
  let forms: [CaseFormView]
  /// Whether an answer is chosen in any of them.
  let hasChoices: Bool
  let colleagues: [Colleague]
  let reasons = ["end_of_shift", "language", "escalation", "conflict_of_interest"].map {
    QueuePage.Choice(code: $0.replacing("_", with: "-"), label: Phrase("why_\($0)"), isOn: false)
  }
  let notes: [Note]
  let refusedNote: String
  let history: [Step]
  /// Every step and attempt of what waits, by the audit.
  let timeline: [RecordFilePage.HistoryEntry]
  let hasTimeline: Bool
  /// Tells that older lines are left out; nil where all of them are here.
  let cut: Phrase?
  /// Texts and mails to the person, the newest first.
  let messages: [CaseMessageView]
  let hasMessages: Bool
  let receipts: [Receipt]
  let csrf: String
  let fault: Phrase?
  let foot: StaffFooter

  init(
    _ file: CaseFile, _ material: CaseDetails?, names: [StaffMember], at now: Instant, refused: Refusal?,
    for visit: StaffVisit
  ) {
    let (item, worker, path) = (file.item, CaseWorker(visit.member), QueueRoutes.path(of: file.item.id))
    let (isMine, material) = (item.holder == worker.actor, material ?? CaseDetails())
    (row, self.path, self.isMine) = (CaseRow(item, at: now, names: names), path, isMine)
    (isFree, mayRelease) = (item.state == .open, item.holder != nil && (isMine || worker.isManager))
    chat = item.kind == .chat ? ChatName(item).path : nil
    facts = material.facts
    let pictures = material.pictures.enumerated().map { number, picture in
      (role: picture.role, view: CasePictureView(picture, href: "\(path)/pictures/\(number + 1)"))
    }
    faces = pictures.filter { $0.role == .face }.map(\.view)
    documents = pictures.filter { $0.role == .document }.map(\.view)
    checks = CaseChecksView(material.checks, of: Phrase("case_checks"))
    hits = material.hits.map { CaseHitView($0, names: names) }
    (filled, related) = (material.filled, material.related.map(CaseRelatedView.init))
    (hasFacts, hasFaces) = (!material.facts.isEmpty, pictures.contains { $0.role == .face })
    (hasHits, hasRelated) = (!material.hits.isEmpty, !material.related.isEmpty)
    asked = material.asked.map { CaseAskedView($0, names: names, for: worker) }
    let forms = isMine ? CaseFormView.all(material.forms, refused: refused?.answer) : []
    (self.forms, hasChoices) = (forms, forms.contains { $0.controls.contains(where: \.isChoice) })
    colleagues = names.filter { $0.isActive && $0.actor != item.holder && CaseWorker($0).may(item.kind) }
      .map { Colleague(id: $0.id.rawValue, name: $0.name) }
    notes = file.notes.map {
      Note(author: CaseRow.name(of: $0.author, names), at: Moment($0.writtenAt), words: $0.words)
    }
    history = file.history.map { line in
      Step(
        at: Moment(line.at), action: Phrase("step_" + line.action.replacing(".", with: "_"), otherwise: line.action),
        why: Phrase(why: line), actor: CaseRow.name(of: line.actor, names))
    }
    timeline = material.timeline.lines.map(RecordFilePage.HistoryEntry.init)
    (hasTimeline, cut) = (!timeline.isEmpty, Phrase.cut(material.timeline))
    (messages, hasMessages) = (material.messages.map(CaseMessageView.init), !material.messages.isEmpty)
    receipts = file.receipts.map {
      Receipt(
        href: "\(path)/receipts/\($0.id)", page: "\(path)/receipts/\($0.id)/page", at: Moment($0.decidedAt),
        outcome: $0.outcome, actor: CaseRow.name(of: $0.decidedBy, names))
    }
    (csrf, fault, refusedNote) = (visit.csrf, refused?.fault, refused?.note ?? "")
    foot = StaffFooter(visit)
  }
}
