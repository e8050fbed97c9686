// SPDX-License-Identifier: Apache-2.0

import Kit
import Ledger
import Storage

/// Deletes rows that count no longer: they were kept so that a repetition is found, or a limit is held.
struct FinapticRowSweep: Sendable {
  let core: CoreDependencies

  func run() async throws {
    let now = core.world.now()
    try await core.database.sweep { try AccountLinkStore.sweep(before: now - .days(1), limit: $1, in: $0) }
    // As long as the desk keeps what was approved.
    try await core.database.sweep { try BankActStore.sweep(before: now - .days(400), limit: $1, in: $0) }
    let today = Ledger.day(of: now)
    try await core.database.sweep { try PostingLimitStore.sweep(before: today - 7, limit: $1, in: $0) }
    // A key is remembered for as long as that: what was booked, the books know by it for ever.
    try await core.database.sweep {
      try ScheduledPostingStore.sweep(before: today - 400, limit: $1, in: $0)
    }
    try await core.database.sweep { try GuardStore.sweep(before: now - .days(30), limit: $1, in: $0) }
    try await core.database.sweep { try FaultStore($0).sweep(before: now, limit: $1) }
    try await core.database.sweep {
      try IssuerMessageStore.sweep(before: now - .days(400), limit: $1, in: $0)
    }
    try await core.database.sweep { try CardTokenStore($0).sweep(before: now - .days(1), limit: $1) }
    try await core.database.sweep {
      try IncomingTransferStore.sweep(before: now - .days(90), limit: $1, in: $0)
    }
  }
}
