// SPDX-License-Identifier: Apache-2.0

import Foundation
import Kit

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
///
/// What one tenant words in its own way lies in a folder of the system and of the tenant there, as in
/// `finaptic/8/confirm-contact.sms.en.txt`.
extension MessageTexts {
  private static let (filesMax, tenantsMax, bytesMax) = (512, 1000, 64 * 1024)
  /// Systems that write to customers in the name of a tenant.
  private static let systems = ["finaptic", "rubix"]

  /// - Throws: `MessageTextsError` for the first file, by name, that has an unknown name or breaks a rule.
  package init(folder: String) throws {
    var tenants: [TenantID: [Key: Text]] = [:]
    for system in Self.systems where Self.isFolder("\(folder)/\(system)") {
      for name in try Self.names("\(folder)/\(system)", max: Self.tenantsMax) {
        guard let tenant = TenantID("\(system)/\(name)"), Self.isFolder("\(folder)/\(tenant)") else {
          throw MessageTextsError.file("\(system)/\(name)")
        }
        tenants[tenant] = try Self.texts(folder, in: tenant)
      }
    }
    try self.init(replacing: try Self.texts(folder), tenants: tenants)
  }

  /// - Parameter tenant: whose folder below it; nil is the folder itself, without those of systems.
  private static func texts(_ folder: String, in tenant: TenantID? = nil) throws -> [Key: Text] {
    let (path, prefix) = (tenant.map { "\(folder)/\($0)" } ?? folder, tenant.map { "\($0)/" } ?? "")
    var texts: [Key: Text] = [:]
    for name in try names(path, max: filesMax) {
      if tenant == nil, systems.contains(name), isFolder("\(path)/\(name)") { continue }
      guard let key = Key(file: name), let data = FileManager.default.contents(atPath: "\(path)/\(name)"),
        data.count <= bytesMax, let content = String(data: data, encoding: .utf8)
      else { throw MessageTextsError.file(prefix + name) }
      texts[key] = try Text(file: content, prefix + name)
    }
    return texts
  }

  private static func names(_ folder: String, max: Int) throws -> [String] {
    guard let names = try? FileManager.default.contentsOfDirectory(atPath: folder), names.count <= max else {
      throw MessageTextsError.file(folder)
    }
    return names.filter { !$0.hasPrefix(".") }.sorted()
  }

  private static func isFolder(_ path: String) -> Bool {
    var isDirectory: ObjCBool = false
    return FileManager.default.fileExists(atPath: path, isDirectory: &isDirectory) && isDirectory.boolValue
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
