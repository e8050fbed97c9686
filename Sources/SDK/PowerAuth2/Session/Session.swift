// SPDX-License-Identifier: Apache-2.0

internal import Foundation
internal import GatehouseTransport
internal import Locks
internal import PowerAuthCore

/// The state of one instance's activation, in memory and in the store, which never run apart: what changes is written
/// first and believed after.
///
/// | state | left by |
/// |---|---|
/// | absent | `beginCreation` |
/// | creating | `completeCreation`, `abandonCreation`, `remove` |
/// | pending | `persist`, `remove` |
/// | active | `remove` |
/// | unreadable | the store is asked again each time, `remove` |
final class Session: Sendable {
  /// One attempt to create an activation: an answer to an abandoned one is not taken.
  final class Attempt: Sendable, Equatable {
    fileprivate let isUndone = Guarded(false)

    static func == (one: Attempt, other: Attempt) -> Bool { one === other }
  }

  fileprivate enum Phase {
    case absent
    case creating(Attempt)
    case pending(PendingActivation, Attempt)
    case active(ActiveActivation)
    /// The store did not answer: this does not mean that there is no activation.
    case unreadable(SecureStoreError)
  }

  private struct State {
    var phase: Phase
  }

  private let storage: ActivationStorage
  private let state: Guarded<State>

  init(_ storage: ActivationStorage) {
    self.storage = storage
    state = Guarded(State(phase: Self.phase(in: storage)))
  }

  private static func phase(in storage: ActivationStorage) -> Phase {
    do throws(SecureStoreError) {
      guard let activation = try storage.load() else { return .absent }
      return .active(activation)
    } catch { return .unreadable(error) }
  }

  private func withState<Value>(_ body: (inout State) throws -> sending Value) rethrows -> sending Value {
    try state.withLock { state in
      if case .unreadable = state.phase { state.phase = Self.phase(in: storage) }
      return try body(&state)
    }
  }

  // MARK: Questions

  var canStartActivation: Bool {
    withState { if case .absent = $0.phase { true } else { false } }
  }

  var hasPendingActivation: Bool {
    withState { state in
      switch state.phase {
      case .creating, .pending: true
      case .absent, .active, .unreadable: false
      }
    }
  }

  var pending: PendingActivation? {
    withState { if case .pending(let pending, _) = $0.phase { pending } else { nil } }
  }

  var activation: ActiveActivation? { try? requireActivation() }

  /// - Throws: `missingActivation`, `activationPending`, or `invalidActivationState` when the store does not answer.
  func requireActivation() throws -> ActiveActivation { try withState { try $0.phase.activation } }

  // MARK: Creation

  /// - Throws: `activationPending`, `invalidActivationState`; `operationCancelled` when the attempt was undone before.
  func beginCreation(_ attempt: Attempt) throws {
    try withState { state in
      guard !attempt.isUndone.withLock({ $0 }) else { throw CallFailure.cancelled }
      switch state.phase {
      case .absent: break
      case .creating, .pending: throw CallFailure.activationPending
      case .active: throw CallFailure(.invalidActivationState, "There is an activation already.")
      case .unreadable(let error): throw CallFailure(error, otherwise: .invalidActivationState)
      }
      state.phase = .creating(attempt)
    }
  }

  /// - Throws: `operationCancelled` when the attempt was abandoned meanwhile.
  func completeCreation(_ attempt: Attempt, _ pending: PendingActivation) throws {
    try withState { state in
      guard case .creating(attempt) = state.phase else { throw CallFailure.cancelled }
      state.phase = .pending(pending, attempt)
    }
  }

  /// Ends an attempt that has had no success.
  func abandonCreation(_ attempt: Attempt) {
    withState { state in
      if case .creating(attempt) = state.phase { state.phase = .absent }
    }
  }

  /// Ends an attempt whose result is not reported, and forgets the pending activation that came of it.
  func undoCreation(_ attempt: Attempt) {
    withState { state in
      attempt.isUndone.withLock { $0 = true }
      switch state.phase {
      case .creating(attempt), .pending(_, attempt): state.phase = .absent
      case .absent, .creating, .pending, .active, .unreadable: break
      }
    }
  }

  /// Makes the pending activation an active one.
  /// - Parameter record: makes what is kept. No other call changes the activation meanwhile.
  /// - Throws: `invalidActivationState` without an activation; what the store throws, and then it is pending still.
  func persist(_ record: (PendingActivation, UnlockKey) throws -> ActivationRecord) throws {
    try withState { state in
      guard case .pending(let pending, _) = state.phase else {
        throw CallFailure(.invalidActivationState, "There is no activation to persist.")
      }
      let possession = try storage.possession()
      let activation = try ActiveActivation(record(pending, possession), possession: possession)
      try storage.save(activation.record)
      state.phase = .active(activation)
    }
  }

  // MARK: Use

  /// Uses up one value of the counter. When this returns, the next one is durable.
  /// - Throws: when the activation is not the one that is meant any more, or the store refuses.
  func takeCounter(of identifier: ActivationIdentifier) throws -> CounterData {
    try withState { state in
      let activation = try state.phase.activation(identifier)
      let counter = try activation.record.counter
      try change(activation, in: &state) { $0.set(counter.next) }
      return counter.data
    }
  }

  /// Changes what is kept of the activation.
  /// - Parameters:
  ///   - edit: sees the activation as it is now; no other call changes it meanwhile.
  ///   - finish: is done once the change is durable, before anybody else sees it.
  /// - Throws: as `takeCounter`, and what the change throws; nothing is changed then.
  func update(
    _ identifier: ActivationIdentifier, _ edit: (inout ActivationRecord) throws -> Void, finish: () -> Void = {}
  ) throws {
    try withState { state in
      try change(try state.phase.activation(identifier), in: &state, edit)
      finish()
    }
  }

  /// Compares the counter with the server's, and adopts the server's if that is what to do (powerauth.md §6.1).
  func synchronizeCounter(
    of identifier: ActivationIdentifier, with status: ActivationStatus
  ) throws -> CounterSynchronization {
    try withState { state in
      let activation = try state.phase.activation(identifier)
      let outcome = CounterSynchronization.resolve(
        try activation.record.counter, status: status, transportKey: activation.transportKey)
      if case .adopt(let counter) = outcome { try change(activation, in: &state) { $0.set(counter) } }
      return outcome
    }
  }

  private func change(
    _ activation: ActiveActivation, in state: inout State, _ edit: (inout ActivationRecord) throws -> Void
  ) throws {
    var record = activation.record
    try edit(&record)
    let changed = try ActiveActivation(record, possession: storage.possession())
    try storage.save(record)
    state.phase = .active(changed)
  }

  /// Forgets the activation, whatever its state. In memory it is gone even when the store refuses; it comes back then
  /// with the next start of the app, unless another took its place.
  /// - Parameters:
  ///   - identifier: of the only activation that is meant; nil for whatever there is.
  ///   - finish: is done once it is gone, before another can come.
  func remove(only identifier: ActivationIdentifier? = nil, finish: (ActiveActivation?) -> Void) {
    withState { state in
      let activation = try? state.phase.activation
      if let identifier, activation?.identifier != identifier { return }
      storage.remove()
      state.phase = .absent
      finish(activation)
    }
  }
}

extension Session.Phase {
  var activation: ActiveActivation {
    get throws(CallFailure) {
      switch self {
      case .active(let activation): return activation
      case .absent: throw .missingActivation
      case .creating, .pending: throw .activationPending
      case .unreadable(let error): throw CallFailure(error, otherwise: .invalidActivationState)
      }
    }
  }

  /// The activation of this name: work that began with an earlier one must not go on with a later one.
  func activation(_ identifier: ActivationIdentifier) throws(CallFailure) -> ActiveActivation {
    let activation = try activation
    guard activation.identifier == identifier else { throw .cancelled }
    return activation
  }
}
