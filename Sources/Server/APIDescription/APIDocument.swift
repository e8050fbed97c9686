// SPDX-License-Identifier: Apache-2.0

import CAPIDescription
import Foundation
import Yams

/// The description of every route in OpenAPI 3.1: the YAML files of `docs/api`, one for each system, joined.
package enum APIDocument {
  /// A part of the document.
  package struct File: Sendable {
    /// As in `docs/api`, such as `rubix.yaml`.
    package let name: String
    package let yaml: String

    package init(name: String, yaml: String) { (self.name, self.yaml) = (name, yaml) }
  }

  /// Two files cannot be joined, or one of them is no part of a document.
  package struct Fault: Error, Equatable, CustomStringConvertible {
    package let file: String
    /// The key that another file has already, such as `components/schemas/Problem`. Empty when the file is no mapping.
    package let key: String

    package var description: String {
      key.isEmpty ? "\(file) is not a mapping of keys" : "\(file): another file has \(key) already"
    }
  }

  /// The files that were built in, by name.
  package static let files = UnsafeBufferPointer(start: api_files(), count: Int(api_files_count())).map {
    File(name: String(cString: $0.name), yaml: String(cString: $0.yaml))
  }

  /// The joined document as JSON with sorted keys: what is served, and what tests hold answers against.
  package static let json = Result { try join(files) }

  /// Joins files by key. Paths and the components of each kind may stand in several files; every other key, each path
  /// and each component belongs to one.
  /// - Returns: JSON with sorted keys.
  /// - Throws: `Fault`, or the error of the YAML parser, which also refuses a key that stands twice in one file.
  package static func join(_ files: [File]) throws -> Data {
    var document: [String: Any] = [:]
    for file in files {
      // Without the parser's own rules, which try seven regular expressions for every key and value.
      guard let node = try Yams.compose(yaml: file.yaml, .basic), let members = value(of: node) as? [String: Any] else {
        throw Fault(file: file.name, key: "")
      }
      try add(members, of: file, to: &document, at: [])
    }
    return DescriptionJSON.data(of: document)
  }

  private static func value(of node: Node) -> Any {
    switch node {
    case .scalar(let scalar): scalar.style == .plain ? PlainScalar.value(of: scalar.string) : scalar.string
    case .sequence(let sequence): sequence.map(value)
    // The parser refuses a key that stands twice. A key is a text, whatever it looks like.
    case .mapping(let mapping):
      Dictionary(mapping.map { ($0.key.scalar?.string ?? "", value(of: $0.value)) }, uniquingKeysWith: { $1 })
    // The parser puts what an alias stands for in its place.
    case .alias: NSNull()
    }
  }

  private static func add(
    _ members: [String: Any], of file: File, to document: inout [String: Any], at place: [String]
  ) throws {
    for (key, value) in members.sorted(by: { $0.key < $1.key }) {
      guard let present = document[key] else {
        document[key] = value
        continue
      }
      let key = (place: place + [key], name: key)
      guard isShared(key.place), var joined = present as? [String: Any], let more = value as? [String: Any] else {
        throw Fault(file: file.name, key: key.place.joined(separator: "/"))
      }
      try add(more, of: file, to: &joined, at: key.place)
      document[key.name] = joined
    }
  }

  /// Whether several files may have members of the mapping at a place.
  private static func isShared(_ place: [String]) -> Bool {
    place == ["paths"] || (place.first == "components" && place.count <= 2)
  }
}
