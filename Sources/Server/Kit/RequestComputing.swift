// SPDX-License-Identifier: Apache-2.0

import Synchronization

/// What takes a processor for long on behalf of a request: passwords that are compared and pictures that are decoded.
/// Like `WorkPriority` it goes along with the request's task, because what computes knows nothing of who asks.
package final class RequestComputing: Sendable {
  /// nil outside of requests, and of what this machine and the institution's own systems ask.
  @TaskLocal package static var current: RequestComputing?

  /// So many times as long as something was computed in vain, nothing else is where `mustRest`: so that all of it takes
  /// an eighth of a processor, which is idle for the rest of the time. A processor that computes without a break has
  /// others wait twice as long even if they always go first.
  static let rests = 7
  /// The longest that is rested, so that one picture that took long does not keep out all others for minutes.
  static let restMax = Duration.seconds(60)

  /// Whether the network that asks cost much lately, or many passwords of it were wrong, while others ask too.
  package let mustRest: Bool
  private let milliseconds = Atomic(0)
  private let answer = Mutex(Answer())

  private struct Answer {
    /// nil while the request is worked on.
    var isRefused: Bool?
    var waiting: [@Sendable (_ isRefused: Bool) -> Void] = []
  }

  package init(mustRest: Bool) { self.mustRest = mustRest }

  /// How long is rested.
  /// - Parameter time: how long something was computed in vain.
  package static func rest(after time: Duration) -> Duration { min(time * rests, restMax) }

  /// Milliseconds of wrong passwords, less those of right ones.
  package var inVain: Int { milliseconds.load(ordering: .relaxed) }

  /// - Parameter isInVain: whether a password was wrong.
  package func note(_ time: Duration, isInVain: Bool) {
    let taken = Int(clamping: Int64(time / .milliseconds(1)))
    milliseconds.add(isInVain ? taken : -taken, ordering: .relaxed)
  }

  /// Acts when the request is answered, or at once if it was: of a picture only the answer tells whether it was of use.
  package func whenAnswered(_ act: @escaping @Sendable (_ isRefused: Bool) -> Void) {
    let isRefused = answer.withLock { answer in
      if answer.isRefused == nil { answer.waiting.append(act) }
      return answer.isRefused
    }
    if let isRefused { act(isRefused) }
  }

  package func answered(isRefused: Bool) {
    let waiting = answer.withLock { answer in
      defer { answer.waiting = [] }
      answer.isRefused = isRefused
      return answer.waiting
    }
    for act in waiting { act(isRefused) }
  }
}
