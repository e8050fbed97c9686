// SPDX-License-Identifier: Apache-2.0

import Console
import FinapticFlow
import Foundation
import Kit

/// What a bank's act decides, by its parts, in the reader's language.
///
/// What is bound is a text of parts with `; ` between them, which the flow writes in English codes and amounts. What
/// customers wrote, such as a name or words to a payee, stands as it is and can hold the same characters: a part that
/// cannot follow is left in what it stands behind, so that nothing in it is shown as an amount of its own.
struct BankActTexts {
  /// A part: how it begins, what it is called and what it says.
  private struct Part: Sendable {
    let start: String
    let label: Phrase
    /// Nil where the rest of the part is something else.
    let words: @Sendable (String) -> Phrase?
    /// Whether people wrote it.
    var isFree = false
    /// Whether there may be several.
    var repeats = false
  }

  private(set) var facts: [CaseDetails.Fact] = []

  /// - Returns: nil for what is no act of a bank.
  init?(_ act: BoundAct) {
    guard act.action.hasPrefix(FinapticDependencies.actPrefix) else { return nil }
    var (found, seen): ([(label: Phrase, words: Phrase, text: String, isFree: Bool)], Set<Int>) = ([], [])
    let pieces = act.content.components(separatedBy: "; ")
    for (place, piece) in pieces.enumerated() {
      let isBehindFree = found.last?.isFree == true
      // Behind free words only what can still follow them is a part: other free words and, as the last piece, how the
      // subject stands.
      if let (index, words) = Self.part(of: piece, besides: seen, after: isBehindFree ? seen.max() ?? -1 : -1),
        !isBehindFree || Self.parts[index].isFree || place == pieces.count - 1
      {
        seen.insert(index)
        found.append((Self.parts[index].label, words, piece, Self.parts[index].isFree))
      } else if let last = found.last, last.isFree {
        let text = "\(last.text); \(piece)"
        let start = Self.parts.first { $0.isFree && last.text.hasPrefix($0.start) }?.start ?? ""
        found[found.count - 1] = (last.label, Phrase(plain: String(text.dropFirst(start.count))), text, true)
      } else {
        found.append((Phrase("approval_content"), Phrase(plain: piece), piece, false))
      }
    }
    facts = found.map { CaseDetails.Fact(labelled: $0.label, $0.words) }
  }

  /// - Parameter last: only what is behind this one.
  private static func part(of piece: String, besides seen: Set<Int>, after last: Int) -> (Int, Phrase)? {
    for (index, part) in parts.enumerated() where index > last && piece.hasPrefix(part.start) {
      guard part.repeats || !seen.contains(index) else { continue }
      if let words = part.words(String(piece.dropFirst(part.start.count))) { return (index, words) }
    }
    return nil
  }

  // MARK: The parts, in the order in which flows write them

  private static let parts: [Part] = [
    Part(start: "erasure with ", label: Phrase("rights_money"), words: erasure),
    Part(start: "interest ", label: Phrase("part_terms"), words: terms),
    Part(start: "status ", label: Phrase("part_status"), words: status),
    Part(start: "", label: Phrase("part_orders"), words: orders),
    Part(start: "sum ", label: Phrase("fact_amount"), words: plain),
    Part(start: "amount ", label: Phrase("fact_amount"), words: plain),
    Part(start: "purpose ", label: Phrase("fact_purpose"), words: purpose),
    Part(start: "", label: Phrase("fact_direction"), words: direction),
    Part(start: "", label: Phrase("reason"), words: cardReason),
    Part(start: "reason ", label: Phrase("reason"), words: reason),
    Part(start: "", label: Phrase("reason"), words: fixedReason),
    Part(start: "payout to ", label: Phrase("part_payout"), words: plain),
    Part(start: "value date ", label: Phrase("part_value_date"), words: plain),
    Part(start: "order ", label: Phrase("part_order"), words: plain),
    Part(start: "to BIC ", label: Phrase("part_bic"), words: plain),
    Part(start: "to ", label: Phrase("fact_account"), words: plain),
    Part(start: "account ", label: Phrase("part_standing"), words: account),
    Part(start: "account ", label: Phrase("part_standing"), words: money, repeats: true),
    Part(start: "Interac ", label: Phrase("part_interac"), words: transfer, repeats: true),
    Part(start: "payment ", label: Phrase("fact_payment"), words: payment, repeats: true),
    Part(start: "account ", label: Phrase("fact_account"), words: number),
    Part(start: "because ", label: Phrase("reason"), words: reason),
    Part(start: "creditor ", label: Phrase("part_creditor"), words: plain, isFree: true),
    Part(start: "about ", label: Phrase("part_about"), words: plain, isFree: true),
    Part(start: "reference ", label: Phrase("fact_reference"), words: plain, isFree: true),
    Part(start: "for ", label: Phrase("part_remittance"), words: plain, isFree: true),
    Part(start: "returned ", label: Phrase("part_returned"), words: plain),
    Part(start: "before interest ", label: Phrase("part_before"), words: terms),
    Part(start: "user ", label: Phrase("part_standing"), words: blocked),
    Part(start: "card ", label: Phrase("part_standing"), words: blocked),
    // How the account stands ends the text, also behind what people wrote.
    Part(start: "account ", label: Phrase("part_standing"), words: accountStatus),
  ]

  private static func plain(_ text: String) -> Phrase? { Phrase(plain: text) }

  private static func code(_ topic: String, _ code: String) -> Phrase {
    Phrase("\(topic)_\(code.lowercased().replacing("-", with: "_"))", otherwise: code)
  }

  private static func erasure(_ text: String) -> Phrase? {
    Phrase("rights_money_" + text.replacing("-", with: "_"), otherwise: text)
  }

  private static func orders(_ text: String) -> Phrase? {
    text.wholeMatch(of: /([0-9]+) orders/).map { Phrase(plain: String($0.1)) }
  }

  private static func purpose(_ text: String) -> Phrase? { code("choice", text) }

  private static func direction(_ text: String) -> Phrase? {
    CardSuspense.Direction(rawValue: text).map { Phrase("card_\($0.rawValue)") }
  }

  private static func fixedReason(_ text: String) -> Phrase? {
    switch text {
    case "no reason given": Phrase("part_no_reason")
    case "told of twice": Phrase("part_told_twice")
    default: nil
    }
  }

  /// Of an account, here or at another bank.
  private static func number(_ text: String) -> Phrase? {
    text.contains(" ") || isStatus(text[...]) ? nil : Phrase(plain: text)
  }

  /// Of a posting, of a stop, or one that only the messages between banks have.
  private static func reason(_ text: String) -> Phrase? {
    let isPosting = PostingReason(rawValue: text) != nil
    return code(isPosting ? "posting" : "stop", text)
  }

  private static func cardReason(_ text: String) -> Phrase? {
    CardSuspense.Reason(rawValue: text).map { code("card", $0.rawValue) }
  }

  private static func status(_ text: String) -> Phrase? { code("record_account_status", text) }

  /// `25000 millionths a year, fee 4.95 CAD a month`, and from which day on.
  private static func terms(_ text: String) -> Phrase? {
    guard
      let found = text.wholeMatch(
        of: /([0-9]+) millionths a year, fee ([0-9.]+ [A-Z]{3}) a month(?:, from ([0-9-]+) on)?/),
      let millionths = Int(found.1)
    else { return nil }
    let rest = String(String(10_000 + millionths % 10_000).dropFirst())
    let digits = String(rest.reversed().drop { $0 == "0" }.reversed())
    let percent = "\(millionths / 10_000)" + (digits.isEmpty ? "" : ".\(digits)")
    let values = ["interest": percent, "fee": String(found.2), "day": found.3.map(String.init) ?? ""]
    return Phrase(found.3 == nil ? "part_terms_text" : "part_terms_from", values)
  }

  /// `frozen, balance 10.00`: which freeze it is, the act binds and no reader needs.
  private static func account(_ text: String) -> Phrase? {
    guard
      let found = text.wholeMatch(
        of: /([a-z]+), balance (-?[0-9.]+)(?:, freeze is line [0-9]+ of its audit chain)?/), isStatus(found.1)
    else { return nil }
    return Phrase("part_account_balance", ["status": status(String(found.1))?.text ?? "", "amount": String(found.2)])
  }

  private static func accountStatus(_ text: String) -> Phrase? { isStatus(text[...]) ? status(text) : nil }

  private static func isStatus(_ text: Substring) -> Bool {
    ["active", "inactive", "frozen", "closed"].contains(text)
  }

  /// An account of who is erased.
  private static func money(_ text: String) -> Phrase? {
    guard
      let found = text.wholeMatch(
        of: /([0-9a-f-]{36}) ([a-z]+) (-?[0-9.]+ [A-Z]{3}) entry [0-9]+(?: interest ([0-9.]+))?/)
    else { return nil }
    let values = [
      "account": String(found.1), "status": status(String(found.2))?.text ?? "", "amount": String(found.3),
      "interest": found.4.map(String.init) ?? "",
    ]
    return Phrase(found.4 == nil ? "part_money" : "part_money_interest", values)
  }

  private static func transfer(_ text: String) -> Phrase? {
    text.wholeMatch(of: /(\S+) (-?[0-9.]+ [A-Z]{3}) goes back/).map {
      Phrase("part_goes_back", ["name": String($0.1), "amount": String($0.2)])
    }
  }

  /// Its id, its state with its version, or one that is on its way.
  private static func payment(_ text: String) -> Phrase? {
    if let found = text.wholeMatch(of: /(\S+) (-?[0-9.]+ [A-Z]{3}) is on its way/) {
      return Phrase("part_on_its_way", ["name": String(found.1), "amount": String(found.2)])
    }
    return text.split(separator: " ").count <= 2 ? Phrase(plain: text) : nil
  }

  /// Since when a user or a card is blocked, and a card for what.
  private static func blocked(_ text: String) -> Phrase? {
    if text == "not blocked" { return Phrase("part_not_blocked") }
    guard let found = text.wholeMatch(of: /blocked at (\S+) \([0-9]+\)(?: for (.+?))?(?:, the last block is line .*)?/),
      let at = Instant(rfc3339: String(found.1))
    else { return nil }
    let time = Moment(at).renderText
    guard let reasons = found.2 else { return Phrase("part_blocked", ["time": time]) }
    let words = reasons.split(separator: ", ").map { code("stop", String($0)).text }.joined(separator: ", ")
    return Phrase("part_blocked_for", ["time": time, "reason": words])
  }
}
