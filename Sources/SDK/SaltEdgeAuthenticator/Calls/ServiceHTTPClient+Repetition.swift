// SPDX-License-Identifier: Apache-2.0

internal import GatehouseTransport

/// After which failures a call is tried again (specification §16: no connection, no answer in time, 5xx).
enum Repetition: Sendable {
  /// Those after which the service has done nothing: it was not reached, or says that it could not.
  case whereNothingWasDone
  /// Also those that leave open what was done: doing it twice does no more than doing it once.
  case whereDoneTwiceIsOnce

  func allows(_ error: AuthenticatorError) -> Bool {
    switch error.kind {
    case .transport(let cause):
      switch cause.code {
      case .unreachable: true
      case .timedOut, .connectionLost: self == .whereDoneTwiceIsOnce
      // Without a network the user is told at once.
      default: false
      }
    case .refused(let status), .unreadable(let status): (500...599).contains(status)
    default: false
    }
  }
}

extension ServiceHTTPClient {
  /// Sends the call, and again after the pauses, as long as the failure allows it. Every attempt is written and signed
  /// anew, so that none is the replay of another.
  /// - Throws: the last failure; the first one that left it open what was done, when the service refuses the
  ///   repetition.
  func send<Answer>(
    _ call: ServiceCall<Answer>, repeating repetition: Repetition, after delays: [Duration]
  ) async throws(AuthenticatorError) -> Answer {
    var (left, open) = (delays[...], AuthenticatorError?.none)
    while true {
      let failure: AuthenticatorError
      do throws(AuthenticatorError) { return try await send(call) } catch { failure = error }
      guard repetition.allows(failure), let delay = left.popFirst() else {
        if case .refused(let status) = failure.kind, status < 500, let open { throw open }
        throw failure
      }
      if open == nil, case .transport(let cause) = failure.kind, cause.code != .unreachable { open = failure }
      do { try await clock.pause(for: delay) } catch { throw AuthenticatorError(TransportError(.cancelled)) }
    }
  }
}
