import Foundation
import Testing

/// Files of `saltedge-samples` in the specification's folder, beside this checkout or under GATEHOUSE_SPEC.
enum Samples {
  private static let folder = URL(
    fileURLWithPath: ProcessInfo.processInfo.environment["GATEHOUSE_SPEC"] ?? "../shared/spec", isDirectory: true
  ).appending(path: "saltedge-samples")

  static func data(_ path: String) -> Data? { try? Data(contentsOf: folder.appending(path: path)) }

  static func json(_ path: String) throws -> Any {
    try JSONSerialization.jsonObject(with: try #require(data(path), "\(path) is not there"))
  }

  static func object(_ path: String) throws -> [String: Any] { try #require(try json(path) as? [String: Any]) }

  static func key(_ name: String) throws -> String {
    String(decoding: try #require(data("keys/\(name)_private.pem"), "\(name) is not there"), as: UTF8.self)
  }

  /// Skipped by its name when the file is not there.
  static func test(_ path: String) -> any SuiteTrait & TestTrait {
    .enabled(if: data(path) != nil, "\(path) is not there")
  }
}

extension [String: Any] {
  /// What is at the end of a path of members with dots between, as JSON text in UTF-8.
  func bytes(_ path: String) throws -> Data {
    let value = path.split(separator: ".").reduce(self as Any?) { ($0 as? [String: Any])?[String($1)] }
    return try JSONSerialization.data(withJSONObject: try #require(value, "\(path) is not there"))
  }
}
