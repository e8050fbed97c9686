// SPDX-License-Identifier: Apache-2.0

internal import GatehouseTransport
internal import Locks

/// Passes on how much has left, in fractions that only ever grow: what the network reports late or twice is left out.
func risingProgress(_ report: @escaping @Sendable (Double) -> Void) -> UploadProgress.Observer {
  let highest = Highest()
  return { progress in
    if highest.rises(to: progress.fraction) { report(progress.fraction) }
  }
}

private final class Highest: Sendable {
  private let fraction = Guarded(0.0)

  func rises(to new: Double) -> Bool {
    fraction.withLock { old in
      guard new > old else { return false }
      old = new
      return true
    }
  }
}
