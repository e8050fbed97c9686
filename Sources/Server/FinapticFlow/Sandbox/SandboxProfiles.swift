// SPDX-License-Identifier: Apache-2.0

import FinapticWire
import Foundation

/// The profiles that a sandbox knows, by name.
package struct SandboxProfiles: Sendable {
  private var byName: [[String]: SandboxProfile] = [:]

  /// No profiles: all applicants pass.
  package init() {}

  init(_ profiles: [SandboxProfile]) {
    for profile in profiles { byName[profile.name.folded] = profile }
  }

  package var count: Int { byName.count }

  /// Why a file of profiles cannot be read: for operators, at start.
  package struct Unreadable: Error, Sendable, CustomStringConvertible {
    package let description: String
  }

  /// Reads files of profiles, and every `*.json` of a folder; what a later one says of a name wins.
  /// - Throws: `Unreadable`.
  package init(paths: [String]) throws {
    for path in paths {
      for file in try Self.files(path) {
        guard let bytes = FileManager.default.contents(atPath: file) else {
          throw Unreadable(description: "sandbox profiles: \(file) cannot be read")
        }
        do { try add(bytes) } catch {
          throw Unreadable(description: "sandbox profiles: \(file) is not a file of profiles: \(Self.reason(error))")
        }
      }
    }
  }

  /// - Throws: `DecodingError`.
  package mutating func add(_ json: Data) throws {
    for entry in try JSONDecoder().decode(File.self, from: json).profiles {
      guard let profile = entry.profile else { continue }
      byName[profile.name.folded] = profile
    }
  }

  /// Nil for an applicant who passes.
  package func profile(of person: FinapticAPI.PersonalDetails?) -> SandboxProfile? {
    guard let person else { return nil }
    return byName[
      SandboxProfile.Name(
        firstName: person.firstName ?? "", middleName: person.middleName, lastName: person.lastName ?? ""
      ).folded]
  }

  private static func files(_ path: String) throws -> [String] {
    var isFolder: ObjCBool = false
    guard FileManager.default.fileExists(atPath: path, isDirectory: &isFolder) else {
      throw Unreadable(description: "sandbox profiles: there is no \(path)")
    }
    guard isFolder.boolValue else { return [path] }
    guard let names = try? FileManager.default.contentsOfDirectory(atPath: path) else {
      throw Unreadable(description: "sandbox profiles: \(path) cannot be read")
    }
    return names.filter { $0.hasSuffix(".json") }.sorted().map { "\(path)/\($0)" }
  }

  private static func reason(_ error: any Error) -> String {
    switch error {
    case DecodingError.dataCorrupted(let context), DecodingError.keyNotFound(_, let context),
      DecodingError.typeMismatch(_, let context), DecodingError.valueNotFound(_, let context):
      "\(context.codingPath.map(\.stringValue).joined(separator: ".")): \(context.debugDescription)"
    default: "\(type(of: error))"
    }
  }

  /// The file has profiles of other things beside: each says by its category what it is.
  private struct File: Decodable {
    struct Entry: Decodable {
      let profile: SandboxProfile?

      init(from decoder: any Decoder) throws {
        let category = try decoder.container(keyedBy: CodingKeys.self).decode(String.self, forKey: .category)
        profile = category == "kyc" ? try SandboxProfile(from: decoder) : nil
      }

      enum CodingKeys: String, CodingKey { case category }
    }

    let profiles: [Entry]
  }
}
