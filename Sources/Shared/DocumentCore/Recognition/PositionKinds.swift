// SPDX-License-Identifier: Apache-2.0

/// Which kind of character a position of a format takes (identity-documents §6, step 3).
enum PositionKind: Sendable {
  case digit, letter, alphanumeric, sex
}

extension MRZLayout {
  /// The kind of every position, by line.
  ///
  /// The digit position of a number is a digit or, before a long number, a filler; both stay as they are.
  var positionKinds: [[PositionKind]] {
    var kinds = Array(repeating: Array(repeating: PositionKind.alphanumeric, count: lineLength), count: lineCount)
    func mark(_ spans: [MRZSpan?], _ kind: PositionKind) {
      for span in spans.compactMap(\.self) {
        for position in span.range { kinds[span.line][position] = kind }
      }
    }
    mark([documentCode, issuingState, name, givenNames, nationality], .letter)
    mark([numberDigit, birthDate, birthDigit, expiryDate, expiryDigit, optionalDigit, compositeDigit], .digit)
    mark([sex], .sex)
    return kinds
  }
}

/// The confusions of OCR engines on OCR-B.
enum Confusion {
  /// What a letter is in a position for digits; nil when it stays.
  static func digit(for byte: UInt8) -> UInt8? {
    switch byte {
    case UInt8(ascii: "O"), UInt8(ascii: "Q"), UInt8(ascii: "D"): UInt8(ascii: "0")
    case UInt8(ascii: "I"), UInt8(ascii: "L"): UInt8(ascii: "1")
    case UInt8(ascii: "Z"): UInt8(ascii: "2")
    case UInt8(ascii: "S"): UInt8(ascii: "5")
    case UInt8(ascii: "G"): UInt8(ascii: "6")
    case UInt8(ascii: "B"): UInt8(ascii: "8")
    default: nil
    }
  }

  /// What a digit is in a position for letters; nil when it stays.
  static func letter(for byte: UInt8) -> UInt8? {
    switch byte {
    case UInt8(ascii: "0"): UInt8(ascii: "O")
    case UInt8(ascii: "1"): UInt8(ascii: "I")
    case UInt8(ascii: "2"): UInt8(ascii: "Z")
    case UInt8(ascii: "5"): UInt8(ascii: "S")
    case UInt8(ascii: "6"): UInt8(ascii: "G")
    case UInt8(ascii: "8"): UInt8(ascii: "B")
    default: nil
    }
  }

  /// What a character of a number may be instead. 6/G, 1/L and 8/S are not here: check digits cannot
  /// tell them apart (identity-documents §2.2).
  static func alternatives(for byte: UInt8) -> [UInt8] {
    switch byte {
    case UInt8(ascii: "0"): Array("ODQ".utf8)
    case UInt8(ascii: "O"), UInt8(ascii: "D"), UInt8(ascii: "Q"): Array("0".utf8)
    case UInt8(ascii: "1"): Array("I".utf8)
    case UInt8(ascii: "I"): Array("1".utf8)
    case UInt8(ascii: "2"): Array("Z".utf8)
    case UInt8(ascii: "Z"): Array("2".utf8)
    case UInt8(ascii: "5"): Array("S".utf8)
    case UInt8(ascii: "S"): Array("5".utf8)
    case UInt8(ascii: "8"): Array("B".utf8)
    case UInt8(ascii: "B"): Array("8".utf8)
    default: []
    }
  }
}
