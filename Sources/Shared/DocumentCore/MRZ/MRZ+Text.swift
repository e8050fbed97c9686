// SPDX-License-Identifier: Apache-2.0

import Foundation

/// Plain lines in, a result for people or programs out: what `gatehouse mrz parse` does without a file.
extension MRZ {
  /// Splits text into the lines of a zone: line ends and blanks around them go, empty lines too, nothing else changes.
  public static func lines(inText text: String) -> [String] {
    text.split(whereSeparator: \.isNewline)
      .map { $0.trimmingCharacters(in: .whitespaces) }
      .filter { !$0.isEmpty }
  }

  /// One result as JSON: `format`, `valid`, `errors`, `warnings`, `fields`, `check_digits`.
  public static func json(_ result: Result) -> String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .prettyPrinted, .withoutEscapingSlashes]
    // Strings, booleans and nulls only: encoding them cannot fail.
    return (try? encoder.encode(result)).map { String(decoding: $0, as: UTF8.self) } ?? "{}"
  }

  /// One result as lines for a terminal: name, blanks, value.
  public static func summary(_ result: Result) -> String {
    var rows: [(String, String?)] = [
      ("format", result.format?.rawValue), ("valid", result.valid ? "yes" : "no"),
      ("errors", list(result.errors.map(\.rawValue))), ("warnings", list(result.warnings.map(\.rawValue))),
    ]
    if let fields = result.fields {
      rows += [
        ("document code", fields.documentCode), ("issuing state", fields.issuingState),
        ("surname", fields.surname), ("given names", fields.givenNames),
        ("document number", fields.documentNumber), ("nationality", fields.nationality),
        ("birth date", fields.birthDate?.isoText ?? fields.birthDateRaw), ("sex", fields.sexText),
        ("expiry date", fields.expiryDate?.isoText ?? fields.expiryDateRaw),
        ("optional data 1", fields.optionalData1), ("optional data 2", fields.optionalData2),
      ]
    }
    return rows.map { name, value in
      name + String(repeating: " ", count: 17 - name.count) + (value ?? "–")
    }.joined(separator: "\n")
  }

  private static func list(_ codes: [String]) -> String? {
    codes.isEmpty ? nil : codes.joined(separator: ", ")
  }
}
