// SPDX-License-Identifier: Apache-2.0

import Foundation

extension EvidenceReport {
  /// Lines for people.
  var table: String {
    var lines = ["Seeds from \(seed), read as on \(day)." + (isRelease ? "" : " A debug build: times say nothing.")]
    for (wear, subjects) in pictures.sorted(by: { $0.key < $1.key }) {
      let parts = subjects.sorted { $0.key < $1.key }.map { "\($0.key) \($0.value)" }
      lines.append("  \(wear): \(subjects.values.reduce(0, +)) pictures (\(parts.joined(separator: ", ")))")
    }
    lines += ["", Self.row("machine-readable zone", ["wear", "reader", "all right", "wrong", "refused", "certain*"])]
    for wear in wears { lines += readers.map { zoneRow(wear, $0.name, $0.report) } }
    lines += ["", Self.row("field of the zone", ["wear", "reader", "right", "wrong", "missing", "certain*"])]
    for wear in wears { lines += readers.flatMap { fieldRows(wear, $0.name, $0.report) } }
    lines += ["", Self.row("print and barcode", ["wear", "reader", "right", "wrong", "missing", "certain*"])]
    for wear in wears { lines += printRows(wear) }
    lines += ["", "confidence of print, and how much of it was right"]
    for bin in reliability.bins where bin.fields > 0 {
      let mean = bin.confidence / Double(bin.fields), share = Double(bin.right) / Double(bin.fields)
      lines.append(
        String(format: "  from %.2f: %6d fields, reported %.3f, right %.4f", bin.from, bin.fields, mean, share))
    }
    lines.append(String(format: "  expected calibration error %.3f", reliability.calibrationError))
    lines += ["", Self.row("milliseconds", ["reader", "cpu p50", "cpu p95", "wall p50", "wall p95", "per core s"])]
    for (name, reader) in readers {
      lines.append(Self.timeRow("zone", name, reader.zoneTimes))
      if name == Self.ours { lines.append(Self.timeRow("whole picture", name, reader.pageTimes)) }
    }
    if let ratio = zoneRatio {
      lines.append(String(format: "  PassportEye takes %.1f times our processor for a zone", ratio))
    }
    for (name, reader) in readers {
      lines.append("  \(name): \(reader.peak / 1024) MiB at most for one picture, lost \(reader.losses) times")
    }
    if let withoutPeer { lines.append("not measured: PassportEye: \(withoutPeer)") }
    if let pairs { lines += [""] + pairs.lines }
    lines += ["", "* wrong although the reader vouched for it. Fields are compared character by character,"]
    lines.append("  letters with their diacritics; of the zone as they stand in its lines.")
    return lines.joined(separator: "\n")
  }

  private static let ours = "gatehouse"

  private var wears: [String] { gatehouse.scores.keys.sorted() }

  private var readers: [(name: String, report: ReaderReport)] {
    [(Self.ours, gatehouse)] + (passportEye.map { [("PassportEye", $0)] } ?? [])
  }

  /// How many times the processor's time of ours PassportEye takes for a zone, at the median.
  var zoneRatio: Double? {
    guard let passportEye else { return nil }
    let own = gatehouse.zoneTimes.processor.percentile(50)
    return own > 0 ? passportEye.zoneTimes.processor.percentile(50) / own : nil
  }

  private func zoneRow(_ wear: String, _ name: String, _ reader: ReaderReport) -> String {
    let score = reader.scores[wear] ?? EvidenceScore()
    let kinds = score.zoneOf.sorted { $0.key < $1.key }.map { "\($0.key) \($0.value.right)/\($0.value.asked)" }
    return Self.tallyRow("", wear, name, score.zone) + "  " + kinds.joined(separator: ", ")
  }

  private func fieldRows(_ wear: String, _ name: String, _ reader: ReaderReport) -> [String] {
    guard let score = reader.scores[wear] else { return [] }
    return ZoneFields.names.compactMap { field in
      score.zoneFields[field].map { Self.tallyRow(field, wear, name, $0) }
    }
  }

  private func printRows(_ wear: String) -> [String] {
    guard let score = gatehouse.scores[wear] else { return [] }
    var rows = score.printFields.sorted { $0.key < $1.key }.map { Self.tallyRow($0.key, wear, Self.ours, $0.value) }
    rows.append(Self.tallyRow("all print", wear, Self.ours, score.print))
    if score.barcode.asked > 0 { rows.append(Self.tallyRow("barcode", wear, Self.ours, score.barcode)) }
    return rows
  }

  private static func tallyRow(_ label: String, _ wear: String, _ name: String, _ tally: EvidenceTally) -> String {
    let right = String(format: "%d/%d %.1f%%", tally.right, tally.asked, tally.share * 100)
    return row("  " + label, [wear, name, right, "\(tally.wrong)", "\(tally.missing)", "\(tally.wrongAndCertain)"])
  }

  private static func timeRow(_ label: String, _ name: String, _ times: PictureTimes) -> String {
    func text(_ value: Double) -> String { String(format: "%.0f", value) }
    return row(
      "  " + label,
      [
        name, text(times.processor.percentile(50)), text(times.processor.percentile(95)),
        text(times.wall.percentile(50)), text(times.wall.percentile(95)), String(format: "%.2f", times.perCore),
      ])
  }

  private static func row(_ label: String, _ cells: [String]) -> String {
    let padded = cells.map { $0.padding(toLength: max(14, $0.count + 1), withPad: " ", startingAt: 0) }
    return label.padding(toLength: 24, withPad: " ", startingAt: 0) + padded.joined()
  }
}
