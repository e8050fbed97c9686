import Foundation
import OneAssistCore

/// Whether a phone was reported lost or stolen.
package struct Blacklist: Sendable {
  package enum Verdict: Sendable, Equatable {
    case clear, listed
    /// Nobody could say: whoever reviews has to know that.
    case unknown
  }

  package let check: @Sendable (IMEI) async throws -> Verdict

  package init(check: @escaping @Sendable (IMEI) async throws -> Verdict) { self.check = check }

  /// There is no list.
  package static let absent = Blacklist { _ in .unknown }

  /// - Parameter list: one IMEI a line; lines that are none are passed over.
  package static func listed(_ list: String) -> Blacklist {
    let listed = Set(
      list.split(whereSeparator: \.isNewline).compactMap { IMEI($0.trimmingCharacters(in: .whitespaces)) })
    return Blacklist { listed.contains($0) ? .listed : .clear }
  }
}
