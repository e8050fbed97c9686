// SPDX-License-Identifier: Apache-2.0

import Foundation

/// A pattern of a template's question, and an answer: both lines of the input. Where Foundation reads the pattern too, it
/// takes the same answers.
func fuzz(_ bytes: Data) {
  let lines = text(bytes).split(separator: "\n", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
  guard let pattern = BoundedPattern(lines[0]), lines.count == 2 else { return }
  let matches = pattern.matches(lines[1])
  // Of printable ASCII, as a line break of two is one character to Foundation; and short, for its expressions may take
  // time without a bound.
  guard lines[0].utf8.count < 40, lines[1].utf8.count < 40,
    (lines[0] + lines[1]).utf8.allSatisfy({ (0x20..<0x7f).contains($0) }),
    // What Foundation's sets of characters have and ours have not: operators, ranges by other rules, names of classes.
    !lines[0].contains(where: { "&-~#:".contains($0) }),
    let other = try? NSRegularExpression(pattern: "\\A(?:\(lines[0]))\\z", options: .dotMatchesLineSeparators)
  else { return }
  let whole = NSRange(lines[1].startIndex..., in: lines[1])
  precondition((other.firstMatch(in: lines[1], range: whole) != nil) == matches)
}
