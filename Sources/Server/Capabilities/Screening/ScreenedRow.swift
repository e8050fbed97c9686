// SPDX-License-Identifier: Apache-2.0

import Foundation

/// What `gatehouse screen` says of one row of a table.
package struct ScreenedRow: Sendable, Encodable {
  package struct Answer: Sendable, Encodable {
    let ref: String
    let name: String
    let score: Double
    let match: Bool
    let explanation: MatchExplanation
  }

  /// Counted from 0 without the header.
  let row: Int
  /// Best first.
  let answers: [Answer]
  /// Why the row was not searched, which is not a clean row; otherwise absent.
  package let error: ScreenFile.Unreadable?

  /// - Parameter answers: to the row's subject; nil when no name of it can be read.
  package init(
    row: Int, _ subject: Result<Screening.Subject, ScreenFile.Unreadable>,
    answers: (Screening.Subject) -> [ScreenAnswer]?
  ) {
    self.row = row
    var found: [ScreenAnswer] = []
    do throws(ScreenFile.Unreadable) {
      guard let all = answers(try subject.get()) else { throw .name }
      (found, error) = (all, nil)
    } catch { self.error = error }
    self.answers = found.map {
      Answer(ref: $0.ref, name: $0.name, score: $0.score, match: $0.match, explanation: $0.explanation)
    }
  }

  /// For people: row, score, `hit` or `-`, reference and name, parted by tabs. A row that was not searched has one line
  /// too, with the reason in the third place.
  /// - Parameter shown: makes a text of a list fit for a terminal: a list may have control characters in it.
  package func lines(_ shown: (String) -> String) -> [String] {
    if let error { return ["\(row)\t-\t\(error.rawValue)\t-\t-"] }
    return answers.map {
      "\(row)\t\(String(format: "%.3f", $0.score))\t\($0.match ? "hit" : "-")\t\(shown($0.ref))\t\(shown($0.name))"
    }
  }
}
