// SPDX-License-Identifier: Apache-2.0

/// Words of organisations' and vessels' names that are written in several ways, each read in one: abbreviations
/// (United States Postal Service, Publication 28, appendix G), ordinals as `2nd`, Roman numbers, `Centre` and `Center`.
enum OrganisationWords {
  static func read(_ words: [String]) -> [String] {
    var result: [String] = []
    result.reserveCapacity(words.count)
    for (index, word) in words.enumerated() {
      let isLast = index + 1 == words.count
      // `No. 4` and `Number 4` are `4`.
      if !isLast, numberSigns.contains(word), isNumber(words[index + 1]) { continue }
      if word == "ST" {
        result.append(isLast ? word : "SAINT")
      } else if word == "I" {
        result.append(isLast && index > 0 ? "1" : word)
      } else {
        result.append(forms[word] ?? word)
      }
    }
    return result
  }

  private static func isNumber(_ word: String) -> Bool { word.utf8.allSatisfy { (48...57).contains($0) } }

  private static let numberSigns: Set<String> = ["NO", "NR", "NUM", "NUMBER"]

  private static let forms: [String: String] = {
    var forms: [String: String] = [:]
    for line in table.split(separator: "\n") {
      let sides = line.split(separator: ":")
      for word in sides[1].split(separator: " ") { forms[String(word)] = String(sides[0]) }
    }
    return forms
  }()

  /// The form that is read, then others. Single letters, which may be initials, are not among the Roman numbers.
  private static let table = """
    INTERNATIONAL:INTL INTERNATL
    NATIONAL:NATL NATNL
    UNIVERSITY:UNIV
    MANUFACTURING:MFG
    DEPARTMENT:DEPT
    GOVERNMENT:GOVT
    ASSOCIATION:ASSN ASSOC
    INSTITUTE:INST
    BROTHERS:BROS
    CENTER:CENTRE CTR
    DEFENSE:DEFENCE
    HOSPITAL:HOSP
    ENGINEERING:ENGRG ENGG
    INDUSTRIES:INDS
    SERVICES:SVCS
    MANAGEMENT:MGMT
    EXCHANGE:EXCH
    COMMERCIAL:COMML
    ADMINISTRATION:ADMIN
    FOUNDATION:FDN
    HOLDINGS:HLDGS
    DEVELOPMENT:DEVT
    LABORATORY:LAB
    LABORATORIES:LABS
    HEADQUARTERS:HQ
    ALUMINUM:ALUMINIUM
    FIRST:1ST
    SECOND:2ND
    THIRD:3RD
    FOURTH:4TH
    FIFTH:5TH
    SIXTH:6TH
    SEVENTH:7TH
    EIGHTH:8TH
    NINTH:9TH
    TENTH:10TH
    ELEVENTH:11TH
    TWELFTH:12TH
    2:II
    3:III
    4:IV
    6:VI
    7:VII
    8:VIII
    9:IX
    11:XI
    12:XII
    13:XIII
    14:XIV
    15:XV
    """
}
