// SPDX-License-Identifier: Apache-2.0

/// A duration as servers write it, such as `PT30S`.
public typealias ISO8601Duration = String

/// Hours, minutes and seconds of a duration by ISO 8601-1 §5.5.2.
enum DurationText {
  /// - Returns: nil for what is no duration, has days or longer spans, or does not fit; fractions of a second are left
  ///   out.
  static func seconds(_ text: ISO8601Duration) -> Int? {
    guard
      let match = text.wholeMatch(of: /PT(?:([0-9]{1,9})H)?(?:([0-9]{1,9})M)?(?:([0-9]{1,9})(?:[.,][0-9]{1,9})?S)?/),
      text.count > 2
    else { return nil }
    func number(_ digits: Substring?) -> Int { digits.flatMap { Int($0) } ?? 0 }
    return number(match.1) * 3600 + number(match.2) * 60 + number(match.3)
  }
}
