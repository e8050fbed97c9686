// SPDX-License-Identifier: Apache-2.0

import Testing
import TestSupport

@testable import Evidence

@Suite("Evidence: calibrating the comparison of faces")
struct FaceCalibrationTests {
  private let calibration = FaceCalibration(
    mated: [0.8, 0.2, 0.5, 0.6, 0.7], nonMated: [0.05, 0.1, 0.15, 0.2, 0.3, 0.31, 0.4, 0.412, 0.1, 0])

  @Test("the threshold is the lowest at which no more than the wanted share of two people's pairs match")
  func thresholds() {
    #expect(calibration.threshold(falseMatchRate: 0) == 0.413)
    #expect(calibration.threshold(falseMatchRate: 0.1) == 0.401)
    #expect(calibration.threshold(falseMatchRate: 0.19) == 0.401, "a share of a pair is no pair")
    #expect(calibration.threshold(falseMatchRate: 1) == 0)
    #expect(calibration.threshold(falseNonMatchRate: 0) == 0.2)
    #expect(calibration.threshold(falseNonMatchRate: 0.2) == 0.5)
    #expect(FaceCalibration(mated: [], nonMated: [1]).threshold(falseMatchRate: 0) == nil)
    #expect(FaceCalibration(mated: [], nonMated: []).threshold(falseMatchRate: 0) == nil)
    #expect(FaceCalibration(mated: [], nonMated: []).threshold(falseNonMatchRate: 0) == nil)
  }

  @Test("rates count matches of two people and refusals of one")
  func rates() {
    #expect(calibration.falseMatches(from: 0.4) == .init(errors: 2, trials: 10))
    #expect(calibration.falseNonMatches(below: 0.5) == .init(errors: 1, trials: 5))
    #expect(calibration.falseMatches(from: 1) == .init(errors: 0, trials: 10))
    let equal = calibration.equalError
    #expect(equal.threshold == 0.311 && equal.rate == 0.2)
    #expect(FaceCalibration.trials(for: 0.0001) == 30_000)
  }

  @Test(
    "the interval of a counted rate is Clopper's and Pearson's",
    arguments: [
      (5, 100, 0.016431879, 0.112834911), (0, 3000, 0, 0.001228871), (100, 100, 0.963783307, 1),
      (0, 0, 0, 1), (1, 10, 0.002528579, 0.445016117),
    ])
  func intervals(errors: Int, trials: Int, low: Double, high: Double) {
    let interval = FaceCalibration.Rate(errors: errors, trials: trials).interval
    #expect(abs(interval.lowerBound - low) < 1e-8 && abs(interval.upperBound - high) < 1e-8)
  }

  @Test("at the threshold that is found the rate holds, and one step below it does not")
  func property() throws {
    var random = SeededGenerator(seed: 2026)
    func score() -> Double { Double(random.next() % 10_001) / 10_000 }
    for _ in 0..<200 {
      let sample = FaceCalibration(
        mated: (0..<40).map { _ in score() }, nonMated: (0..<(1 + Int(random.next() % 60))).map { _ in score() })
      let wanted = Double(random.next() % 50) / 100
      let allowed = Int((wanted * Double(sample.nonMated.count)).rounded(.down))
      guard let at = sample.threshold(falseMatchRate: wanted) else {
        #expect(sample.falseMatches(from: 1).errors > allowed)
        continue
      }
      #expect(sample.falseMatches(from: at).errors <= allowed)
      #expect(at == 0 || sample.falseMatches(from: at - 0.001).errors > allowed)
    }
  }
}
