// SPDX-License-Identifier: Apache-2.0

/// PIN codes and addresses, as far as their form goes (specification §8.2).
public enum PostalRules {
  /// The fewest characters and the most Unicode scalars of an address, white space around it not counted. Any number of
  /// joiners may belong to what a reader takes for one character.
  public static let addressLengths = 5...255

  /// Whether it is six digits, the first of which is not 0. Whether there is such a place, a directory knows.
  public static func isPinCode(_ text: String) -> Bool {
    guard text.utf8.count == 6, let digits = text.digitValues else { return false }
    return digits[0] > 0
  }

  /// The address without white space around it; nil when it is too short or too long.
  public static func address(_ text: String) -> String? {
    guard text.utf8.count <= 4096 else { return nil }
    let trimmed = text.drop(while: \.isWhitespace)
    let end = trimmed.lastIndex { !$0.isWhitespace }.map(trimmed.index(after:)) ?? trimmed.startIndex
    let address = String(trimmed[..<end])
    let isLong = address.unicodeScalars.count > addressLengths.upperBound
    return isLong || address.count < addressLengths.lowerBound ? nil : address
  }
}
