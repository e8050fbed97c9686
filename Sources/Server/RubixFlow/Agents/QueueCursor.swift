import Foundation
import Kit

/// Where a page of the queue ended: opaque to clients, `1.<milliseconds>.<id>` in base64url.
struct QueueCursor: Sendable, Equatable {
  private static let version = "1"

  let updatedAt: Instant
  let id: String

  var text: String { Data("\(Self.version).\(updatedAt.milliseconds).\(id)".utf8).base64URL }

  init(updatedAt: Instant, id: String) {
    self.updatedAt = updatedAt
    self.id = id
  }

  /// - Returns: nil for anything that is not such a text.
  init?(_ text: String) {
    guard text.utf8.count <= 128, let data = Data(base64URL: text), let plain = String(data: data, encoding: .utf8)
    else { return nil }
    let parts = plain.split(separator: ".", omittingEmptySubsequences: false)
    guard parts.count == 3, parts[0] == Self.version, let milliseconds = Int64(parts[1]), milliseconds >= 0,
      parts[2].utf8.count == 36
    else { return nil }
    self.init(updatedAt: Instant(milliseconds: milliseconds), id: String(parts[2]))
  }
}
