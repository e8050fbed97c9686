// SPDX-License-Identifier: Apache-2.0

import Evidence
import Foundation

/// What `gatehouse faces calibrate` says.
struct CalibrationReport {
  private let calibration: FaceCalibration
  private let failures: [String: Int]
  private let model: String
  private let fmr: Double
  private let fnmr: Double
  /// From which two faces match, at the false match rate that is wanted; nil when no threshold has it.
  let matchFrom: Double?
  /// Below which two faces do not match.
  let noMatchBelow: Double?

  init(_ scores: FaceScores, model: String, fmr: Double, fnmr: Double) {
    calibration = FaceCalibration(mated: scores.mated, nonMated: scores.nonMated)
    failures = scores.failures
    self.model = model.split(separator: "/").last.map(String.init) ?? model
    (self.fmr, self.fnmr) = (fmr, fnmr)
    let matchFrom = calibration.threshold(falseMatchRate: fmr)
    self.matchFrom = matchFrom
    // Between both thresholds a person decides; they may not cross.
    noMatchBelow = calibration.threshold(falseNonMatchRate: fnmr).map { min($0, matchFrom ?? $0) }
  }

  private var trialsNeeded: Int { FaceCalibration.trials(for: fmr) }

  /// Whether the pairs of two people are so many that the rate can be told from them.
  var isEnough: Bool { calibration.nonMated.count >= trialsNeeded && matchFrom != nil && !calibration.mated.isEmpty }

  var text: String {
    let failed = failures.values.reduce(0, +)
    let all = calibration.mated.count + calibration.nonMated.count + failed
    var lines = [
      "\(model): \(all) pairs, \(calibration.mated.count) of one person, \(calibration.nonMated.count) of two, "
        + "\(failed) without two faces (failure to acquire)"
    ]
    lines += failures.sorted { $0.key < $1.key }.map { "  \($0.value) × \($0.key)" }
    if let matchFrom {
      lines.append(String(format: "faces.matchFrom = %.3f", matchFrom))
      lines.append("  FMR  \(Self.text(calibration.falseMatches(from: matchFrom))), wanted \(Self.figure(fmr))")
      lines.append("  FNMR \(Self.text(calibration.falseNonMatches(below: matchFrom)))")
    } else {
      lines.append("no threshold has a false match rate of \(Self.figure(fmr)) on these pairs")
    }
    if let noMatchBelow {
      lines.append(String(format: "faces.noMatchBelow = %.3f", noMatchBelow))
      lines.append("  of one person below it: \(Self.text(calibration.falseNonMatches(below: noMatchBelow)))")
      lines.append("  of two people from it on: \(Self.text(calibration.falseMatches(from: noMatchBelow)))")
    }
    if !calibration.mated.isEmpty, !calibration.nonMated.isEmpty {
      let equal = calibration.equalError
      lines.append("equal error rate \(Self.figure(equal.rate)) at \(Self.figure(equal.threshold))")
    }
    if calibration.nonMated.count < trialsNeeded {
      lines.append(
        "not enough: \(calibration.nonMated.count) pairs of two people cannot show a false match rate of "
          + "\(Self.figure(fmr)); at least \(trialsNeeded) can (rule of 3, ISO/IEC 19795-1)")
    }
    return lines.joined(separator: "\n")
  }

  private static func text(_ rate: FaceCalibration.Rate) -> String {
    let interval = rate.interval
    return "\(figure(rate.value)) (\(rate.errors) of \(rate.trials); 95 % confidence \(figure(interval.lowerBound)) to "
      + "\(figure(interval.upperBound)))"
  }

  private static func figure(_ value: Double) -> String { String(format: "%.3g", value) }

  private struct Document: Encodable {
    struct Rate: Encodable {
      let value: Double
      let errors: Int
      let trials: Int
      let low: Double
      let high: Double

      init(_ rate: FaceCalibration.Rate) {
        (value, errors, trials) = (rate.value, rate.errors, rate.trials)
        (low, high) = (rate.interval.lowerBound, rate.interval.upperBound)
      }
    }

    struct Threshold: Encodable {
      let threshold: Double
      let fmr: Rate
      let fnmr: Rate
    }

    let model: String
    let mated: Int
    let nonMated: Int
    let failuresToAcquire: [String: Int]
    let matchFrom: Threshold?
    let noMatchBelow: Threshold?
    let isEnough: Bool

    enum CodingKeys: String, CodingKey {
      case model, mated
      case nonMated = "non_mated"
      case failuresToAcquire = "failures_to_acquire"
      case matchFrom = "match_from"
      case noMatchBelow = "no_match_below"
      case isEnough = "enough"
    }
  }

  func json() throws -> String {
    func threshold(_ value: Double?) -> Document.Threshold? {
      value.map { at in
        Document.Threshold(
          threshold: at, fmr: .init(calibration.falseMatches(from: at)),
          fnmr: .init(calibration.falseNonMatches(below: at)))
      }
    }
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.prettyPrinted, .sortedKeys]
    let document = Document(
      model: model, mated: calibration.mated.count, nonMated: calibration.nonMated.count, failuresToAcquire: failures,
      matchFrom: threshold(matchFrom), noMatchBelow: threshold(noMatchBelow), isEnough: isEnough)
    return String(decoding: try encoder.encode(document), as: UTF8.self)
  }
}
