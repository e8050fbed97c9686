// SPDX-License-Identifier: Apache-2.0

import DocumentCore

/// Why an entry resembles a subject, in sentences that an analyst can put into a file.
package struct MatchExplanation: Sendable, Hashable, Codable {
  /// Which part of the name corresponds to which.
  package let name: [String]
  /// What makes it likelier that they are the same.
  package let confirms: [String]
  /// What makes it less likely.
  package let contradicts: [String]

  /// Everything in one line.
  package var text: String { (name + confirms + contradicts).joined(separator: " ") }
}

extension ScreeningIndex {
  /// Puts a match into words.
  func explanation(
    of match: Match, _ subject: Screening.Subject, _ entry: WatchList.Entry, policy: MatchingPolicy
  ) -> MatchExplanation {
    let circumstances = match.circumstances
    var (parts, confirms, contradicts): ([String], [String], [String]) = ([], [], [])
    if let found = match.found, let mine = match.name {
      let name = names[Int(found.name)]
      let theirs = words(of: name).map { words[Int($0)] }
      // The search keeps no alignments, for it makes thousands and few are read. It does not ask whether the listed name
      // is read from Chinese characters, for names that are and others share their words.
      let alignment = NameAlignment(
        mine.words, theirs, isPerson: mine.isPerson, policy: policy, isPinyin: false)
      parts = ["The name “\(match.text)” resembles “\(entry.text(of: name))”."]
      parts +=
        found.isJoined
        ? ["But for the blanks the two are spelt alike."] : Self.sentences(alignment, mine.words, theirs)
      if name.isWeak { contradicts.append("The list calls this name a weak alias.") }
      if !found.isJoined { contradicts += Self.contradictions(alignment, mine.words, theirs) }
    }
    if circumstances.isSameDocument {
      confirms.append(Self.sentence(ofDocuments: subject, entry))
      if match.found == nil { contradicts.append("No name of the entry resembles the name that was asked for.") }
    }
    let listed = entry.datesOfBirth.map(\.words).joined(separator: " or ")
    if let date = circumstances.date, let born = subject.dateOfBirth {
      let both = "(\(born.words); listed \(listed))"
      let end = circumstances.isOneOfManyYears ? ", of so many years that it says little." : "."
      let sentence = "\(Self.sentence(of: date)) \(both)\(end)"
      if date >= .close { contradicts.append(sentence) } else { confirms.append(sentence) }
    } else if mineIsPerson(match) {
      let lacking = subject.dateOfBirth == nil ? "No date of birth was given" : "The list gives no date of birth"
      parts.append(circumstances.tellAnything ? "\(lacking)." : "\(lacking), so only the name was compared.")
    }
    // Organisations and ships have countries.
    let land = [.person, .unspecified].contains(entry.kind) ? "nationality" : "country"
    let mine = Set(subject.nationalities.compactMap(countries.alpha3))
    if circumstances.isSameNationality {
      let shared = mine.intersection(entry.nationalities).sorted().joined(separator: ", ")
      confirms.append("The \(land) is the same (\(shared)).")
    }
    if circumstances.isOtherNationality {
      let lands = [mine, entry.nationalities].map { $0.sorted().joined(separator: ", ") }
      contradicts.append("The \(land) is another one (\(lands[0]); listed \(lands[1])).")
    }
    if circumstances.isOtherSex, let mine = subject.sex, let sex = entry.sex {
      contradicts.append("The sex is another one (\(mine.rawValue); listed \(sex.rawValue)).")
    }
    return MatchExplanation(name: parts, confirms: confirms, contradicts: contradicts)
  }

  /// As the list writes the numbers.
  private static func sentence(ofDocuments subject: Screening.Subject, _ entry: WatchList.Entry) -> String {
    let mine = Set(subject.documentNumbers.map(WatchList.plain).filter { !$0.isEmpty })
    let shared = entry.identifiers.filter { mine.contains($0.plain) }.map(\.number)
    return "A document number is the same (\(shared.joined(separator: ", ")))."
  }

  private func mineIsPerson(_ match: Match) -> Bool { match.name?.isPerson ?? false }

  private static func sentences(
    _ alignment: NameAlignment, _ mine: [ListedName.Word], _ theirs: [ListedName.Word]
  ) -> [String] {
    var sentences: [String] = []
    for pair in alignment.pairs where pair.relation != .contradiction {
      let (one, other) = (text(pair.mine, mine), text(pair.theirs, theirs))
      switch pair.relation {
      case .same: sentences.append("\(one) is the same.")
      case .spelling: sentences.append("\(one) is spelt like \(other).")
      case .consonants: sentences.append("\(one) has the consonants of \(other).")
      case .given: sentences.append("\(one) is another form of \(other).")
      case .joined: sentences.append("\(one) is \(other) but for a blank.")
      case .initial: sentences.append("\(one) may be shortened to or from \(other).")
      case .contradiction: break
      }
    }
    let (left, theirLeft) = (alignment.mineLeft, alignment.theirsLeft)
    if !left.isEmpty { sentences.append("The list does not have \(text(left, mine)).") }
    if !theirLeft.isEmpty { sentences.append("Only the list has \(text(theirLeft, theirs)).") }
    return sentences
  }

  private static func contradictions(
    _ alignment: NameAlignment, _ mine: [ListedName.Word], _ theirs: [ListedName.Word]
  ) -> [String] {
    let others = alignment.pairs.filter { $0.relation == .contradiction }.map {
      "\(text($0.mine, mine)) is not \(text($0.theirs, theirs))."
    }
    guard alignment.isPerson else { return others }
    return others + (alignment.isOtherSex ? ["Two parts are those of the other sex."] : [])
      + (alignment.isOtherFather ? ["One name has as the father's what the other has as the person's own."] : [])
  }

  private static func text(_ parts: some Sequence<Int>, _ words: [ListedName.Word]) -> String {
    parts.map { String(decoding: words[$0].letters, as: UTF8.self) }.joined(separator: " ")
  }

  private static func sentence(of date: BirthDate.Agreement) -> String {
    switch date {
    case .exact: "The date of birth is the same"
    case .swapped: "The dates of birth are the same with day and month swapped"
    case .offByOne: "The dates of birth are one day, one month or one year apart"
    case .digit: "The dates of birth differ in one digit or in the order of two"
    case .part: "The dates of birth agree in all but the day or the month"
    case .partial: "The dates of birth agree as far as both are known"
    case .close: "The dates of birth are up to two years apart"
    case .conflict: "The date of birth is another one"
    }
  }
}

extension SecondaryIdentifiers {
  /// Whether anything besides the name and dates of birth is told.
  fileprivate var tellAnything: Bool { isSameDocument || isSameNationality || isOtherNationality || isOtherSex }
}

extension WatchList.Entry {
  /// A name's text as the list writes it.
  fileprivate func text(of name: ScreeningIndex.Name) -> String {
    let place = Int(name.place)
    return place < names.count ? names[place] : weakNames[place - names.count]
  }
}

extension BirthDate {
  /// As far as it is known: `1971-03-04`, `1971-03`, `1971`, `1960–1963`, `about 1961`.
  package var words: String {
    let text: String
    switch precision {
    case .day: text = first.isoText
    case .month: text = String(first.isoText.prefix(7))
    case .year: text = String(first.isoText.prefix(4))
    case .span:
      let areYears = first == PartialDate(year: first.year)?.earliest && last == PartialDate(year: last.year)?.latest
      text = areYears ? "\(first.isoText.prefix(4))–\(last.isoText.prefix(4))" : "\(first.isoText)–\(last.isoText)"
    }
    return isApproximate ? "about \(text)" : text
  }
}
