// SPDX-License-Identifier: Apache-2.0

import Delivery
import Foundation
import Kit
import Mustache
import Scheduling

/// The catalogue of words on pages: a file for each language, with the same keys.
package enum PageTexts {
  /// What a language has under a key; English where that language lacks it, which a test rules out.
  static func template(_ key: String, in language: Language) -> String? {
    catalogue[language]?[key] ?? catalogue[.english]?[key]
  }

  /// - Parameters:
  ///   - key: as a template names it behind `t.`.
  ///   - values: by the names of the holes. What stands in braces in a value is part of the value: names of strangers
  ///     may hold any text.
  static func text(_ key: String, _ values: [String: String] = [:], in language: Language = PageTexts.current) -> String
  {
    let words = template(key, in: language) ?? key
    return values.isEmpty ? words : TextTemplate(words).filled(values)
  }

  /// The language of the request that is answered.
  static var current: Language { Display.current.language }

  package static let catalogue: [Language: [String: String]] = [
    .english: read(PackageResources.en_json), .french: read(PackageResources.fr_json),
    .arabic: read(PackageResources.ar_json),
  ]

  private static func read(_ file: [UInt8]) -> [String: String] {
    (try? JSONDecoder().decode([String: String].self, from: Data(file))) ?? [:]
  }

  /// What templates see as `t`.
  struct Keys: MustacheParent {
    func child(named key: String) -> Any? { PageTexts.text(key) }
  }
}

/// Words of the catalogue, in the language of the page that shows them.
package struct Phrase: MustacheCustomRenderable, Sendable, Equatable {
  let key: String
  private var values: [String: String] = [:]
  /// Takes the place of words that the catalogue lacks, such as those of another module.
  private var otherwise: String?

  /// - Parameter values: what stands for `{name}` in the words.
  package init(_ key: String, _ values: [String: String] = [:]) { (self.key, self.values) = (key, values) }

  /// Words that the catalogue may have under a key.
  package init(_ key: String, otherwise: String) { (self.key, self.otherwise) = (key, otherwise) }

  /// Words that are in one language only.
  package init(plain text: String) { self.init("", otherwise: text) }

  /// Words that are in two languages only: other readers have the English ones.
  package init(english: String, arabic: String?) {
    self.init(plain: PageTexts.current == .arabic ? arabic ?? english : english)
  }

  /// What a problem says to people, in their language where the catalogue has its code.
  package init(_ problem: Problem) {
    self.init("problem_" + problem.code.replacing("-", with: "_"), otherwise: problem.detail)
  }

  /// What is wrong with the first field that a problem names, else the problem.
  init(firstOf problem: Problem) {
    guard let field = problem.fields.first else {
      self.init(problem)
      return
    }
    let place = field.pointer.split(separator: "/").joined(separator: "_").lowercased()
    self.init("field_\(place)_\(field.code)".replacing("-", with: "_"), otherwise: field.message)
  }

  /// In the language of the request that is answered.
  package var text: String {
    guard let otherwise else { return PageTexts.text(key, values) }
    return PageTexts.template(key, in: PageTexts.current) ?? otherwise
  }

  package var renderText: String { text }
  package var isNull: Bool { false }
}

/// A moment, as readers of the page's language write it.
package struct Moment: MustacheCustomRenderable, Sendable {
  private let instant: Instant
  private let clock: LocalTime?

  /// - Parameter clock: of the institution; nil for that of the page.
  package init(_ instant: Instant, by clock: LocalTime? = nil) { (self.instant, self.clock) = (instant, clock) }

  package var renderText: String { PageTexts.current.text(instant, by: clock ?? Display.current.clock) }
  package var isNull: Bool { false }
}

/// A number, as readers of the page's language write it.
package struct Count: MustacheCustomRenderable, Sendable {
  private let number: Int

  package init(_ number: Int) { self.number = number }

  package var renderText: String { PageTexts.current.text(number) }
  package var isNull: Bool { false }
}

/// A share, as readers of the page's language write it.
package struct Percent: MustacheCustomRenderable, Sendable {
  private let share: Double

  /// - Parameter share: 0 to 1.
  package init(_ share: Double) { self.share = share }

  package var renderText: String { PageTexts.current.text(share: share) }
  package var isNull: Bool { false }
}
