// SPDX-License-Identifier: Apache-2.0

extension MRZ {
  /// Reads a zone as it stands: upper case, right lengths, nothing corrected (identity-documents §1–5).
  ///
  /// - Parameters:
  ///   - lines: as printed, without line ends.
  ///   - referenceDate: decides the centuries; the parser has no clock.
  public static func parse(lines: [String], referenceDate: CalendarDate) -> Result {
    let shape: Shape = lines.count <= 3 ? shape(of: lines) : .unknown
    switch shape {
    case .unknown: return refused(.invalidLength)
    case .foreign: return refused(.unsupportedFormat)
    case .zone:
      let bytes = lines.map { Array($0.utf8) }
      guard bytes.allSatisfy({ $0.allSatisfy { characterValue($0) != nil } }) else {
        return refused(.invalidCharacter, format: format(of: bytes))
      }
      var reader = MRZReader(format: format(of: bytes), lines: bytes, referenceDate: referenceDate)
      return reader.read()
    }
  }

  private enum Shape {
    /// Two lines of 36 or 44, or three of 30.
    case zone
    /// A zone of a document that is known and out of scope: an EU driving licence.
    case foreign
    case unknown
  }

  private static func shape(of lines: [String]) -> Shape {
    // Lengths count Unicode scalars: a letter with a diacritic is one wrong character, not a wrong length.
    let lengths = lines.map(\.unicodeScalars.count)
    switch lengths {
    case [30, 30, 30], [36, 36], [44, 44]: return .zone
    case [9, 30, 30]: return .foreign
    case [30]: return isDrivingLicence(lines[0]) ? .foreign : .unknown
    default: return .unknown
    }
  }

  /// The one line of an EU driving licence: `D`, a version, the state.
  private static func isDrivingLicence(_ line: String) -> Bool {
    let start = Array(line.utf8.prefix(5))
    return start.count == 5 && start[0] == UInt8(ascii: "D") && !start[1].isFiller
      && start[2...].allSatisfy { $0.isLetter || $0.isFiller }
  }

  private static func format(of lines: [[UInt8]]) -> Format {
    let isVisa = lines[0].first == UInt8(ascii: "V")
    switch (lines.count, lines[0].count) {
    case (3, _): return .td1
    case (_, 44): return isVisa ? .mrva : .td3
    default:
      if isFrenchID1988(lines) { return .frenchID1988 }
      return isVisa ? .mrvb : .td2
    }
  }

  /// `IDFRA` over 2 × 36, unless the second line reads as TD2 and not as the French card.
  static func isFrenchID1988(_ lines: [[UInt8]]) -> Bool {
    guard lines.count == 2, lines.allSatisfy({ $0.count == 36 }), lines[0].starts(with: Array("IDFRA".utf8))
    else { return false }
    let second = lines[1]
    let readsAsFrench =
      second[13..<27].allSatisfy { !$0.isDigit } && second[27..<34].allSatisfy { $0.isDigit || $0.isFiller }
    let readsAsTD2 =
      second[10..<13].allSatisfy { !$0.isDigit } && second[13..<20].allSatisfy { $0.isDigit || $0.isFiller }
    return readsAsFrench || !readsAsTD2
  }

  private static func refused(_ error: ErrorCode, format: Format? = nil) -> Result {
    Result(format: format, errors: [error], warnings: [], fields: nil, checkDigits: nil, record: nil)
  }
}
