// SPDX-License-Identifier: Apache-2.0

/// Lets so many in at once; the others wait their turn.
///
/// Wultra's SDK holds threads while a call goes on, as an app on a phone may: two hundred phones in one process would use
/// up all that there are, and none could go on.
actor AsyncSemaphore {
  private var free: Int
  private var waiting: [CheckedContinuation<Void, Never>] = []

  init(width: Int) { free = width }

  func enter() async {
    guard free == 0 else {
      free -= 1
      return
    }
    await withCheckedContinuation { waiting.append($0) }
  }

  func leave() {
    guard waiting.isEmpty else { return waiting.removeFirst().resume() }
    free += 1
  }
}
