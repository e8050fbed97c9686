// SPDX-License-Identifier: Apache-2.0

import Kit
import ReferenceData
import Synchronization

/// Serials of accounts in order that this node took in one go (decision 181). An opening takes one of them without
/// asking the row of its tenant, which otherwise only one transaction at a time could change.
///
/// It is kept in memory: what is left when the program ends, and what a transaction took that failed, is never given.
/// Numbers in order then have gaps, and no number is given twice.
package final class SerialAllocator: Sendable {
  /// Serials from one to another, of one numbering of a tenant.
  struct Block: Sendable, Equatable {
    var next: UInt64
    /// Behind the last one.
    let end: UInt64
    let numbering: AccountNumbering
    /// When the tenant began to number so: serials of an earlier numbering are not given.
    let setAt: Instant

    /// How many serials are taken at once: so few that a node that ends often does not use up a short number.
    static func size(of numbering: AccountNumbering) -> UInt64 { min(100, max(1, numbering.serials / 10_000)) }
  }

  private struct State: Sendable {
    /// In the order in which they were taken.
    var blocks: [Int: [Block]] = [:]
    /// Tenants whose openings use up what there is.
    var wanting: Set<Int> = []
  }

  private let state = Mutex(State())

  package init() {}

  /// Takes the next serial of a tenant.
  /// - Returns: nil when this node has none: the caller then asks the row.
  func take(of tenant: Int, _ numbering: AccountNumbering, since setAt: Instant) -> UInt64? {
    state.withLock { state in
      var blocks = state.blocks[tenant, default: []]
      blocks.removeAll { $0.next >= $0.end || $0.numbering != numbering || $0.setAt != setAt }
      let left = blocks.reduce(0) { $0 + $1.end - $1.next }
      // Asked for early, so that others go on with what is left.
      if left <= Block.size(of: numbering) / 2 { state.wanting.insert(tenant) }
      defer { state.blocks[tenant] = blocks }
      guard let serial = blocks.first?.next else { return nil }
      blocks[0].next += 1
      return serial
    }
  }

  /// Goes on behind serials that accounts have already.
  func skip(to serial: UInt64, of tenant: Int) {
    state.withLock { state in
      state.blocks[tenant] = state.blocks[tenant]?.map { block in
        var block = block
        block.next = min(max(block.next, serial), block.end)
        return block
      }
    }
  }

  /// Whether a tenant's serials are to be taken now; true for one caller.
  func beginsRefill(of tenant: Int) -> Bool { state.withLock { $0.wanting.remove(tenant) != nil } }

  func put(_ block: Block, of tenant: Int) { state.withLock { $0.blocks[tenant, default: []].append(block) } }
}
