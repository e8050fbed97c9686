// SPDX-License-Identifier: Apache-2.0

import Foundation

/// Why a template cannot be used: the file, the place in it, and what is wrong there.
package struct TemplateFault: Error, CustomStringConvertible, Equatable, Sendable {
  package let file: String
  package let reason: String

  package var description: String { "the document template \(file): \(reason)" }
}

/// Reads a template from its JSON file, strictly: an unknown member is as wrong as a missing one.
///
/// | member | value |
/// |---|---|
/// | `name` | lower-case letters, digits and hyphens |
/// | `kind` | `PASSPORT`, `NATIONAL_ID_FRONT_SIDE` or `DRIVING_LICENSE` |
/// | `issuing_states` | codes of Doc 9303-3 §5; empty for any state |
/// | `languages` | ISO 639-1 codes of the captions |
/// | `anchors` | titles, one of which is on the page |
/// | `values` | where values stand: `below`, `right` or `right-or-below` |
/// | `dates` | `day-first` or `month-first` |
/// | `numbered_column` | optional: whether fields also stand in the order of ISO/IEC 18013-1 in one column |
/// | `bare_number` | optional: whether the document's number may stand without a caption |
/// | `qr` | optional: an object of `separator` and `fields`, objects of `field` and either `part`, from 1, or `key` |
/// | `fields` | objects of `field`, `captions` and, where it is not the template's, `values` |
///
/// Captions and titles are words in capital letters without diacritics, with one space between them.
struct TemplateFile {
  private let file: String

  /// A larger file is refused.
  static let bytesMax = 64 << 10
  private static let fieldsMax = 40
  private static let captionsMax = 60

  /// - Throws: `TemplateFault`.
  static func read(_ bytes: Data, file: String) throws -> VisualTemplate { try TemplateFile(file: file).read(bytes) }

  private func read(_ bytes: Data) throws -> VisualTemplate {
    guard bytes.count <= Self.bytesMax else { throw fault("it is larger than \(Self.bytesMax >> 10) KiB") }
    guard let tree = try? JSONSerialization.jsonObject(with: bytes), let object = tree as? [String: Any] else {
      throw fault("it is no JSON object")
    }
    try only(
      [
        "name", "kind", "issuing_states", "languages", "anchors", "values", "dates", "numbered_column", "bare_number",
        "qr", "fields",
      ], in: object, at: "")
    let name = try text(object, "name", at: "")
    guard name.wholeMatch(of: /[a-z0-9][a-z0-9-]{0,63}/) != nil else {
      throw fault("name is lower-case letters, digits and hyphens, 64 at most")
    }
    let kind: DocumentKind = try choice(object, "kind", at: "")
    guard kind != .nationalIDBack else { throw fault("kind \(kind.rawValue) has no print that is read") }
    let place: VisualTemplate.Place = try choice(object, "values", at: "")
    return VisualTemplate(
      name: name, kind: kind,
      issuingStates: try texts(object, "issuing_states", at: "", least: 0) { $0.wholeMatch(of: /[A-Z]{1,3}/) != nil },
      languages: try texts(object, "languages", at: "", least: 1) { $0.wholeMatch(of: /[a-z]{2}/) != nil },
      dates: try choice(object, "dates", at: ""), anchors: try words(object, "anchors", at: ""),
      rules: try rules(object, place), hasNumberedColumn: try flag(object, "numbered_column"),
      hasBareNumber: try flag(object, "bare_number"), qr: try qr(object))
  }

  private func rules(_ object: [String: Any], _ usual: VisualTemplate.Place) throws -> [VisualTemplate.Rule] {
    guard let list = object["fields"] as? [Any], (1...Self.fieldsMax).contains(list.count) else {
      throw fault("fields is a list of 1 to \(Self.fieldsMax)")
    }
    var seen: Set<VisualZone.Field> = []
    return try list.enumerated().map { number, item in
      let at = "fields[\(number)]"
      guard let entry = item as? [String: Any] else { throw fault("\(at) is no object") }
      try only(["field", "captions", "values"], in: entry, at: at)
      let field: VisualZone.Field = try choice(entry, "field", at: at)
      guard seen.insert(field).inserted else { throw fault("\(at): \(field.rawValue) is there twice") }
      return VisualTemplate.Rule(
        field: field, captions: try words(entry, "captions", at: at),
        place: entry["values"] == nil ? usual : try choice(entry, "values", at: at))
    }
  }

  func only(_ known: Set<String>, in object: [String: Any], at place: String) throws {
    guard let unknown = Set(object.keys).subtracting(known).min() else { return }
    throw fault("\(Self.joined(place, unknown)) is no member of a template")
  }

  func text(_ object: [String: Any], _ name: String, at place: String) throws -> String {
    guard let text = object[name] as? String else { throw fault("\(Self.joined(place, name)) is missing, or no text") }
    return text
  }

  func choice<Value: RawRepresentable<String> & CaseIterable>(
    _ object: [String: Any], _ name: String, at place: String
  ) throws -> Value {
    let text = try text(object, name, at: place)
    guard let value = Value(rawValue: text) else {
      throw fault("\(Self.joined(place, name)) is one of \(Value.allCases.map(\.rawValue).joined(separator: ", "))")
    }
    return value
  }

  private func flag(_ object: [String: Any], _ name: String) throws -> Bool {
    guard let value = object[name] else { return false }
    // A number is a Bool too for a cast; the encoding of a Bool is that of a C char.
    guard let number = value as? NSNumber, String(cString: number.objCType) == "c" else {
      throw fault("\(name) is true or false")
    }
    return number.boolValue
  }

  private func texts(
    _ object: [String: Any], _ name: String, at place: String, least: Int, where isRight: (String) -> Bool
  ) throws -> [String] {
    let path = Self.joined(place, name)
    guard let list = object[name] as? [String], (least...Self.captionsMax).contains(list.count) else {
      throw fault("\(path) is a list of \(least) to \(Self.captionsMax) texts")
    }
    if let wrong = list.firstIndex(where: { !isRight($0) }) { throw fault("\(path)[\(wrong)] is not right") }
    return list
  }

  /// Captions, each as its words.
  private func words(_ object: [String: Any], _ name: String, at place: String) throws -> [[String]] {
    let list = try texts(object, name, at: place, least: 1) { text in
      let words = text.split(separator: " ", omittingEmptySubsequences: false)
      return (1...6).contains(words.count) && words.allSatisfy(Self.isCaptionWord)
    }
    return list.map { $0.split(separator: " ").map(String.init) }
  }

  /// Whether a word may stand in a caption: 1 to 24 of `A-Z`, `0-9`, `'`, `#` and `.`, one of which a page can show.
  ///
  /// Byte by byte: every start of the program reads some 300 words, and a regular expression compiled for each took a
  /// fifth of a command's time.
  private static func isCaptionWord(_ word: Substring) -> Bool {
    (1...24).contains(word.utf8.count) && word.utf8.allSatisfy(captionBytes.contains)
      && !Label.normal(String(word)).isEmpty
  }

  private static let captionBytes = Set("ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789'#.".utf8)

  func fault(_ reason: String) -> TemplateFault { TemplateFault(file: file, reason: reason) }

  private static func joined(_ place: String, _ name: String) -> String { place.isEmpty ? name : "\(place).\(name)" }
}
