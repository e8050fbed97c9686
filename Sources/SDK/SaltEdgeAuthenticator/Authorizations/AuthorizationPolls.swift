// SPDX-License-Identifier: Apache-2.0

internal import GatehouseTransport

extension Authenticator {
  /// The list of all connections, now and every three seconds (specification §10.5). Ends when its task is cancelled or
  /// the app is locked: start anew when the screen comes back.
  public nonisolated var authorizationUpdates: AuthorizationUpdates { AuthorizationUpdates(authenticator: self) }

  /// One authorization, now and every three seconds until it is over; its last element is final. A failure that may
  /// pass is waited through.
  public nonisolated func updates(of id: Authorization.ID) -> AuthorizationProgress {
    AuthorizationProgress(authenticator: self, id: id)
  }
}

/// Snapshots of the list of authorizations. Nothing runs between two elements, and nothing but the task that asks.
public struct AuthorizationUpdates: AsyncSequence, Sendable {
  /// Everything there is, at each poll.
  public typealias Element = AuthorizationSnapshot
  /// The one kind of error of this module.
  public typealias Failure = AuthenticatorError

  let authenticator: Authenticator

  /// Begins to poll when it is first asked.
  public func makeAsyncIterator() -> Iterator { Iterator(authenticator: authenticator) }

  /// One polling screen.
  public struct Iterator: AsyncIteratorProtocol {
    let authenticator: Authenticator
    private var hasBegun = false

    init(authenticator: Authenticator) { self.authenticator = authenticator }

    /// - Throws: `outOfOrder` when the app is locked, `store`.
    public mutating func next(
      isolation actor: isolated (any Actor)? = #isolation
    ) async throws(AuthenticatorError) -> AuthorizationSnapshot? {
      if hasBegun {
        guard await authenticator.waitForPoll() else { return nil }
      } else {
        hasBegun = true
        await authenticator.clearList()
      }
      let snapshot = try await authenticator.authorizations()
      return Task.isCancelled ? nil : snapshot
    }

    /// The same, for who knows no isolation.
    public mutating func next() async throws -> AuthorizationSnapshot? { try await next(isolation: nil) }
  }
}

/// What becomes of one authorization.
public struct AuthorizationProgress: AsyncSequence, Sendable {
  /// The authorization as it stands.
  public typealias Element = Authorization
  /// The one kind of error of this module.
  public typealias Failure = AuthenticatorError

  let authenticator: Authenticator
  let id: Authorization.ID

  /// Begins to poll when it is first asked.
  public func makeAsyncIterator() -> Iterator { Iterator(authenticator: authenticator, id: id) }

  /// One polling screen.
  public struct Iterator: AsyncIteratorProtocol {
    let authenticator: Authenticator
    let id: Authorization.ID
    private var last: Authorization?
    private var isOver = false

    init(authenticator: Authenticator, id: Authorization.ID) { (self.authenticator, self.id) = (authenticator, id) }

    /// - Throws: what asking failed with, when it will not pass or passed too often.
    public mutating func next(
      isolation actor: isolated (any Actor)? = #isolation
    ) async throws(AuthenticatorError) -> Authorization? {
      guard !isOver else { return nil }
      var failures = 0
      var waits = last != nil
      while true {
        if waits {
          guard await authenticator.waitForPoll() else { return nil }
        }
        waits = true
        do throws(AuthenticatorError) {
          let fresh = try await authenticator.authorization(id)
          (last, isOver) = (fresh, fresh.state.isFinal)
          return fresh
        } catch {
          if let ended = await authenticator.ending(of: last, after: error) {
            (last, isOver) = (ended, true)
            return ended
          }
          failures += 1
          guard error.isTransient, failures < authenticator.setup.policy.pollFailuresMax else {
            isOver = true
            throw error
          }
        }
      }
    }

    /// The same, for who knows no isolation.
    public mutating func next() async throws -> Authorization? { try await next(isolation: nil) }
  }
}

extension Authenticator {
  /// - Returns: false when the task was cancelled meanwhile.
  func waitForPoll() async -> Bool {
    do {
      try await clock.pause(for: setup.policy.pollInterval)
      return !Task.isCancelled
    } catch {
      return false
    }
  }

  func clearList() { list.clear() }

  /// How an authorization that was shown ended, when a failure to fetch it shows that.
  func ending(of last: Authorization?, after error: AuthenticatorError) -> Authorization? {
    guard var ended = last else { return nil }
    // Decided here: its service does not tell v1's any more.
    if let row = list[ended.id], row.state.isFinal { return row }
    if ended.isExpired(at: now), ended.state == .pending {
      ended.state = .timeOut
    } else if [.authorizationNotFound, .authorizationOver].contains(error.errorClass) {
      ended.state = .unavailable
    } else {
      return nil
    }
    return ended
  }
}
