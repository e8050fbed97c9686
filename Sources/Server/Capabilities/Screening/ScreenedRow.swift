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
  /// What of the row was searched without; otherwise absent.
  package let leftOut: [LeftOut]?

  /// What a row can be searched without, since it is no more than evidence beside the name.
  package enum LeftOut: String, Sendable, Hashable, Encodable {
    /// One at least is the name or the code of no country.
    case nationality
  }

  private enum CodingKeys: String, CodingKey {
    case row, answers, error
    case leftOut = "left_out"
  }

  /// - Parameter answers: to the row's subject; nil when no name of it can be read.
  package init(
    row: Int, _ subject: Result<Screening.Subject, ScreenFile.Unreadable>, countries: CountryNames,
    answers: (Screening.Subject) -> [ScreenAnswer]?
  ) {
    self.row = row
    var found: [ScreenAnswer] = []
    var isWhole = true
    do throws(ScreenFile.Unreadable) {
      let subject = try subject.get()
      guard let all = answers(subject) else { throw .name }
      isWhole = subject.nationalities.allSatisfy(countries.isUnderstood)
      (found, error) = (all, nil)
    } catch { self.error = error }
    leftOut = isWhole ? nil : [.nationality]
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
