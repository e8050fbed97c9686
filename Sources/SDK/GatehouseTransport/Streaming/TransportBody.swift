// SPDX-License-Identifier: Apache-2.0

public import Foundation
internal import Locks

/// The body of an answer as it arrives. One reader at a time; what a cancelled reader waited for stays for the next. The
/// exchange ends when the last reference to the body is released.
public final class TransportBody: Sendable {
  /// Bytes that may wait for a reader.
  public static let unreadMax = 1024 * 1024

  fileprivate typealias Waiter = CheckedContinuation<Result<Data?, TransportError>, Never>

  fileprivate struct State: Sendable {
    var unread = Data()
    /// Nil while more may come; `.success` is the end in order.
    var end: Result<Void, TransportError>?
    var waiter: (number: Int, continuation: Waiter)?
    var waiters = 0
    var cancelled: Set<Int> = []
  }

  /// Where the parts come from: the network, or a test.
  public final class Source: Sendable {
    private let state = Guarded(State())

    fileprivate init() {}

    /// Adds a part.
    /// - Returns: false when too much waits to be read, or the body has ended: the exchange is of no use any more.
    @discardableResult
    public func add(_ part: Data) -> Bool {
      let (waiter, isTaken) = state.withLock { state -> ((Waiter, Result<Data?, TransportError>)?, Bool) in
        guard state.end == nil else { return (nil, false) }
        state.unread.append(part)
        let fits = state.unread.count <= TransportBody.unreadMax
        if !fits {
          state.unread = Data()
          state.end = .failure(TransportError(.answerTooLarge))
        }
        return (state.ready(), fits)
      }
      waiter?.0.resume(returning: waiter?.1 ?? .success(nil))
      return isTaken
    }

    /// Ends the body; what has arrived can still be read.
    /// - Parameter error: nil for an end in order.
    public func end(_ error: TransportError? = nil) {
      let waiter = state.withLock { state -> (Waiter, Result<Data?, TransportError>)? in
        if state.end == nil { state.end = error.map { .failure($0) } ?? .success(()) }
        return state.ready()
      }
      waiter?.0.resume(returning: waiter?.1 ?? .success(nil))
    }

    fileprivate func next() async -> Result<Data?, TransportError> {
      let number = state.withLock { state in
        state.waiters += 1
        return state.waiters
      }
      return await withTaskCancellationHandler {
        await withCheckedContinuation { continuation in
          let answer = state.withLock { state -> Result<Data?, TransportError>? in
            if let answer = state.take() { return answer }
            if state.cancelled.remove(number) != nil { return .failure(TransportError(.cancelled)) }
            precondition(state.waiter == nil, "a body has one reader at a time")
            state.waiter = (number, continuation)
            return nil
          }
          if let answer { continuation.resume(returning: answer) }
        }
      } onCancel: {
        let waiter = state.withLock { state -> Waiter? in
          guard state.waiter?.number == number else {
            state.cancelled.insert(number)
            return nil
          }
          defer { state.waiter = nil }
          return state.waiter?.continuation
        }
        waiter?.resume(returning: .failure(TransportError(.cancelled)))
      }
    }
  }

  private let source: Source
  private let close: @Sendable () -> Void

  private init(_ source: Source, close: @escaping @Sendable () -> Void) {
    self.source = source
    self.close = close
  }

  deinit { close() }

  /// Creates a body and where its parts come from.
  /// - Parameter close: is called when the last reference to the body is released.
  public static func make(close: @escaping @Sendable () -> Void = {}) -> (body: TransportBody, source: Source) {
    let source = Source()
    return (TransportBody(source, close: close), source)
  }

  /// What has arrived since the last call, as soon as anything has.
  /// - Returns: nil at the end.
  /// - Throws: `TransportError`; `cancelled` when the task is, which ends nothing.
  public func next() async throws(TransportError) -> Data? { try await source.next().get() }
}

extension TransportBody.State {
  /// What a reader gets now; nil when there is nothing.
  fileprivate mutating func take() -> Result<Data?, TransportError>? {
    guard unread.isEmpty else {
      defer { unread = Data() }
      return .success(unread)
    }
    return end.map { end in end.map { nil } }
  }

  /// The reader who waits, if there is something for them.
  fileprivate mutating func ready() -> (TransportBody.Waiter, Result<Data?, TransportError>)? {
    guard let waiter, let answer = take() else { return nil }
    self.waiter = nil
    return (waiter.continuation, answer)
  }
}
