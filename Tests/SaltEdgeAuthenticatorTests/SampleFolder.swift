import Foundation
import SaltEdgeCore
import Testing

/// Files of `saltedge-samples` in the specification's folder, beside this checkout or under GATEHOUSE_SPEC.
enum SampleFolder {
  private static let folder = URL(
    fileURLWithPath: ProcessInfo.processInfo.environment["GATEHOUSE_SPEC"] ?? "../shared/spec", isDirectory: true
  ).appending(path: "saltedge-samples")

  private struct Index: Decodable {
    let files: [String]
  }

  /// Skips a test by its name where there is no folder.
  static let present: any SuiteTrait & TestTrait = .enabled(
    if: data("INDEX.json") != nil, "saltedge-samples is not there")

  static func data(_ path: String) -> Data? { try? Data(contentsOf: folder.appending(path: path)) }

  static func json<Value: Decodable>(_ path: String, _ type: Value.Type = Value.self) throws -> Value {
    try JSONDecoder().decode(Value.self, from: try #require(data(path), "\(path) is not there"))
  }

  /// The files of the index whose paths begin so.
  static func files(_ prefix: String) -> [String] {
    guard let data = data("INDEX.json"), let index = try? JSONDecoder().decode(Index.self, from: data) else {
      return []
    }
    return index.files.filter { $0.hasPrefix(prefix) }
  }

  static func privateKey(_ name: String) throws -> RSAPrivateKey {
    try RSAPrivateKey(pem: String(decoding: try #require(data("keys/\(name)_private.pem")), as: UTF8.self))
  }
}
