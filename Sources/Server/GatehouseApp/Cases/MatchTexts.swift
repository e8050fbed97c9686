// SPDX-License-Identifier: Apache-2.0

import Console

/// The sentences of `MatchExplanation`, in the reader's language. They are kept in English with the hit, as they were
/// written when it was found; names, dates and codes in them stay as they are.
enum MatchTexts {
  /// - Returns: a sentence that is not known, such as another provider's, as it is.
  static func text(_ sentence: String) -> String { phrase(sentence)?.text ?? sentence }

  private static func phrase(_ sentence: String) -> Phrase? {
    fixed[sentence].map { Phrase($0) } ?? dates(sentence) ?? listed(sentence) ?? names(sentence)
  }

  private static let fixed = [
    "But for the blanks the two are spelt alike.": "match_blanks",
    "The list calls this name a weak alias.": "match_weak",
    "A document number is the same.": "match_document",
    "No name of the entry resembles the name that was asked for.": "match_no_name",
    "No date of birth was given, so only the name was compared.": "match_no_date",
    "No date of birth was given.": "match_without_date",
    "The list gives no date of birth, so only the name was compared.": "match_list_no_date",
    "The list gives no date of birth.": "match_list_without_date",
  ]

  private static let agreements = [
    "The date of birth is the same": "exact",
    "The dates of birth are the same with day and month swapped": "swapped",
    "The dates of birth are one day, one month or one year apart": "off_by_one",
    "The dates of birth differ in one digit": "digit",
    "The dates of birth differ in one digit or in the order of two": "digits",
    "The dates of birth agree in all but the day or the month": "part",
    "The dates of birth agree as far as both are known": "partial",
    "The dates of birth are up to two years apart": "close",
    "The date of birth is another one": "conflict",
  ]

  private static func dates(_ sentence: String) -> Phrase? {
    guard
      let found = sentence.wholeMatch(
        of: /(The dates? of birth [^(]+) \(([^;]+); listed ([^)]*)\)(, of so many years that it says little)?\./),
      let agreement = agreements[String(found.1)]
    else { return nil }
    let values = [
      "agreement": Phrase("match_date_\(agreement)").text, "mine": date(found.2), "listed": date(found.3),
    ]
    return Phrase(found.4 == nil ? "match_dates" : "match_dates_many", values)
  }

  /// `about 1961 or 1963`.
  private static func date(_ text: Substring) -> String {
    String(text).replacing("about ", with: "\(Phrase("match_about").text) ")
      .replacing(" or ", with: " \(Phrase("match_or").text) ")
  }

  private static func listed(_ sentence: String) -> Phrase? {
    if let found = sentence.wholeMatch(of: /A document number is the same \((.*)\)\./) {
      return Phrase("match_document_number", ["listed": String(found.1)])
    }
    if let found = sentence.wholeMatch(of: /The (nationality|country) is the same \((.*)\)\./) {
      return Phrase("match_\(found.1)", ["listed": String(found.2)])
    }
    // What was asked for is missing in sentences that were kept before matcher 17.
    guard
      let found = sentence.wholeMatch(
        of: /The (nationality|country|sex) is another one \((?:([^;]*); )?listed (.*)\)\./)
    else { return nil }
    guard let mine = found.2 else { return Phrase("match_other_\(found.1)", ["listed": String(found.3)]) }
    return Phrase("match_other_\(found.1)_than", ["mine": String(mine), "listed": String(found.3)])
  }

  private static func names(_ sentence: String) -> Phrase? {
    if let found = sentence.wholeMatch(of: /The name “(.*)” resembles “(.*)”\./) {
      // Where a name holds these marks and the word itself, its end cannot be told: the sentence stays as it is.
      guard sentence.ranges(of: "” resembles “").count == 1 else { return nil }
      return Phrase("match_resembles", ["mine": String(found.1), "theirs": String(found.2)])
    }
    if let found = sentence.wholeMatch(of: /The list does not have (.+)\./) {
      return Phrase("match_list_lacks", ["mine": String(found.1)])
    }
    if let found = sentence.wholeMatch(of: /Only the list has (.+)\./) {
      return Phrase("match_only_list", ["theirs": String(found.1)])
    }
    if let found = sentence.wholeMatch(of: /(.+) is the same\./) {
      return Phrase("match_same", ["mine": String(found.1)])
    }
    for (middle, key) in middles {
      guard sentence.hasSuffix("."), let place = sentence.firstRange(of: " \(middle) ") else { continue }
      return Phrase(
        key,
        ["mine": String(sentence[..<place.lowerBound]), "theirs": String(sentence[place.upperBound...].dropLast())])
    }
    guard let found = sentence.wholeMatch(of: /(.+?) is (.+) but for a blank\./) else { return nil }
    return Phrase("match_joined", ["mine": String(found.1), "theirs": String(found.2)])
  }

  private static let middles = [
    ("is spelt like", "match_spelling"), ("has the consonants of", "match_consonants"),
    ("is another form of", "match_given"), ("may be shortened to or from", "match_initial"), ("is not", "match_not"),
  ]
}
