// SPDX-License-Identifier: Apache-2.0

import Synchronization

/// Stands for a service outside: it keeps what it is sent, and answers what the test wants.
package final class ScriptedRecorder<Sent: Sendable, Answer: Sendable>: Sendable {
  private let usual: Answer
  private let state = Mutex<(sent: [Sent], answers: [Result<Answer, any Error>])>(([], []))

  /// - Parameter usual: the answer when the test asked for no other.
  package init(usual: Answer) { self.usual = usual }

  /// Everything that was sent, the oldest first.
  package var sent: [Sent] { state.withLock { $0.sent } }

  /// The next answers, in order.
  package func next(_ answers: Result<Answer, any Error>...) { state.withLock { $0.answers += answers } }

  package func answer(_ sent: Sent) throws -> Answer {
    try state.withLock { state in
      state.sent.append(sent)
      return state.answers.isEmpty ? .success(usual) : state.answers.removeFirst()
    }.get()
  }
}
