import Foundation
import Kit
import PowerAuthCore

/// Whatever a person says of themselves, in one spelling: members in order, no blanks (wultra-onboarding.md §2).
struct Identification: Sendable {
  static let bytesMax = 16 * 1024

  let value: JSONValue
  private let normalized: Data

  /// - Throws: `Problem` INVALID_REQUEST for anything but an object with members, or one that is too large.
  init(_ value: JSONValue) throws {
    guard case .object(let members) = value, !members.isEmpty else { throw Problem.invalidRequest }
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    normalized = try encoder.encode(value)
    guard normalized.count <= Self.bytesMax else { throw Problem.invalidRequest }
    self.value = value
  }

  /// Keyed, so that a table of digests names nobody.
  func digest(tenant: String, by vault: Vault) -> String {
    vault.digest("\(tenant)\u{0}\(String(decoding: normalized, as: UTF8.self))", for: "wultra identification")
  }
}
