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
  func explanation(of match: Match, _ subject: Screening.Subject) -> MatchExplanation {
    let entry = entries[match.entry].entry
    var (parts, confirms, contradicts): ([String], [String], [String]) = ([], [], [])
    if let found = match.found, let mine = match.name {
      parts = nameSentences(found, mine, match.text)
      let name = names[Int(found.name)]
      if name.isWeak { contradicts.append("The list calls this name a weak alias.") }
      contradicts += contradictions(found, mine)
    }
    if match.isSameDocument { confirms.append("A document number is the same.") }
    let listed = entry.datesOfBirth.map(\.words).joined(separator: " or ")
    if let date = match.date, let born = subject.dateOfBirth {
      let both = "(\(born.words); listed \(listed))"
      let sentence = "\(Self.sentence(of: date)) \(both)."
      if date >= .close { contradicts.append(sentence) } else { confirms.append(sentence) }
    } else if mineIsPerson(match) {
      parts.append(
        subject.dateOfBirth == nil
          ? "No date of birth was given, so only the name was compared."
          : "The list gives no date of birth, so only the name was compared.")
    }
    if !match.sharedNationalities.isEmpty {
      confirms.append("The nationality is the same (\(match.sharedNationalities.sorted().joined(separator: ", "))).")
    }
    if match.hasOtherNationality {
      let listed = entry.nationalities.sorted().joined(separator: ", ")
      contradicts.append("The nationality is another one (listed \(listed)).")
    }
    if match.hasOtherSex, let sex = entry.sex { contradicts.append("The sex is another one (listed \(sex.rawValue)).") }
    return MatchExplanation(name: parts, confirms: confirms, contradicts: contradicts)
  }

  private func mineIsPerson(_ match: Match) -> Bool { match.name?.isPerson ?? false }

  private func nameSentences(_ found: NameSearch.Found, _ mine: ListedName, _ text: String) -> [String] {
    let listed = names[Int(found.name)]
    let theirs = listed.words.map { words[Int($0)] }
    var sentences = ["The name “\(text)” resembles “\(self.text(of: listed))”."]
    if found.score > found.alignment.score {
      sentences.append("But for the blanks the two are spelt alike.")
      return sentences
    }
    for pair in found.alignment.pairs where pair.relation != .contradiction {
      let (one, other) = (Self.text(pair.mine, mine.words), Self.text(pair.theirs, theirs))
      switch pair.relation {
      case .same: sentences.append("\(one) is the same.")
      case .spelling: sentences.append("\(one) is spelt like \(other).")
      case .consonants: sentences.append("\(one) has the consonants of \(other).")
      case .joined: sentences.append("\(one) is \(other) but for a blank.")
      case .initial: sentences.append("\(one) may be shortened to or from \(other).")
      case .contradiction: break
      }
    }
    let (left, theirLeft) = (found.alignment.mineLeft, found.alignment.theirsLeft)
    if !left.isEmpty { sentences.append("The list does not have \(Self.text(left, mine.words)).") }
    if !theirLeft.isEmpty { sentences.append("Only the list has \(Self.text(theirLeft, theirs)).") }
    return sentences
  }

  private func contradictions(_ found: NameSearch.Found, _ mine: ListedName) -> [String] {
    guard found.score <= found.alignment.score else { return [] }
    let theirs = names[Int(found.name)].words.map { words[Int($0)] }
    return found.alignment.pairs.filter { $0.relation == .contradiction }.map {
      "\(Self.text($0.mine, mine.words)) is not \(Self.text($0.theirs, theirs))."
    }
  }

  private static func text(_ parts: [Int], _ words: [ListedName.Word]) -> String {
    parts.map { String(decoding: words[$0].letters, as: UTF8.self) }.joined(separator: " ")
  }

  private static func sentence(of date: BirthDate.Agreement) -> String {
    switch date {
    case .exact: "The date of birth is the same"
    case .swapped: "The dates of birth are the same with day and month swapped"
    case .offByOne: "The dates of birth are one day, one month or one year apart"
    case .digit: "The dates of birth differ in one digit"
    case .part: "The dates of birth agree in all but the day or the month"
    case .partial: "The dates of birth agree as far as both are known"
    case .close: "The dates of birth are up to two years apart"
    case .conflict: "The date of birth is another one"
    }
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
    case .span: text = "\(first.isoText)–\(last.isoText)"
    }
    return isApproximate ? "about \(text)" : text
  }
}
