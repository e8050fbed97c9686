// SPDX-License-Identifier: Apache-2.0

import Foundation
import GatehouseApp

extension Process {
  /// Starts a program that ends its turns by an alarm, as pg_test_fsync and `openssl speed` do. A program inherits the
  /// signals that its starter's thread blocks, and threads of the pool block this one: it would run for ever.
  func runHearingAlarms() throws {
    var alarm = sigset_t()
    sigemptyset(&alarm)
    sigaddset(&alarm, SIGALRM)
    pthread_sigmask(SIG_UNBLOCK, &alarm, nil)
    try run()
  }
}
