import Foundation

/// An institution's own words, in files that each replace one text.
///
/// A file is named as its text, `confirm-contact.sms.en.txt`, and holds lines of fields, an empty line and the words:
///
/// ```
/// version: 2
/// subject: Confirm your address for {house}
///
/// Hello, …
/// ```
extension MessageTexts {
  private static let (filesMax, bytesMax) = (512, 64 * 1024)

  /// - Throws: `MessageTextsError` for the first file, by name, that is none of ours or breaks a rule.
  package init(folder: String) throws {
    guard let names = try? FileManager.default.contentsOfDirectory(atPath: folder), names.count <= Self.filesMax else {
      throw MessageTextsError.file(folder)
    }
    var replacements: [Key: Text] = [:]
    for name in names.sorted() where !name.hasPrefix(".") {
      guard let key = Key(file: name), let data = FileManager.default.contents(atPath: "\(folder)/\(name)"),
        data.count <= Self.bytesMax, let content = String(data: data, encoding: .utf8)
      else { throw MessageTextsError.file(name) }
      replacements[key] = try Text(file: content, name)
    }
    try self.init(replacing: replacements)
  }
}

extension MessageTexts.Key {
  /// Nil for a name that is no text's.
  init?(file: String) {
    let parts = file.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
    guard parts.count == 4, parts[3] == "txt", let kind = Notice.Kind(rawValue: parts[0]),
      let channel = Message.Channel(rawValue: parts[1])
    else { return nil }
    self.init(kind, channel, parts[2])
  }
}

extension MessageTexts.Text {
  /// - Throws: `MessageTextsError.file` for a field that is unknown, missing or there twice.
  init(file content: String, _ name: String) throws {
    let lines = content.replacing("\r\n", with: "\n").split(separator: "\n", omittingEmptySubsequences: false)
    guard let blank = lines.firstIndex(where: \.isEmpty) else { throw MessageTextsError.file(name) }
    var fields: [String: String] = [:]
    for line in lines[..<blank] {
      guard let colon = line.firstIndex(of: ":") else { throw MessageTextsError.file(name) }
      let field = String(line[..<colon])
      guard ["version", "subject"].contains(field), fields[field] == nil else { throw MessageTextsError.file(name) }
      fields[field] = line[line.index(after: colon)...].trimmingCharacters(in: .whitespaces)
    }
    guard let version = fields["version"].flatMap({ Int($0) }) else { throw MessageTextsError.version(name) }
    var body = lines[(blank + 1)...].joined(separator: "\n")
    while body.hasSuffix("\n") { body.removeLast() }
    self.init(version: version, subject: fields["subject"], body: body)
  }
}
