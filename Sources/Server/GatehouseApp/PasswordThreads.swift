// SPDX-License-Identifier: Apache-2.0

import Delivery
import Foundation
import HTTP

/// Threads that hash passwords. A guess costs much of a processor on purpose, so that many guesses at once could take
/// every processor. That is why these threads are half as many as the processors, and let others go first. What has
/// waited for ten seconds when one of them is free is refused, and comes again.
///
/// Staff, customers and the demonstration bank have their own, so that guesses at one leave the others their turn.
struct PasswordThreads: Sendable {
  let staff = hashing("passwords")
  let customers = hashing("finaptic-passwords")
  /// nil where there is no demonstration bank.
  let demoBank: BlockingThreadPool?

  static func hashing(_ name: String) -> BlockingThreadPool {
    BlockingThreadPool(
      name, width: max(1, ProcessInfo.processInfo.activeProcessorCount / 2), isYielding: true, patience: .seconds(10))
  }

  /// How much they have to do. What rests is compared for networks for which much was in vain lately (decision 307).
  var families: [MetricFamily] {
    let kinds =
      [("staff", staff), ("customer", customers)] + (demoBank.map { [("demobank", $0)] } ?? [])
    func series(_ figure: (BlockingThreadPool.Use) -> Int) -> [([String], Double)] {
      kinds.flatMap { kind, threads in
        [([kind, "no"], Double(figure(threads.use))), ([kind, "yes"], Double(figure(threads.restingUse)))]
      }
    }
    return [
      .labelled(
        "gatehouse_passwords_waiting", help: "Passwords that wait for a thread, or for the rest of one.",
        labels: ["kind", "rests"], series(\.waiting)),
      .labelled(
        "gatehouse_passwords_total", help: "Passwords that were to be compared or hashed, refused ones too.",
        kind: .counter, labels: ["kind", "rests"], series(\.came)),
      .labelled(
        "gatehouse_passwords_refused_total",
        help: "Passwords that were refused because too many waited, or for too long.", kind: .counter,
        labels: ["kind", "rests"], series(\.refused)),
    ]
  }
}
