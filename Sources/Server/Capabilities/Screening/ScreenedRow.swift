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
  /// `unreadable-name` when the row could not be searched, which is not a clean row; otherwise absent.
  let error: String?

  /// - Parameter answers: nil when no name of the row can be read.
  package init(row: Int, answers: [ScreenAnswer]?) {
    self.row = row
    self.answers = (answers ?? []).map {
      Answer(ref: $0.ref, name: $0.name, score: $0.score, match: $0.match, explanation: $0.explanation)
    }
    error = answers == nil ? "unreadable-name" : nil
  }

  /// For people: row, score, `hit` or `-`, reference and name, parted by tabs. A row that could not be searched has
  /// one line too, with `unreadable` in the third place.
  package var lines: [String] {
    if error != nil { return ["\(row)\t-\tunreadable\t-\t-"] }
    return answers.map {
      "\(row)\t\(String(format: "%.3f", $0.score))\t\($0.match ? "hit" : "-")\t\($0.ref)\t\($0.name)"
    }
  }
}
