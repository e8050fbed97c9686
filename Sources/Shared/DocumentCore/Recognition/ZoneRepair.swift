// SPDX-License-Identifier: Apache-2.0

/// The repair of one window of lines, read as one format (identity-documents §6, steps 2–5).
struct ZoneRepair {
  private let format: MRZ.Format
  private let layout: MRZLayout
  private let referenceDate: CalendarDate
  private var lines: [[UInt8]]
  private var corrections: [MRZRecognition.Correction] = []

  init(lines: [[UInt8]], format: MRZ.Format, referenceDate: CalendarDate) {
    self.lines = lines
    self.format = format
    self.referenceDate = referenceDate
    layout = format.layout
  }

  mutating func run() -> MRZRecognition.Outcome {
    clearTrailingRuns()
    guard repairLengths() else { return .unreadable([.lengthNotRepairable]) }
    substituteByPosition()
    switch CheckDigitRepair(layout: layout, lines: lines, digitsAgree: digitsAgree).substitutions() {
    case .none: return .unreadable([.checkDigitsFail])
    case .several: return .unreadable([.ambiguousRepair])
    case .one(let substitutions):
      for change in substitutions { replace(change.line, change.position, with: change.byte, rule: .checkDigit) }
    }
    let result = MRZ.parse(lines: lines.map { text($0) }, referenceDate: referenceDate)
    guard result.format == format, result.allCheckDigitsHold else { return .unreadable([.checkDigitsFail]) }
    return .accepted(.init(lines: lines.map { text($0) }, result: result, corrections: corrections))
  }

  /// Whether the digits of birth and expiry hold: nothing else can be mended when they do not.
  private var digitsAgree: Bool {
    var reader = MRZReader(format: format, lines: lines, referenceDate: referenceDate)
    let digits = reader.read().checkDigits
    return digits?.birthDate.ok == true && digits?.expiryDate?.ok != false
  }

  private mutating func clearTrailingRuns() {
    for span in [layout.name, layout.givenNames].compactMap(\.self) {
      let line = lines[span.line]
      // A name that ends its line is found there even when the line's length is still wrong.
      let end = span.range.upperBound == layout.lineLength ? line.count : min(span.range.upperBound, line.count)
      guard span.range.lowerBound < end else { continue }
      guard let start = FillerRuns.misreadRun(in: line[span.range.lowerBound..<end]) else { continue }
      for position in start..<end where !line[position].isFiller {
        replace(span.line, position, with: MRZ.filler, rule: .trailingRun)
      }
    }
  }

  private mutating func repairLengths() -> Bool {
    for number in lines.indices where lines[number].count != layout.lineLength {
      guard let run = FillerRuns.repairRange(in: lines[number], to: layout.lineLength) else { return false }
      let missing = layout.lineLength - lines[number].count
      for _ in 0..<abs(missing) {
        let isAdded = missing > 0
        if isAdded {
          lines[number].insert(MRZ.filler, at: run.lowerBound)
        } else {
          lines[number].remove(at: run.lowerBound)
        }
        corrections.append(
          .init(
            line: number + 1, position: run.lowerBound + 1, from: isAdded ? "" : "<", to: isAdded ? "<" : "",
            rule: .fillerRun))
      }
    }
    return true
  }

  private mutating func substituteByPosition() {
    for (number, kinds) in layout.positionKinds.enumerated() {
      for (position, kind) in kinds.enumerated() {
        let byte = lines[number][position]
        switch kind {
        case .digit:
          if let digit = Confusion.digit(for: byte) { replace(number, position, with: digit, rule: .digitPosition) }
        case .letter:
          if let letter = Confusion.letter(for: byte) { replace(number, position, with: letter, rule: .letterPosition) }
        case .alphanumeric, .sex: break
        }
      }
    }
  }

  private mutating func replace(
    _ line: Int, _ position: Int, with byte: UInt8, rule: MRZRecognition.Correction.Rule
  ) {
    corrections.append(
      .init(line: line + 1, position: position + 1, from: text([lines[line][position]]), to: text([byte]), rule: rule))
    lines[line][position] = byte
  }
}
