// SPDX-License-Identifier: Apache-2.0

import Fixtures
import GatehouseApp
import Identity
import Kit
import RubixFlow
import Storage

/// Adds invented customers to a store, with their sessions, audit lines, evidence rows and cases.
///
/// Every sealed or chained row is written by the store that writes it in service, so that `audit verify`, backups and
/// erasures take them for what they are.
struct StoreFill: Sendable {
  let app: App
  /// Of a hundred customers, how many keep their pictures as objects.
  let keptPercent: Int
  let say: @Sendable (String) -> Void

  /// Transactions that fill side by side, where the engine lets them.
  private static let fillersMax = 4

  /// - Returns: how many there are now.
  func add(_ count: Int) async throws -> Int {
    let (applications, evidence) = (ApplicationFixture(app.rubix), EvidenceFixture(app.rubix))
    let (tenant, first) = (try app.tenants.find(nil), try await evidence.applications())
    var starts = stride(from: first, to: first + count, by: ApplicationFixture.batchMax).makeIterator()
    var done = 0
    try await withThrowingTaskGroup(of: Int.self) { group in
      func begin() {
        guard let start = starts.next() else { return }
        let numbers = start..<min(start + ApplicationFixture.batchMax, first + count)
        group.addTask { [keptPercent] in
          let ids = try await applications.fill(numbers, tenant: tenant).map(\.subject)
          try await evidence.add(to: ids, tenant: tenant, keeping: ids.count * keptPercent / 100)
          return ids.count
        }
      }
      for _ in 0..<Self.fillersMax { begin() }
      for try await added in group {
        if (done + added) / 10_000 > done / 10_000 { say("\(done + added) of \(count)") }
        done += added
        begin()
      }
    }
    return first + done
  }
}
