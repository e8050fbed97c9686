// SPDX-License-Identifier: Apache-2.0

import Casework
import Console
import Foundation
import Kit
import RubixFlow
import Screening

/// Hits in lists on case pages: the entry, why it resembles the customer, and the judgement of one person or of two.
/// The rules are those of `ScreeningCaseService`, as over the command line.
struct ScreeningCaseSource: CaseSource {
  /// Hits that one page shows; those that wait come first.
  static let hitsMax = 12
  private static let approve = "approve"

  let desk: ScreeningCaseService
  let source: ScreeningSource
  let screened: ScreenedApplications

  func material(of item: Case, for caller: CaseCaller) async throws -> CaseDetails {
    guard Self.maySee(caller) else { throw Problem.notFound }
    let found = try await cases(of: item)
    guard let first = found.first else { throw Problem.notFound }
    var material = CaseDetails()
    material.facts = Self.facts(of: first)
    // Elsewhere the subject is the search, which has no story of its own.
    if item.kind == .rubixScreening { material.chain = item.subject }
    // Lists that cannot be read leave a hit as it was found; the page says what is kept of it.
    let index = try? await source.index()
    let shown = found.prefix(Self.hitsMax)
    let delistings = try await desk.delistings(of: Array(shown))
    material.hits = zip(shown, delistings).map { Self.hit($0.item, index, $1) }
    if found.count > shown.count {
      material.facts += [
        CaseDetails.Fact("hits_more", Phrase("hits_more", ["count": "\(found.count - shown.count)"]))
      ]
    }
    material.forms = shown.filter(\.item.state.isWaiting).compactMap { Self.form(of: $0, for: caller) }
    return material
  }

  func decide(_ answer: CaseAnswer, on item: Case, by caller: CaseCaller) async throws -> CaseDecided {
    guard Self.maySee(caller) else { throw Problem.lacksPermission }
    // Only a hit of this case, whatever the form names.
    guard let found = try await cases(of: item).first(where: { $0.item.id.rawValue == answer.form })?.item else {
      throw Problem.notFound
    }
    guard let version = answer["version"].flatMap({ Int($0) }) else { throw Problem.caseChanged }
    let (actor, text, rule) = (caller.actor, answer["text"] ?? "", screened.analyst(caller.member))
    let result: ScreeningCaseService.Item
    switch answer.verdict {
    case "give-back":
      result = try await desk.giveBack(found.id, version: version, text: text, by: actor, under: rule)
    case Self.approve:
      guard let proposal = found.proposal else { throw Problem.caseChanged }
      result = try await desk.approve(found.id, proposal, version: version, text: text, by: actor, under: rule)
    case "false-positive", "true-match":
      let isMatch = answer.verdict == "true-match"
      let reason = answer["reason"].flatMap { Screening.FalsePositiveReason(rawValue: $0) }
      result = try await desk.judge(
        found.id,
        .init(isMatch ? .trueMatch : .falsePositive, reason: isMatch ? nil : reason, text: text),
        version: version, by: actor, under: rule)
    default: throw Problem.unknownVerdict
    }
    let waiting = try await cases(of: item).map(\.item).filter(\.state.isWaiting)
    if waiting.contains(where: { $0.state == .open }) { return .part }
    return result.item.state == .awaitingApproval || !waiting.isEmpty ? .needsAnother : .whole
  }

  /// A case of the queue is one hit, or all of an application that waits for the officer.
  private func cases(of item: Case) async throws -> [ScreeningCaseService.Item] {
    item.kind == .screeningHit
      ? [try await desk.find(.init(rawValue: item.subject))] : try await desk.cases(of: item.subject)
  }

  /// The queue may be seen by all who manage cases; a hit only by those who decide on hits.
  private static func maySee(_ caller: CaseCaller) -> Bool { caller.member.permissions.contains(.decideAML) }

  private static func facts(of found: ScreeningCaseService.Item) -> [CaseDetails.Fact] {
    guard let subject = found.record?.subject else { return [] }
    let lists = found.record?.lists.map { "\($0.code) \($0.version)" }.joined(separator: ", ")
    let facts: [CaseDetails.Fact?] = [
      .init("name", subject.names.joined(separator: " / ")),
      .init("birth_date", subject.dateOfBirth.map(Self.text)),
      .init("nationality", subject.nationalities.joined(separator: ", ")),
      .init("document_number", subject.documentNumbers.joined(separator: ", ")), .init("lists", lists),
      .init("threshold", found.record?.threshold.map { String(format: "%.3f", $0) }),
      CaseDetails.Fact("persons", Phrase(found.needsTwo ? "persons_two" : "persons_one")),
    ]
    return facts.compactMap(\.self)
  }

  private static func hit(
    _ item: Screening.Case, _ index: ScreeningIndex?, _ delisting: Delistings.Delisting?
  ) -> CaseDetails.Hit {
    let (hit, why) = (item.hit, item.hit.explanation)
    func explained(_ label: String, _ sentences: [String]?) -> CaseDetails.Hit.Explanation? {
      .init(Phrase(label), (sentences ?? []).map(MatchTexts.text))
    }
    let gone = delisting.map { gone in
      let at = Moment(gone.at).renderText
      return gone.version.map { Phrase("hit_delisted_since", ["version": $0.version, "at": at]).text }
        ?? Phrase("hit_list_removed", ["at": at]).text
    }
    let parts = [
      CaseDetails.Hit.Explanation(Phrase("hit_delisted"), gone.map { [$0] } ?? []),
      explained("hit_name", why?.name), explained("hit_confirms", why?.confirms),
      explained("hit_contradicts", why?.contradicts),
    ]
    let entry = index?.entries(withReference: hit.entityID)
      .first { $0.list.code == hit.list && $0.entry.names.first == hit.caption }?.entry
    return CaseDetails.Hit(
      caption: hit.caption, list: hit.list, score: hit.score, state: Phrase("hit_\(item.state.rawValue)"),
      explanation: parts.compactMap(\.self), entry: entry.map(Self.facts) ?? [],
      words: item.notes.map { note in
        .init(by: note.by, at: Moment(note.at), Phrase("hit_\(note.disposition.rawValue)"), note.text)
      })
  }

  /// What the list says of the entry. Long lists of names and remarks are cut, for a page has its size.
  private static func facts(of entry: WatchList.Entry) -> [CaseDetails.Fact] {
    func some(_ texts: [String]) -> String {
      let shown = texts.prefix(20).map { String($0.prefix(300)) }.joined(separator: "; ")
      return texts.count > 20 ? "\(shown) …" : shown
    }
    let facts: [CaseDetails.Fact?] = [
      .init("reference", entry.reference), .init("names", some(entry.names)),
      .init("weak_names", some(entry.weakNames)),
      .init("birth_date", some(entry.datesOfBirth.map(Self.text))), .init("birth_place", some(entry.placesOfBirth)),
      .init("nationality", some(entry.nationalities.sorted())),
      .init(
        "document_number",
        some(entry.identifiers.map { [$0.type, $0.number].filter { !$0.isEmpty }.joined(separator: " ") })),
      .init("programmes", some(entry.programmes)), .init("topics", some(entry.topics)),
      .init("address", some(entry.addresses)), .init("remarks", some(entry.remarksOnDocumentsFirst)),
    ]
    return facts.compactMap(\.self)
  }

  private static func text(_ date: BirthDate) -> String {
    let days = date.first == date.last ? date.first.isoText : "\(date.first.isoText) – \(date.last.isoText)"
    return date.isApproximate ? "~ \(days)" : days
  }

  /// - Returns: nil for a hit that waits for another person's word than this one's.
  private static func form(of found: ScreeningCaseService.Item, for caller: CaseCaller) -> CaseDetails.Form? {
    let item = found.item
    let title = Phrase("hit_decide", ["name": item.hit.caption])
    let words = CaseDetails.Control(
      "text", Phrase("hit_words"), .words(lengthMax: Screening.textMax), isRequired: item.state == .open)
    var form: CaseDetails.Form
    if item.state == .awaitingApproval {
      let proposal = Phrase("hit_\(item.proposal?.rawValue ?? "open")").text
      let agree = CaseDetails.Verdict(approve, Phrase("hit_approve", ["verdict": proposal]))
      let back = CaseDetails.Verdict("give-back", isRefusal: true)
      // Who proposed it may take it back, and is no second person.
      form = .init(
        item.id.rawValue, title, verdicts: item.proposedBy == caller.actor ? [back] : [agree, back], controls: [words])
    } else {
      let reasons = Screening.FalsePositiveReason.allCases.map {
        (code: $0.rawValue, label: Phrase("unlike_" + $0.rawValue.replacing("-", with: "_")))
      }
      form = .init(
        item.id.rawValue, title,
        verdicts: [.init("false-positive"), .init("true-match", isRefusal: true)],
        controls: [.init("reason", Phrase("hit_unlike"), .choice(reasons)), words])
    }
    form.hidden = ["version": "\(item.version)"]
    return form
  }
}
