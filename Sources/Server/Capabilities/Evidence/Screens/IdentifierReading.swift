// SPDX-License-Identifier: Apache-2.0

import OneAssistCore

/// What a screenshot of a phone's identifiers says.
package struct IdentifierReading: Codable, Equatable, Sendable {
  /// A line of the sheet.
  struct Line: Codable, Equatable, Sendable {
    var text: String
    var label = IdentifierLabel.none
    /// The number in it or under it; nil for a line without one, or when it was not read for certain.
    var imei: String?
    /// Whether a number is here that should be an IMEI's and was not read for certain.
    var isDoubtful = false
  }

  let lines: [Line]

  /// Whether something that should be an IMEI could not be read for certain: then none of them counts, as it is unknown
  /// which slot the others are of.
  package var isDoubtful: Bool { lines.contains(where: \.isDoubtful) || !isWhole }

  /// Whether the labels speak of no more numbers than were read: "IMEI 1" has a second one, and "IMEI2" a first.
  private var isWhole: Bool {
    let read = lines.filter { $0.imei != nil }
    let count = Set(read.compactMap(\.imei)).count
    let slots = read.compactMap { line -> Int? in
      if case .imei(let slot) = line.label { slot ?? 0 } else { nil }
    }
    if read.isEmpty { return true }
    if slots.isEmpty { return false }
    return slots.contains { $0 > 0 } ? count >= 2 : true
  }

  /// At most two, the first slot's first: by their labels, or else by their places.
  package var imeis: [IMEI] {
    guard !isDoubtful else { return [] }
    var found: [(imei: IMEI, slot: Int?)] = []
    for line in lines {
      guard let imei = line.imei.flatMap({ IMEI($0) }), !found.contains(where: { $0.imei == imei }) else { continue }
      if case .imei(let slot) = line.label { found.append((imei, slot)) } else { found.append((imei, nil)) }
    }
    let ordered = found.filter { $0.slot == 1 } + found.filter { $0.slot == nil } + found.filter { $0.slot == 2 }
    return ordered.prefix(2).map(\.imei)
  }

  /// The lines as text, for the rules of extraction (oneassist §5.2): only numbers that were read for certain are in it
  /// with a length that an IMEI could have.
  package var text: String {
    let text = lines.map { line in
      if let imei = line.imei {
        guard !isDoubtful else { return Self.masked(line.text) + " " + String(repeating: "?", count: imei.utf8.count) }
        return line.text.isEmpty ? imei : "\(line.text) \(imei)"
      }
      return Self.masked(line.text)
    }.joined(separator: "\n")
    let (expected, read) = (imeis, IMEIReading(text: text, allowsTest: true))
    let found = [read?.primary, read?.secondary].compactMap(\.self)
    guard found != expected else { return text }
    // Misread labels around them would lead the rules astray: say what is known and nothing else.
    return zip(["IMEI", "IMEI2"], expected).map { "\($0) \($1.digits)" }.joined(separator: "\n")
  }

  /// A text in which no run of digits has a length that an IMEI could have.
  private static func masked(_ text: String) -> String {
    var (result, run) = ("", "")
    func end() -> String {
      let digits = run.filter(\.isNumber).count
      return (13...18).contains(digits) ? String(run.map { $0.isNumber ? "?" : $0 }) : run
    }
    for character in text {
      if character.isNumber || (!run.isEmpty && " .-".contains(character)) {
        run.append(character)
      } else {
        result += end()
        run = ""
        result.append(character)
      }
    }
    return result + end()
  }
}
