// SPDX-License-Identifier: Apache-2.0

internal import Locks

/// How a call ended.
struct CallOutcome: Sendable, Equatable {
  let stage: OAAction
  var error: OAError?

  var isSuccess: Bool { error == nil }

  func get() throws(OAError) -> OAAction {
    if let error { throw error }
    return stage
  }
}

/// Calls of one `OAActivation`: worked on in their order, each of them answered once (specification §4.4).
final class CallQueue: Sendable {
  typealias Work = @Sendable (Activation) async throws(OAError) -> OAAction
  typealias Answer = @Sendable (CallOutcome) -> Void

  private struct Call {
    let answer: Answer
    let isScreen: Bool
    var task: Task<Void, Never>?
  }

  private struct State {
    /// Nil before `initializeSDK`.
    var activation: Activation?
    /// The last stage that was delivered with success.
    var stage = OAAction.initializedSDK
    var (tickets, open) = (0, [Int: Call]())
    /// The call that was made last.
    var last: Task<Void, Never>?
  }

  private let state = Guarded(State())
  private let deliver: @Sendable (@escaping @Sendable () -> Void) -> Void

  init(deliver: @escaping @Sendable (@escaping @Sendable () -> Void) -> Void) { self.deliver = deliver }

  var activation: Activation? { state.withLock { $0.activation } }
  var stage: OAAction { state.withLock { $0.stage } }

  /// A name for a call that is about to be made.
  func ticket() -> Int {
    state.withLock { state in
      state.tickets += 1
      return state.tickets
    }
  }

  /// Makes the call when those before it are done.
  func begin(_ ticket: Int, ofScreen isScreen: Bool = false, _ work: @escaping Work, answer: @escaping Answer) {
    let refusal: CallOutcome? = state.withLock { state in
      guard let activation = state.activation else { return .init(stage: state.stage, error: .ERROR_EMPTY_TOKEN) }
      if isScreen, state.open.values.contains(where: \.isScreen) {
        return .init(stage: state.stage, error: .ERROR_UNABLE_TO_PROCESS_DESC)
      }
      let before = state.last
      let task = Task {
        await before?.value
        let outcome: Result<OAAction, OAError>
        do throws(OAError) {
          guard !Task.isCancelled else { throw .ERROR_UNABLE_TO_PROCESS_DESC }
          outcome = .success(try await work(activation))
        } catch {
          outcome = .failure(error)
        }
        self.end(ticket, outcome)
      }
      state.open[ticket] = Call(answer: answer, isScreen: isScreen, task: task)
      state.last = task
      return nil
    }
    if let refusal { deliver { answer(refusal) } }
  }

  /// Asks a call to end early. It is answered all the same.
  func cancel(_ ticket: Int) { state.withLock { $0.open[ticket]?.task }?.cancel() }

  /// Begins anew: what was not answered yet is answered with 4006.
  func reset(to activation: Activation) {
    let (calls, outcome) = state.withLock { state in
      let calls = state.open.sorted { $0.key < $1.key }.map(\.value)
      let outcome = CallOutcome(stage: state.stage, error: .ERROR_UNABLE_TO_PROCESS_DESC)
      (state.activation, state.stage, state.open, state.last) = (activation, .initializedSDK, [:], nil)
      return (calls, outcome)
    }
    for call in calls {
      call.task?.cancel()
      deliver { call.answer(outcome) }
    }
  }

  private func end(_ ticket: Int, _ result: Result<OAAction, OAError>) {
    let ended: (Answer, CallOutcome)? = state.withLock { state in
      // It was answered when everything began anew.
      guard let call = state.open.removeValue(forKey: ticket) else { return nil }
      switch result {
      case .success(let stage):
        state.stage = stage
        return (call.answer, CallOutcome(stage: stage))
      case .failure(let error): return (call.answer, CallOutcome(stage: state.stage, error: error))
      }
    }
    if let (answer, outcome) = ended { deliver { answer(outcome) } }
  }
}
