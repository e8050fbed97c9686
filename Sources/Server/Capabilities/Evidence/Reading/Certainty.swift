// SPDX-License-Identifier: Apache-2.0

import DocumentCore

/// How certain a printed field is, by what was measured.
///
/// The network gives a likelihood for each character. A field has that of its least certain character, which ranks
/// fields well, but is far higher than the share of fields that are right. The map below corrects it, and is cautious:
/// 0.9 or more is given only where about one field in a thousand was wrong; below that, more fields are right than the
/// number tells (docs/evidence.md: data, seeds, command and table).
enum Certainty {
  /// What a field with a look-alike is reported with at most. Its characters are certain but for those that
  /// `Confusables` names, which the comparison of numbers does not count as a difference.
  static let lookAlikeMost = 0.895
  /// Of a field whose value is not what was read, letter by letter (`FieldText.isPlain`).
  static let cleanedMost = 0.5

  /// Of a value under a caption that was hardly legible.
  static let wornCaptionMost = 0.89

  /// Likelihood of the least certain character, and what is reported for it.
  private static let knots: [(likelihood: Double, reported: Double)] = [
    (0, 0), (0.5, 0.3), (0.8, 0.6), (0.9, 0.75), (0.97, 0.85), (0.995, 0.899), (0.9951, 0.9), (0.999, 0.98), (1, 0.999),
  ]

  /// The same of dates, of which none was wrong from 0.9 on: what is misread in a date is seldom one of the calendar.
  private static let dateKnots: [(likelihood: Double, reported: Double)] = [
    (0, 0), (0.5, 0.3), (0.8, 0.6), (0.9, 0.75), (0.9699, 0.899), (0.97, 0.9), (0.999, 0.98), (1, 0.999),
  ]

  static func calibrated(_ likelihood: Double, isDate: Bool = false) -> Double {
    let knots = isDate ? Self.dateKnots : Self.knots
    guard let upper = knots.firstIndex(where: { $0.likelihood >= likelihood }), upper > 0 else {
      return likelihood > 0 ? knots[knots.count - 1].reported : 0
    }
    let (low, high) = (knots[upper - 1], knots[upper])
    let part = (likelihood - low.likelihood) / (high.likelihood - low.likelihood)
    return low.reported + part * (high.reported - low.reported)
  }

  /// How certain a field is that was read from these words.
  static func of(
    _ field: VisualZone.Field, _ words: [OCRWord], dates: PrintedDate.Order = .dayFirst
  ) -> Double {
    let likelihood = words.map(\.confidence).min() ?? 0
    var share = calibrated(likelihood, isDate: field.isDate)
    switch field {
    case .documentNumber, .personalNumber:
      // Print alone cannot tell O from 0: whatever the network says of one of them decides nothing.
      if words.contains(where: { $0.text.contains(where: lookAlikes.contains) }) { share = min(share, lookAlikeMost) }
    default: break
    }
    if !FieldText.isPlain(field, words.map(\.text), dates) { share = min(share, cleanedMost) }
    return (share * 1000).rounded() / 1000
  }

  /// Characters of numbers that were read as one another more often than any others: O as 0 in 25 of 100 cases, 0 as O
  /// in 7, I as 1 in 18, 1 as I in 1; of all others a slip shows in the likelihood (docs/evidence.md).
  private static let lookAlikes = Set("0OQDI1")
}
