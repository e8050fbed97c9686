// SPDX-License-Identifier: Apache-2.0

/// From the text that an OCR engine saw to a zone, or to the reasons why it has none (identity-documents §6).
///
/// Nothing is guessed: a zone is accepted only when its every check digit holds, and a character that check digits do
/// not cover is changed only where its position allows one kind of character. Work is bounded by the named maxima.
public enum MRZRecognition {
  /// What became of a text.
  public enum Outcome: Hashable, Sendable {
    case accepted(Reading)
    /// The reasons met, without repetition. Ask for another picture.
    case unreadable([Reason])
  }

  /// A zone of which every check digit holds. It may still have other errors: look at `result`.
  public struct Reading: Hashable, Sendable {
    /// The lines after all corrections.
    public let lines: [String]
    public let result: MRZ.Result
    /// Each character that was changed, added or removed after cleaning (case, blanks and filler look-alikes).
    public let corrections: [Correction]
  }

  public enum Reason: String, Hashable, Sendable, Codable, CaseIterable {
    /// No line looks like one of a zone.
    case noCandidateLines = "NO_CANDIDATE_LINES"
    /// No two or three consecutive lines have the lengths of a format.
    case noWindowOfKnownFormat = "NO_WINDOW_OF_KNOWN_FORMAT"
    /// A line has the wrong length and no run of fillers to repair it in.
    case lengthNotRepairable = "LENGTH_NOT_REPAIRABLE"
    /// A check digit fails and no allowed substitution mends it.
    case checkDigitsFail = "CHECK_DIGITS_FAIL"
    /// More than one substitution would mend a check digit.
    case ambiguousRepair = "AMBIGUOUS_REPAIR"
  }

  /// One change to what the engine read.
  public struct Correction: Hashable, Sendable, Codable {
    public enum Rule: String, Hashable, Sendable, Codable {
      /// Fillers read as letters at the end of a name.
      case trailingRun
      /// Fillers added to or taken from a run.
      case fillerRun
      /// A letter in a position for digits.
      case digitPosition
      /// A digit in a position for letters.
      case letterPosition
      /// The only substitution that satisfies the check digits.
      case checkDigit
    }

    /// From 1, within the zone.
    public let line: Int
    /// From 1, within the corrected line.
    public let position: Int
    /// Empty for an added filler.
    public let from: String
    /// Empty for a removed filler.
    public let to: String
    public let rule: Rule
  }

  /// How many lines of a text are looked at, from its end: the zone stands at the bottom of a page.
  static let linesMax = 200
  /// How many scalars of a text are looked at, from its end.
  static let scalarsMax = 100_000
  /// How many windows of candidate lines are tried, from the bottom.
  static let windowsMax = 64

  /// Reads the zone in a page's text.
  public static func repair(ocrText: String, referenceDate: CalendarDate) -> Outcome {
    let bounded = ocrText.unicodeScalars.suffix(scalarsMax)
    let lines = bounded.split(whereSeparator: OCRLine.endsLine).suffix(linesMax)
    return repair(cleaned: lines.compactMap { OCRLine.candidate($0) }, referenceDate: referenceDate)
  }

  /// Reads the zone in lines that the engine separated.
  public static func repair(ocrLines: [String], referenceDate: CalendarDate) -> Outcome {
    let lines = ocrLines.suffix(linesMax)
    return repair(
      cleaned: lines.compactMap { OCRLine.candidate($0.unicodeScalars.prefix(OCRLine.scalarsMax + 1)) },
      referenceDate: referenceDate)
  }

  /// Tries every window from the bottom up; the best reading is valid and has the fewest corrections.
  private static func repair(cleaned lines: [[UInt8]], referenceDate: CalendarDate) -> Outcome {
    guard !lines.isEmpty else { return .unreadable([.noCandidateLines]) }
    var best: Reading?
    var reasons: Set<Reason> = []
    for (window, format) in windows(of: lines).prefix(windowsMax) {
      var repair = ZoneRepair(lines: window, format: format, referenceDate: referenceDate)
      switch repair.run() {
      case .accepted(let reading): if best.map({ isBetter(reading, than: $0) }) ?? true { best = reading }
      case .unreadable(let found): reasons.formUnion(found)
      }
    }
    if let best { return .accepted(best) }
    return .unreadable(reasons.isEmpty ? [.noWindowOfKnownFormat] : Reason.allCases.filter(reasons.contains))
  }

  private static func isBetter(_ reading: Reading, than other: Reading) -> Bool {
    if reading.result.valid != other.result.valid { return reading.result.valid }
    return reading.corrections.count < other.corrections.count
  }

  /// How many characters a line's length may be off.
  static let lengthTolerance = 2

  /// Consecutive lines of nearly the lengths of a format, from the bottom; nearer lengths first.
  private static func windows(of lines: [[UInt8]]) -> [(lines: [[UInt8]], format: MRZ.Format)] {
    var found: [(lines: [[UInt8]], format: MRZ.Format)] = []
    for start in lines.indices.reversed() {
      for (count, length) in [(3, 30), (2, 44), (2, 36)] where start + count <= lines.count {
        let window = Array(lines[start..<start + count])
        guard window.allSatisfy({ abs($0.count - length) <= lengthTolerance }) else { continue }
        found += formats(of: window, length: length).map { (window, $0) }
      }
    }
    return found
  }

  private static func formats(of window: [[UInt8]], length: Int) -> [MRZ.Format] {
    let isVisa = window[0].first == UInt8(ascii: "V")
    switch (window.count, length) {
    case (3, _): return [.td1]
    case (_, 44): return [isVisa ? .mrva : .td3]
    default:
      if isVisa { return [.mrvb] }
      return window[0].starts(with: Array("IDFRA".utf8)) ? [.frenchID1988, .td2] : [.td2]
    }
  }
}
