internal import WultraPowerAuthNetworking

extension WDOVerificationService {
  /// What to show, from now until the verification is over: `success` and `endstate` are the last ones.
  ///
  /// What the calls of this object find out comes here, too. While the server works it is asked, less and less often;
  /// while it is the user's turn nobody is asked. Cancelling the task ends it.
  public func states(policy: WDOPollingPolicy = WDOPollingPolicy()) -> WDOVerificationStates {
    WDOVerificationStates(service: self, policy: policy)
  }
}

/// What to show, one state after the other. A `processing` that goes on comes once.
///
/// Fails when the server refuses without saying what to show, and when it cannot be reached too often.
public struct WDOVerificationStates: AsyncSequence, Sendable {
  public typealias Element = WDOVerificationState
  public typealias Failure = WDOVerificationService.Fail

  let service: WDOVerificationService
  let policy: WDOPollingPolicy

  public func makeAsyncIterator() -> Iterator { Iterator(service: service, policy: policy) }

  public struct Iterator: AsyncIteratorProtocol {
    private let service: WDOVerificationService
    private let policy: WDOPollingPolicy
    private var current: WDOVerificationState?
    private var seen = 0
    private var polls = 0
    private var failures = 0
    private var isOver = false

    init(service: WDOVerificationService, policy: WDOPollingPolicy) {
      self.service = service
      self.policy = policy
    }

    public mutating func next() async throws(Failure) -> WDOVerificationState? {
      try await next(isolation: nil)
    }

    public mutating func next(isolation actor: isolated (any Actor)?) async throws(Failure) -> WDOVerificationState? {
      while !isOver, !Task.isCancelled {
        guard let report = try await news(actor) else { continue }
        seen = report.number
        let isSame = isStillWaiting(for: report.state)
        current = report.state
        if isSame { continue }
        polls = 0
        switch report.state {
        case .success, .endstate: isOver = true
        default: break
        }
        return report.state
      }
      isOver = true
      return nil
    }

    /// What came next; nil to look again.
    private mutating func news(_ actor: isolated (any Actor)?) async throws(Failure) -> StateReports.Report? {
      switch current {
      case nil: return try await ask(actor)
      case .processing:
        try? await service.calls.pause(for: policy.delay(after: polls))
        polls += 1
        return Task.isCancelled ? nil : try await ask(actor)
      default: return await service.reports.next(after: seen)
      }
    }

    private mutating func ask(_ actor: isolated (any Actor)?) async throws(Failure) -> StateReports.Report? {
      do throws(Failure) {
        _ = try await service.status()
        failures = 0
      } catch {
        if error.cause.reason == .canceled { return nil }
        if error.state == nil {
          failures += 1
          guard Self.isPassing(error.cause), failures <= policy.failuresMax else {
            isOver = true
            throw error
          }
          // Asked again, after a wait, until it is known what to show.
          try? await service.calls.pause(for: policy.delay(after: failures))
          return nil
        }
      }
      return service.reports.latest
    }

    private func isStillWaiting(for state: WDOVerificationState) -> Bool {
      guard case .processing(let before) = current, case .processing(let now) = state else { return false }
      return before == now
    }

    /// Whether the same may work a moment later.
    private static func isPassing(_ error: WPNError) -> Bool {
      error.networkIsNotReachable || error.reason == .network_timeOut || [502, 503, 504].contains(error.httpStatusCode)
        || (error.reason == .network_generic && error.httpStatusCode == nil)
    }
  }
}
