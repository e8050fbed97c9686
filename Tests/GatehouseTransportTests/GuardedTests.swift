// SPDX-License-Identifier: Apache-2.0

import Locks
import Testing

@Suite("Locks: a value behind a lock")
struct GuardedTests {
  @Test("who does not want to wait for the value goes without it, and gets it once it is free")
  func available() {
    let value = Guarded(1)
    // The lock is held meanwhile, by this thread as well as by any other.
    let seen: Int? = value.withLock { _ in value.withLockIfAvailable { $0 } }
    #expect(seen == nil)
    let raised = value.withLockIfAvailable { number in
      number += 1
      return number
    }
    #expect(raised == 2 && value.withLock { $0 } == 2)
  }
}
