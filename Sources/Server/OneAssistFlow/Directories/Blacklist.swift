// SPDX-License-Identifier: Apache-2.0

import Foundation
import OneAssistCore

/// Whether a phone was reported lost or stolen.
package struct Blacklist: Sendable {
  package enum Verdict: Sendable, Equatable {
    case clear, listed
    /// The list could not be queried; the reviewer is told.
    case unknown
  }

  package let check: @Sendable (IMEI) async throws -> Verdict

  package init(check: @escaping @Sendable (IMEI) async throws -> Verdict) { self.check = check }

  /// For installations without a list.
  package static let absent = Blacklist { _ in .unknown }

  /// - Parameter list: one IMEI a line; other lines are ignored.
  package static func listed(_ list: String) -> Blacklist {
    let listed = Set(
      list.split(whereSeparator: \.isNewline).compactMap { IMEI($0.trimmingCharacters(in: .whitespaces)) })
    return Blacklist { listed.contains($0) ? .listed : .clear }
  }
}
