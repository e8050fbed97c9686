// SPDX-License-Identifier: Apache-2.0

import Kit
import Storage

/// Opens the work of hits that began to wait before they stood in the work queue.
struct WaitingCases: Sendable {
  let core: CoreDependencies
  let customers: [any ScreenedCustomers]

  /// Run regularly; what stands there already is left as it is.
  func catchUp() async throws {
    try await core.database.forEachDue(paging: .behindLast) { [core] (page: DuePage<ScreeningCaseStore.Waiting>, tx) in
      try ScreeningCaseStore(tx, core.vault).waiting(after: page.last, limit: page.limit)
    } do: { waiting in
      guard let waitsUnseen = waiting.item, waitsUnseen.queue == nil else { return }
      try await core.database.write(retrying: .outdated) { [self] tx in
        let store = ScreeningCaseStore(tx, core.vault)
        guard var item = try store.find(waiting.id), item.state.isWaiting, item.queue == nil,
          // What a step found stands in the queue of its flow.
          let record = try ScreeningStore(tx, core.vault).find(item.screeningID), record.origin != .step,
          let queue = try customers.owner(of: item.subjectID, in: tx)?.customer.queue
        else { return }
        item.queue = queue.tenant
        item = try store.update(item)
        guard let work = item.awaitedWork(email: queue.email) else { return }
        try core.cases.open(work, formerly: work, by: "system", in: tx)
      }
    }
  }
}
