// SPDX-License-Identifier: Apache-2.0

import Foundation

/// Scores of pairs of faces whose truth is known, and the error rates that a threshold has on them.
///
/// The words are those of ISO/IEC 19795-1 and NIST SP 800-63A: the false match rate (FMR) is the share of pairs of two
/// people that match; the false non-match rate (FNMR) the share of pairs of one person that do not; pairs in which no
/// face could be compared are failures to acquire and count in neither.
package struct FaceCalibration: Sendable {
  /// Of two pictures of one person, ascending.
  package let mated: [Double]
  /// Of pictures of two people, ascending.
  package let nonMated: [Double]

  package init(mated: [Double], nonMated: [Double]) {
    self.mated = mated.sorted()
    self.nonMated = nonMated.sorted()
  }

  /// An error rate as it was counted.
  package struct Rate: Sendable, Equatable {
    package let errors: Int
    package let trials: Int

    package init(errors: Int, trials: Int) { (self.errors, self.trials) = (errors, trials) }

    /// 0 of no trials.
    package var value: Double { trials == 0 ? 0 : Double(errors) / Double(trials) }

    /// The interval that holds the true rate with a confidence of 95 % (Clopper and Pearson, Biometrika 1934), when the
    /// trials are independent of one another.
    package var interval: ClosedRange<Double> {
      guard trials > 0 else { return 0...1 }
      let tail = 0.025
      let (successes, others) = (Double(errors), Double(trials - errors))
      let low = errors == 0 ? 0 : BetaDistribution(successes, others + 1).quantile(tail)
      let high = errors == trials ? 1 : BetaDistribution(successes + 1, others).quantile(1 - tail)
      return min(low, high)...max(low, high)
    }
  }

  /// Pairs of two people with this score or more.
  package func falseMatches(from threshold: Double) -> Rate {
    Rate(errors: nonMated.count - Self.below(threshold, in: nonMated), trials: nonMated.count)
  }

  /// Pairs of one person with less than this score.
  package func falseNonMatches(below threshold: Double) -> Rate {
    Rate(errors: Self.below(threshold, in: mated), trials: mated.count)
  }

  /// The lowest threshold, in steps of 0.001, at which no more than this share of the pairs of two people match.
  /// - Returns: nil where no threshold in 0…1 has it, or without such pairs.
  package func threshold(falseMatchRate: Double) -> Double? {
    guard !nonMated.isEmpty else { return nil }
    let allowed = Int((falseMatchRate * Double(nonMated.count)).rounded(.down))
    guard allowed < nonMated.count else { return 0 }
    // The best of the scores that must not match.
    let barred = nonMated[nonMated.count - 1 - allowed]
    var step = max(0, Int((barred * 1000).rounded(.down)))
    while step <= 1000, falseMatches(from: Double(step) / 1000).errors > allowed { step += 1 }
    return step <= 1000 ? Double(step) / 1000 : nil
  }

  /// The highest threshold, in steps of 0.001, below which no more than this share of the pairs of one person lie.
  package func threshold(falseNonMatchRate: Double) -> Double? {
    guard !mated.isEmpty else { return nil }
    let allowed = Int((falseNonMatchRate * Double(mated.count)).rounded(.down))
    return (0...1000).reversed().lazy.map { Double($0) / 1000 }
      .first { falseNonMatches(below: $0).errors <= allowed }
  }

  /// Where both rates are nearest to one another (equal error rate), in steps of 0.001.
  package var equalError: (threshold: Double, rate: Double) {
    let steps = (0...1000).map { Double($0) / 1000 }
    func rates(_ at: Double) -> (Double, Double) { (falseMatches(from: at).value, falseNonMatches(below: at).value) }
    func distance(_ at: Double) -> Double { abs(rates(at).0 - rates(at).1) }
    let best = steps.min { distance($0) < distance($1) } ?? 0
    return (best, (rates(best).0 + rates(best).1) / 2)
  }

  /// How many pairs of two people without a false match show a rate with 95 % confidence: the rule of 3 (ISO/IEC
  /// 19795-1, annex B).
  package static func trials(for rate: Double) -> Int { Int((3 / max(rate, 1e-9)).rounded(.up)) }

  /// How many of ascending scores are below a threshold.
  private static func below(_ threshold: Double, in scores: [Double]) -> Int {
    var (low, high) = (0, scores.count)
    while low < high {
      let middle = (low + high) / 2
      if scores[middle] < threshold { low = middle + 1 } else { high = middle }
    }
    return low
  }
}

/// The beta distribution, whose quantiles bound a share that was counted.
struct BetaDistribution {
  private let a: Double
  private let b: Double

  /// - Precondition: both are positive.
  init(_ a: Double, _ b: Double) {
    precondition(a > 0 && b > 0, "a beta distribution has positive parameters")
    (self.a, self.b) = (a, b)
  }

  /// The regularised incomplete beta function, by its continued fraction (Abramowitz and Stegun 26.5.8).
  func cumulative(_ x: Double) -> Double {
    guard x > 0 else { return 0 }
    guard x < 1 else { return 1 }
    let scale: Double = lgamma(a + b) - lgamma(a) - lgamma(b)
    let front = exp(scale + a * log(x) + b * log1p(-x))
    // The fraction converges fast on this side only.
    return x < (a + 1) / (a + b + 2)
      ? front * Self.fraction(a, b, x) / a : 1 - front * Self.fraction(b, a, 1 - x) / b
  }

  /// - Parameter share: 0…1.
  func quantile(_ share: Double) -> Double {
    var (low, high) = (0.0, 1.0)
    for _ in 0..<100 {
      let middle = (low + high) / 2
      if cumulative(middle) < share { low = middle } else { high = middle }
    }
    return (low + high) / 2
  }

  /// By Lentz's method.
  private static func fraction(_ a: Double, _ b: Double, _ x: Double) -> Double {
    let tiny = 1e-300
    func safe(_ value: Double) -> Double { abs(value) < tiny ? tiny : value }
    var c = 1.0, d = 1 / safe(1 - (a + b) * x / (a + 1)), result = d
    for m in 1...500 {
      let m = Double(m)
      for term in [
        m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m)),
        -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1)),
      ] {
        d = 1 / safe(1 + term * d)
        c = safe(1 + term / c)
        result *= d * c
      }
      if abs(d * c - 1) < 1e-14 { break }
    }
    return result
  }
}
