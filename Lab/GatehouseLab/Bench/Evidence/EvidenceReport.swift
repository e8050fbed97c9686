// SPDX-License-Identifier: Apache-2.0

import Foundation

/// Milliseconds of many pictures, by the clock and of the processor.
struct PictureTimes: Sendable {
  var wall = Latencies()
  var processor = Latencies()

  mutating func add(wall: Double, processor: Double) {
    self.wall.add(.milliseconds(wall))
    self.processor.add(.milliseconds(processor))
  }
}

extension PictureTimes: Encodable {
  private enum Key: String, CodingKey {
    case pictures
    case wallMedian = "wall_ms_p50"
    case wallMost = "wall_ms_p95"
    case processorMedian = "processor_ms_p50"
    case processorMost = "processor_ms_p95"
    case perCore = "pictures_per_core_second"
  }

  func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: Key.self)
    try container.encode(processor.milliseconds.count, forKey: .pictures)
    try container.encode(wall.percentile(50), forKey: .wallMedian)
    try container.encode(wall.percentile(95), forKey: .wallMost)
    try container.encode(processor.percentile(50), forKey: .processorMedian)
    try container.encode(processor.percentile(95), forKey: .processorMost)
    try container.encode(perCore, forKey: .perCore)
  }

  /// Pictures that one core reads in a second.
  var perCore: Double {
    let spent = processor.milliseconds.reduce(0, +)
    return spent > 0 ? Double(processor.milliseconds.count) * 1000 / spent : 0
  }
}

/// What one reader came to.
struct ReaderReport: Encodable, Sendable {
  var scores: [String: EvidenceScore] = [:]
  /// The zone alone.
  var zoneTimes = PictureTimes()
  /// Everything that is read of a picture.
  var pageTimes = PictureTimes()
  /// KiB.
  var peak = 0
  /// How often the reader ended while it read.
  var losses = 0

  enum CodingKeys: String, CodingKey {
    case scores
    case zoneTimes = "zone"
    case pageTimes = "page"
    case peak = "peak_kib"
    case losses
  }
}

/// Everything that `gatehouse-lab bench evidence` measured.
struct EvidenceReport: Encodable, Sendable {
  var seed: UInt64
  var day: String
  var isRelease: Bool
  /// Pictures by wear and subject.
  var pictures: [String: [String: Int]] = [:]
  var gatehouse = ReaderReport()
  var passportEye: ReaderReport?
  /// Why there is no figure of PassportEye.
  var withoutPeer: String?
  var reliability = ReliabilityTable()
  var pairs: PairReport?

  enum CodingKeys: String, CodingKey {
    case seed, day
    case isRelease = "release"
    case pictures, gatehouse
    case passportEye = "passporteye"
    case withoutPeer = "without_passporteye"
    case reliability, pairs
  }

  /// Added over all wears.
  static func whole(_ reader: ReaderReport, _ part: (EvidenceScore) -> EvidenceTally) -> EvidenceTally {
    reader.scores.values.reduce(into: EvidenceTally()) { $0.add(part($1)) }
  }
}
