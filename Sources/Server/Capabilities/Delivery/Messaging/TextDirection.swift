// SPDX-License-Identifier: Apache-2.0

/// Which way a language is written, and how values of other scripts are set into it.
///
/// A value is isolated (Unicode UAX #9, FSI and PDI) where its own direction may differ from the text's: without that,
/// a name at the side of a number, or a full stop after it, jumps to the wrong place. A line that machines read, the
/// `@host #code` of a text message, stays as it is.
package enum TextDirection: String, Sendable {
  case leftToRight = "ltr"
  case rightToLeft = "rtl"

  static let (isolate, end) = ("\u{2068}", "\u{2069}")

  /// - Parameter language: ISO 639-1.
  package init(language: String) {
    let rightToLeft = ["ar", "fa", "he", "ur", "ps", "sd", "ug", "yi", "dv", "ckb"]
    self = rightToLeft.contains(language) ? .rightToLeft : .leftToRight
  }

  /// Whether a value has to be set apart from the text around it.
  func isolates(_ value: String) -> Bool { self == .rightToLeft || Self.isRightToLeft(value) }

  /// Fills from more values than the text names; those that it names must be there. Where a value could end its own
  /// isolation, it is cleaned of that.
  func fill(_ template: TextTemplate, from values: [String: String]) throws -> String {
    let names = template.names
    let given = values.filter { names.contains($0.key) }
    let filled = try template.fill(given.mapValues { isolates($0) ? Self.isolated($0) : $0 })
    guard filled.contains(Self.isolate) else { return filled }
    return filled.split(separator: "\n", omittingEmptySubsequences: false).map { line in
      let plain = String(line.unicodeScalars.filter { !Self.isControl($0) })
      // Alone on its line a value needs nothing, and an address must not end in anything that is not its own.
      let isAlone = line == Self.isolate + plain + Self.end
      return plain.hasPrefix("@") || isAlone ? plain : String(line)
    }.joined(separator: "\n")
  }

  static func isolated(_ value: String) -> String {
    isolate + String(String.UnicodeScalarView(value.unicodeScalars.filter { !isControl($0) })) + end
  }

  /// The controls that open, override and end directions.
  private static func isControl(_ scalar: Unicode.Scalar) -> Bool {
    (0x202A...0x202E).contains(scalar.value) || (0x2066...0x2069).contains(scalar.value)
  }

  /// Hebrew, Arabic, Syriac, Thaana, N'Ko and their presentation forms.
  private static func isRightToLeft(_ value: String) -> Bool {
    value.unicodeScalars.contains { scalar in
      (0x0590...0x08FF).contains(scalar.value) || (0xFB1D...0xFDFF).contains(scalar.value)
        || (0xFE70...0xFEFF).contains(scalar.value)
    }
  }
}
