// SPDX-License-Identifier: Apache-2.0

import CVision
import Foundation
import Testing

@testable import Evidence

/// How often print is right that was reported with some confidence, on pages of `scripts/draw-print`.
@Suite("Evidence: confidence of print beside the truth")
struct PrintReliabilityTests {
  private static let folder = ProcessInfo.processInfo.environment["GATEHOUSE_PRINT"]

  private struct Field: Decodable {
    var kind: String
    var text: String
    var x, y: Double
  }

  private struct Bin {
    let from: Double
    var fields = 0, wrong = 0
  }

  @Test(
    "of fields that are reported with 0.9 or more hardly one is wrong",
    .enabled(if: folder != nil, "GATEHOUSE_PRINT names no folder of scripts/draw-print"))
  func reliability() throws {
    let folder = URL(fileURLWithPath: try #require(Self.folder))
    let truth = try JSONDecoder().decode(
      [String: [Field]].self, from: Data(contentsOf: folder.appendingPathComponent("truth.json")))
    let reader = LineReader(dataPath: nil)
    var bins = [0, 0.3, 0.6, 0.75, 0.85, 0.9, 0.95, 0.98].map { Bin(from: $0) }
    var absent = 0
    for (name, fields) in truth.sorted(by: { $0.key < $1.key }) {
      let data = try Data(contentsOf: folder.appendingPathComponent(name))
      let frame = try Frame.open(data, limits: ImageLimits()).frame
      let ink = try frame.derived { cvision_ink(frame.handle, 225, $0) }
      let words = try reader.lines(in: ink).flatMap(\.words)
      for field in fields {
        let kind = try #require(VisualZone.Field(rawValue: field.kind))
        guard let value = VisualZoneReader.value(of: kind, in: Self.run(at: field, in: words)) else {
          absent += 1
          continue
        }
        let at = try #require(bins.lastIndex { $0.from <= value.confidence })
        bins[at].fields += 1
        if value.text != FieldText.reading(kind, field.text.split(separator: " ").map(String.init)) {
          bins[at].wrong += 1
          print("wrong", value.confidence, field.text, value.text, name)
        }
      }
    }
    for bin in bins { print("from \(bin.from): \(bin.fields) fields, \(bin.wrong) wrong") }
    print("not read: \(absent)")
    let certain = bins.filter { $0.from >= 0.9 }
    let wrong = certain.reduce(0) { $0 + $1.wrong }, all = certain.reduce(0) { $0 + $1.fields }
    #expect(all > 0)
    #expect(wrong * 200 <= all, "\(wrong) of \(all)")
  }

  /// The words that stand at a field's place, and those beside them without a wide gap.
  private static func run(at field: Field, in words: [OCRWord]) -> [OCRWord] {
    let row = words.filter { abs($0.region.midY - field.y) < Double($0.region.height) * 0.5 }
      .sorted { $0.region.x < $1.region.x }
    var runs: [[OCRWord]] = []
    for word in row {
      if let last = runs.last?.last?.region,
        Double(word.region.x - last.x - last.width) < Double(max(last.height, word.region.height)) * 1.6
      {
        runs[runs.count - 1].append(word)
      } else {
        runs.append([word])
      }
    }
    return runs.first { run in
      guard let first = run.first, let last = run.last else { return false }
      return Double(first.region.x) <= field.x && field.x <= Double(last.region.x + last.region.width)
    } ?? []
  }
}
