// SPDX-License-Identifier: Apache-2.0

/// Substitutions in numbers and optional data that check digits decide (identity-documents §6, step 3).
///
/// 1. Only fields whose own check digit fails are touched; data that only the composite covers, only when nothing else
///    fails but the composite.
/// 2. At most two characters of a field change, each to its look-alike.
/// 3. The change counts only when it is the one that satisfies field and composite digits. Fewer characters come first:
///    a single misreading is not outweighed by pairs that happen to fit too.
struct CheckDigitRepair {
  struct Substitution: Hashable {
    let line: Int
    let position: Int
    let byte: UInt8
  }

  enum Answer {
    /// No change needed, or the only one that helps.
    case one([Substitution])
    case several
    case none
  }

  private let lines: [[UInt8]]
  private let fields: [Field]
  private let composite: CheckState
  private let digitsAgree: Bool

  /// - Parameter digitsAgree: whether the check digits of the dates hold; without them nothing can be mended here.
  init(layout: MRZLayout, lines: [[UInt8]], digitsAgree: Bool) {
    self.lines = lines
    self.digitsAgree = digitsAgree
    fields = Field.all(of: layout, in: lines)
    composite = Self.compositeState(layout, lines)
  }

  func substitutions() -> Answer {
    guard digitsAgree, composite != .hopeless else { return .none }
    let failing = fields.filter { $0.state != .holds && $0.state != .uncovered }
    if failing.isEmpty {
      guard case .fails(let need) = composite else { return .one([]) }
      let uncovered = fields.filter { $0.state == .uncovered }
      return only(uncovered.flatMap { variants(of: $0) }.filter { $0.compositeChange == need })
    }
    var combined = [Variant(substitutions: [], fieldChange: 0, compositeChange: 0)]
    for field in failing {
      guard case .fails(let need) = field.state else { return .none }
      let mending = variants(of: field).filter { $0.fieldChange == need }
      combined = combined.flatMap { earlier in mending.map { earlier.and($0) } }
    }
    return only(combined.filter { satisfiesComposite($0) })
  }

  private func satisfiesComposite(_ variant: Variant) -> Bool {
    switch composite {
    case .uncovered: true
    case .holds: variant.compositeChange == 0
    case .fails(let need): variant.compositeChange == need
    case .hopeless: false
    }
  }

  private static func compositeState(_ layout: MRZLayout, _ lines: [[UInt8]]) -> CheckState {
    guard let span = layout.compositeDigit else { return .uncovered }
    let present = lines[span.line][span.range.lowerBound]
    let computed = MRZ.checkDigit(of: layout.compositeCover.flatMap { lines[$0.line][$0.range] })
    guard present.isDigit else { return .hopeless }
    let need = modulo10(Int(present) - Int(computed))
    return need == 0 ? .holds : .fails(need: need)
  }

  private func only(_ variants: [Variant]) -> Answer {
    guard let fewest = variants.map(\.substitutions.count).min() else { return .none }
    let simplest = variants.filter { $0.substitutions.count == fewest }
    return simplest.count == 1 ? .one(simplest[0].substitutions) : .several
  }

  /// Every change of one or two characters of a field.
  private func variants(of field: Field) -> [Variant] {
    let single = field.places.map { place in
      let byte = lines[place.line][place.position]
      return Confusion.alternatives(for: byte).map { other in
        let change = (MRZ.characterValue(other) ?? 0) - (MRZ.characterValue(byte) ?? 0)
        return Variant(
          substitutions: [Substitution(line: place.line, position: place.position, byte: other)],
          fieldChange: Self.modulo10(change * place.fieldWeight),
          compositeChange: Self.modulo10(change * place.compositeWeight))
      }
    }
    var all = single.flatMap(\.self)
    for first in single.indices {
      for second in single.indices where second > first {
        for variant in single[first] { all += single[second].map { variant.and($0) } }
      }
    }
    return all
  }

  private struct Variant {
    let substitutions: [Substitution]
    let fieldChange: Int
    let compositeChange: Int

    func and(_ other: Variant) -> Variant {
      Variant(
        substitutions: substitutions + other.substitutions,
        fieldChange: (fieldChange + other.fieldChange) % 10,
        compositeChange: (compositeChange + other.compositeChange) % 10)
    }
  }

  static func modulo10(_ number: Int) -> Int { (number % 10 + 10) % 10 }
}
