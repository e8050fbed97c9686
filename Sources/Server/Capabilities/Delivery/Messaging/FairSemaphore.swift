// SPDX-License-Identifier: Apache-2.0

import Dispatch
import Synchronization

/// A semaphore that lets threads go on in the order in which they came. `DispatchSemaphore` lets a thread that signals
/// and waits again overtake those that waited before it, so that two pools with much to do would not take turns.
package final class FairSemaphore: Sendable {
  private struct State {
    var free: Int
    var waiting: [DispatchSemaphore] = []
  }

  private let state: Mutex<State>

  /// - Parameter value: how many threads go on at once.
  package init(value: Int) {
    precondition(value > 0, "No thread would ever go on.")
    state = Mutex(State(free: value))
  }

  /// How many threads wait.
  var waiting: Int { state.withLock { $0.waiting.count } }

  /// Blocks the thread until it has its turn.
  func wait() {
    let turn: DispatchSemaphore? = state.withLock { state in
      if state.free > 0 {
        state.free -= 1
        return nil
      }
      let turn = DispatchSemaphore(value: 0)
      state.waiting.append(turn)
      return turn
    }
    turn?.wait()
  }

  /// Ends a turn, which whichever thread waits longest has next.
  func signal() {
    state.withLock { state in
      if state.waiting.isEmpty { state.free += 1 } else { state.waiting.removeFirst().signal() }
    }
  }
}
