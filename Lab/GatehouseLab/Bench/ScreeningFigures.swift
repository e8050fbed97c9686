// SPDX-License-Identifier: Apache-2.0

import Foundation

#if canImport(Glibc)
  import Glibc
#endif

/// Precision, recall and the like of scores whose truth is known.
struct ScreeningFigures {
  let precision: Double
  let recall: Double
  /// Area under the receiver operating characteristic: how often a true one has the higher score of a true and a false
  /// one; equal scores count one half.
  let auc: Double
  let falseHits: Int
  let strongWrong: Int

  var f1: Double { precision + recall > 0 ? 2 * precision * recall / (precision + recall) : 0 }

  init(_ scored: [(score: Double, isTrue: Bool)], threshold: Double, strongWrong: Int) {
    let hits = scored.filter { $0.score >= threshold }
    let trueHits = hits.count(where: \.isTrue)
    let trueOnes = scored.count(where: \.isTrue)
    falseHits = hits.count - trueHits
    precision = hits.isEmpty ? 0 : Double(trueHits) / Double(hits.count)
    recall = trueOnes == 0 ? 0 : Double(trueHits) / Double(trueOnes)
    self.strongWrong = strongWrong
    // By ranks (Mann–Whitney); equal scores share the mean of their ranks.
    let sorted = scored.sorted { $0.score < $1.score }
    var (ranks, start) = (0.0, 0)
    while start < sorted.count {
      var end = start
      while end < sorted.count, sorted[end].score == sorted[start].score { end += 1 }
      ranks += Double(sorted[start..<end].count(where: \.isTrue)) * Double(start + end + 1) / 2
      start = end
    }
    let (truths, falsehoods) = (Double(trueOnes), Double(scored.count - trueOnes))
    auc = truths > 0 && falsehoods > 0 ? (ranks - truths * (truths + 1) / 2) / (truths * falsehoods) : 0
  }

  static let header = "  matcher               threshold  precision  recall   F1      AUC     STRONG wrong"

  func row(_ name: String, threshold: Double = 0.85) -> String {
    Self.row(name, threshold, precision, recall, f1, auc, strongWrong)
  }

  static func row(
    _ name: String, _ threshold: Double, _ precision: Double, _ recall: Double, _ f1: Double, _ auc: Double,
    _ strongWrong: Int
  ) -> String {
    "  \(name.padding(toLength: 22, withPad: " ", startingAt: 0))"
      + String(
        format: "%-9.2f  %-9.3f  %-7.3f  %-6.3f  %-6.3f  %d", threshold, precision, recall, f1, auc, strongWrong)
  }
}

extension ScreeningPeer {
  var row: String { ScreeningFigures.row(matcher, threshold, precision, recall, f1, auc, strongWrong) }
}

/// What of the machine's memory this process holds.
enum MemoryInUse {
  /// In bytes; 0 where the system does not tell.
  static var resident: Int {
    guard let text = try? String(contentsOfFile: "/proc/self/statm", encoding: .utf8) else { return 0 }
    let pages = text.split(separator: " ").dropFirst().first.flatMap { Int($0) } ?? 0
    return pages * Int(sysconf(Int32(_SC_PAGESIZE)))
  }
}
