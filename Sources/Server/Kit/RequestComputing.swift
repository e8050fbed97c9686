// SPDX-License-Identifier: Apache-2.0

import Synchronization

/// What takes a processor for long on behalf of a request: passwords that are compared and pictures that are decoded.
/// Like `WorkPriority` it goes along with the request's task, because what computes knows nothing of who asks.
package final class RequestComputing: Sendable {
  /// nil outside of requests, and of what this machine and the institution's own systems ask.
  @TaskLocal package static var current: RequestComputing?

  /// How many times as long as something was computed in vain nothing is computed after it, where `mustRest`: so wrong
  /// passwords take an eighth of a processor for each thread. Beside a processor that computes without a break others
  /// wait twice as long even if they always go first.
  static let rests = 7
  /// The longest rest, so that one picture that took long does not keep out all others for minutes.
  package static let restMax = Duration.seconds(60)

  /// Whether what is computed rests, because so much was in vain lately for the network that asks, while others ask.
  package let mustRest: Bool
  private let milliseconds = Mutex((inVain: 0, ofUse: 0))
  private let answer = Mutex(Answer())

  private struct Answer {
    /// nil while the request is worked on.
    var isRefused: Bool?
    var waiting: [@Sendable (_ isRefused: Bool) -> Void] = []
  }

  package init(mustRest: Bool) { self.mustRest = mustRest }

  /// How long nothing is computed after it.
  /// - Parameter time: how long something was computed in vain.
  package static func rest(after time: Duration) -> Duration { min(time * rests, restMax) }

  /// Milliseconds of wrong passwords, of pictures that cannot be used, of unreadable documents, and of all pictures of a
  /// refused request.
  package var inVain: Int { milliseconds.withLock(\.inVain) }

  /// Milliseconds of right passwords, and of pictures that were taken.
  package var ofUse: Int { milliseconds.withLock(\.ofUse) }

  /// Counts what was computed, in whole milliseconds.
  /// - Parameter time: of passwords what they took of a processor; of pictures how long they were in work.
  package func note(_ time: Duration, isInVain: Bool) {
    let taken = Int(time / .milliseconds(1))
    milliseconds.withLock { milliseconds in
      if isInVain { milliseconds.inVain += taken } else { milliseconds.ofUse += taken }
    }
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
