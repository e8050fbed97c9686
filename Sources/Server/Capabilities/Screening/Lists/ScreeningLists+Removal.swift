// SPDX-License-Identifier: Apache-2.0

import Foundation
import Kit
import Storage

extension ScreeningLists {
  private static let removal = "screening-list.removed"

  /// Whether no list is searched because none was ever loaded, and not because a person removed the last one.
  package func isNew() async throws -> Bool {
    try await core.database.read { tx in
      guard try ScreeningListStore(tx).current().isEmpty else { return false }
      return try !AuditStore(tx).has(Self.removal, in: Self.chain)
    }
  }

  /// What came of taking a list out of the search.
  package enum Removal: Sendable, Hashable {
    /// The version that is not searched any more. It is kept as a replaced one is.
    case removed(StoredList)
    /// The store has no list with this code that is searched.
    case unknown
    /// It is the only one that is searched, and nothing was done.
    case last(StoredList)
  }

  /// Takes a list out of the search: it was loaded by mistake, or its provider ended. Every node searches without it as
  /// soon as it compares the lists, and customers are compared with the lists that are left.
  /// - Parameters:
  ///   - others: codes of lists that are searched beside those in the store.
  ///   - takesLast: also the last one, after which no search has an answer.
  package func remove(
    _ code: String, besides others: Set<String> = [], takesLast: Bool = false, by actor: String
  ) async throws -> Removal {
    try await core.database.write(retrying: .outdatedOrDuplicate) { [core] tx in
      let store = ScreeningListStore(tx)
      let current = try store.current()
      guard let list = current.first(where: { $0.version.code == code }) else { return .unknown }
      guard takesLast || current.count > 1 || !others.isEmpty else { return .last(list) }
      try store.replaceCurrent(of: code, at: core.world.now())
      try core.audit.append(
        Self.removal, to: Self.chain, by: actor,
        facts: ["code": code, "version": list.version.version, "sha256": list.sha256], in: tx)
      return .removed(list)
    }
  }
}
