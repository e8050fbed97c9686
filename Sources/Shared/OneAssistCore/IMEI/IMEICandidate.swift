// SPDX-License-Identifier: Apache-2.0

/// A run of digits in recognised text that may be an IMEI (specification §5.2).
struct IMEICandidate: Hashable {
  /// Fifteen digits whose check digit is right.
  let imei: IMEI
  /// 1 or 2 by the label before it; nil without one.
  let slot: Int?
  /// Whether letters were taken for digits.
  let isRepaired: Bool

  /// The lengths at which groups are one number (step 2).
  private static let joined = 14...17
  /// How many letters a run may have to be repaired.
  private static let lettersMax = 2
  /// Shorter chains are not what a label announces.
  private static let numberMin = 12

  /// In the order of the text.
  static func all(in text: String) -> [IMEICandidate] {
    var (candidates, reader) = ([IMEICandidate](), LabelReader())
    for piece in IMEIText.pieces(text) {
      switch piece {
      case .lineEnd: reader.endLine()
      case .word(let word): reader.read(word)
      case .chain(let groups):
        let groups = reader.takeSlot(from: groups)
        let length = groups.reduce(0) { $0 + $1.utf8.count }
        guard length > 0, !reader.takeForeign(length) else { continue }
        let runs = joined.contains(length) ? [groups.joined()] : groups
        candidates += runs.compactMap { candidate($0, slot: reader.slot) }
        if length >= numberMin { reader.endNumber() }
      }
    }
    return candidates
  }

  private static func candidate(_ run: String, slot: Int?) -> IMEICandidate? {
    let letters = run.filter { !$0.isASCIIDigit }.count
    guard letters <= lettersMax, let imei = IMEI(String(run.map { IMEIText.resembling[$0] ?? $0 })) else { return nil }
    return IMEICandidate(imei: imei, slot: slot, isRepaired: letters > 0)
  }
}

/// Which label the next number belongs to.
private struct LabelReader {
  private(set) var slot: Int?
  /// Digits that are still those of another kind of number, which may go on in the next line.
  private var foreignDigits = 0
  /// Whether a label `IMEI` has no number yet; and whether nothing stood between it and here, in its line.
  private var (awaitsNumber, isFresh) = (false, false)

  mutating func read(_ word: String) {
    switch IMEILabel(word) {
    case .imei(let named)?:
      // Two labels, then two numbers: places decide.
      slot = awaitsNumber && named == 2 ? nil : named
      (foreignDigits, awaitsNumber, isFresh) = (0, true, true)
    case .other(let digitsMin)?:
      // `IMEI/MEID` is one label for either number, and only one of them has fifteen digits.
      if isFresh, word.uppercased() == "MEID" { return }
      self = LabelReader()
      foreignDigits = digitsMin
    case nil: isFresh = false
    }
  }

  mutating func endLine() { isFresh = false }

  /// `IMEI 2`: the number of the slot is part of the label.
  mutating func takeSlot(from groups: [String]) -> [String] {
    guard isFresh, slot == nil, let digit = ["1": 1, "2": 2][groups[0]] else { return groups }
    (slot, isFresh) = (digit, false)
    return Array(groups.dropFirst())
  }

  /// - Returns: whether the digits belong to a number of another kind.
  mutating func takeForeign(_ count: Int) -> Bool {
    guard foreignDigits > 0 else { return false }
    foreignDigits = max(0, foreignDigits - count)
    return true
  }

  mutating func endNumber() { self = LabelReader() }
}
