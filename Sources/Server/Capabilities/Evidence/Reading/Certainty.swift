import DocumentCore

/// How often what the line reader is so sure of is right, as it was measured.
///
/// The network answers with a likelihood for each character; that of a field's least certain character says how certain
/// the field is, and is no frequency. The map below is one, as far as the measurement reaches: it grows with the
/// network's likelihood, and lies at 0.9 only where less than one field in a thousand was wrong
/// (docs/evidence.md: command, seeds and table).
enum Certainty {
  /// What a field with a look-alike is reported with at most. Its characters are certain but for those that
  /// `Confusables` names, which the comparison of numbers does not count as a difference.
  static let lookAlikeMost = 0.895
  /// Of a field from which something was left out that should not stand in it.
  static let cleanedMost = 0.5

  /// Likelihood of the least certain character, and the share of fields that were right from there on.
  private static let knots: [(likelihood: Double, right: Double)] = [
    (0, 0), (0.5, 0.25), (0.8, 0.6), (0.95, 0.8), (0.985, 0.89), (0.99, 0.93), (0.997, 0.98), (1, 0.999),
  ]

  static func calibrated(_ likelihood: Double) -> Double {
    guard let upper = knots.firstIndex(where: { $0.likelihood >= likelihood }), upper > 0 else {
      return likelihood > 0 ? knots[knots.count - 1].right : 0
    }
    let (low, high) = (knots[upper - 1], knots[upper])
    let part = (likelihood - low.likelihood) / (high.likelihood - low.likelihood)
    return low.right + part * (high.right - low.right)
  }

  /// How certain a field is that was read from these words.
  static func of(_ field: VisualZone.Field, _ words: [OCRWord]) -> Double {
    let likelihood = words.map(\.confidence).min() ?? 0
    var share = calibrated(likelihood)
    switch field {
    case .documentNumber, .personalNumber:
      // Print alone cannot tell O from 0: whatever the network says of one of them decides nothing.
      if words.contains(where: { $0.text.contains(where: lookAlikes.contains) }) { share = min(share, lookAlikeMost) }
    case .surname, .givenNames:
      let isClean = words.allSatisfy { word in
        !word.text.contains { $0.isNumber || $0.isSymbol } || !word.text.contains(where: \.isLetter)
      }
      if !isClean { share = min(share, cleanedMost) }
    default: break
    }
    return (share * 1000).rounded() / 1000
  }

  /// Characters of numbers that were read as another one at least once in a thousand times (docs/evidence.md).
  private static let lookAlikes = Set("0OQDI1")
}
