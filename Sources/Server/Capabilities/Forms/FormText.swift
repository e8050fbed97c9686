// SPDX-License-Identifier: Apache-2.0

import Foundation
import ReferenceData

/// What every typed text of a form keeps to.
enum FormText {
  /// The most Unicode scalars of a name, an address line or a city.
  static let lineMax = 100
  /// The most Unicode scalars of an explanation or of the remarks.
  static let explanationMax = 1000
  /// The fewest characters of an explanation that explains something (Rubix §7.1).
  static let explanationMin = 10

  /// Without white space at the ends; empty for nil.
  static func trimmed(_ text: String?) -> String {
    (text ?? "").trimmingCharacters(in: .whitespacesAndNewlines)
  }

  /// Checks a text, and that it is there when it must be.
  /// - Parameter max: Unicode scalars, of which each is at most four bytes. Any number of joiners may belong to what a
  ///   reader takes for one character.
  static func check(
    _ text: String?, at path: FormPath, required: Bool = true, max: Int = lineMax, _ review: inout FormReview
  ) {
    let trimmed = trimmed(text)
    if trimmed.isEmpty {
      if required { review.refuse(path, "required", "Please fill this in.") }
    } else if !isPlain(trimmed) {
      review.refuse(path, "characters", "Please use ordinary characters only.")
    } else if trimmed.unicodeScalars.count > max {
      review.refuse(path, "too-long", "At most \(max) characters fit here.")
    }
  }

  /// Checks an explanation that the rules ask for.
  static func checkExplanation(_ text: String?, at path: FormPath, _ message: String, _ review: inout FormReview) {
    guard !isExplained(text) else { return check(text, at: path, max: explanationMax, &review) }
    let isEmpty = trimmed(text).isEmpty
    review.refuse(path, isEmpty ? "explanation-required" : "too-short", message)
  }

  /// Whether there is an explanation of enough characters.
  static func isExplained(_ text: String?) -> Bool {
    trimmed(text).count >= explanationMin
  }

  /// Checks an ISO 3166-1 alpha-2 code.
  static func checkCountry(_ code: String, at path: FormPath, _ review: inout FormReview) {
    if Country.with(alpha2: code) == nil {
      review.refuse(path, "country", "Please choose a country of the list.")
    }
  }

  /// Checks the id of a stored copy: 1–64 of A–Z a–z 0–9 and `-`.
  static func checkID(_ id: String?, at path: FormPath, required: String, _ review: inout FormReview) {
    guard let id, !id.isEmpty else { return review.refuse(path, "required", required) }
    let isID = id.utf8.count <= 64 && id.utf8.allSatisfy { $0 == 0x2D || isASCIILetterOrDigit($0) }
    if !isID { review.refuse(path, "id", "This is not the id of a document.") }
  }

  private static func isASCIILetterOrDigit(_ byte: UInt8) -> Bool {
    byte.isDigit || byte.isCapital || (byte ^ 0x20).isCapital
  }

  /// No control characters, and none that change the direction of text or are invisible: they would let a form show an
  /// agent something else than it holds. Zero-width joiners stay, for some scripts need them. The rule is that of Kit's
  /// `DisplayedText` for one line, which this module does not depend on; a test compares the two.
  static func isPlain(_ text: String) -> Bool {
    let scalars = text.unicodeScalars
    let isTaken = scalars.allSatisfy { scalar in
      switch scalar.properties.generalCategory {
      case .control: scalar == "\n"
      case .format: scalar == "\u{200C}" || scalar == "\u{200D}"
      case .otherLetter: !isUnseen(scalar)
      case .unassigned: (0x1F000...0x1FAFF).contains(scalar.value)
      case .privateUse, .surrogate, .lineSeparator, .paragraphSeparator: false
      default: true
      }
    }
    guard isTaken else { return false }
    return !scalars.contains(where: isUnseen) || scalars.contains { !isUnseen($0) && !$0.properties.isWhitespace }
  }

  private static func isUnseen(_ scalar: Unicode.Scalar) -> Bool {
    scalar.properties.isDefaultIgnorableCodePoint || scalar == "\u{2800}"
  }
}
