// SPDX-License-Identifier: Apache-2.0

internal import WultraPowerAuthNetworking

extension WDOVerificationService {
  /// What to show, from now until the verification is over: `success` and `endstate` are the last ones.
  ///
  /// What the calls of this object find out comes here, too. The server tells when there is something else to show. One
  /// that cannot tell, or cannot be reached, is asked instead while it works, less and less often; while it is the
  /// user's turn the server is not asked then. Cancelling the task ends it.
  public func states(policy: WDOPollingPolicy = WDOPollingPolicy()) -> WDOVerificationStates {
    WDOVerificationStates(service: self, policy: policy)
  }
}

/// What to show, one state after the other. A state that goes on comes once.
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
    /// Nil without any.
    private var events: VerificationEvents?
    /// There is no connection at the moment.
    private var isUntold = false
    /// An event that came together with something else.
    private var pending: VerificationEvents.Outcome?
    private var current: WDOVerificationState?
    private var seen = 0
    private var polls = 0
    private var failures = 0
    private var isOver = false

    init(service: WDOVerificationService, policy: WDOPollingPolicy) {
      self.service = service
      self.policy = policy
      events = VerificationEvents(networking: service.calls.networking, policy: policy)
    }

    public mutating func next() async throws(Failure) -> WDOVerificationState? {
      try await next(isolation: nil)
    }

    public mutating func next(isolation actor: isolated (any Actor)?) async throws(Failure) -> WDOVerificationState? {
      while !isOver, !Task.isCancelled {
        guard let (report, isAsked) = try await nextReport(actor) else { continue }
        seen = report.number
        let isSame = current.map { report.state.goesOn($0, isAsked: isAsked) } ?? false
        if isSame { continue }
        current = report.state
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

    /// What came next, and whether we asked for it; nil to look again.
    private mutating func nextReport(
      _ actor: isolated (any Actor)?
    ) async throws(Failure) -> (report: StateReports.Report, isAsked: Bool)? {
      guard let current else { return try await ask(actor) }
      if pending == nil {
        var delay: Duration?
        if case .processing = current, events == nil || isUntold { delay = policy.delay(after: polls) }
        let change = await service.change(after: seen, events, atMost: delay)
        pending = change.outcome
        if let report = change.report { return (report, false) }
        if change.isTimeToAsk {
          polls += 1
          return Task.isCancelled ? nil : try await ask(actor)
        }
      }
      defer { pending = nil }
      return try await heed(pending ?? .cancelled, actor)
    }

    private mutating func heed(
      _ outcome: VerificationEvents.Outcome, _ actor: isolated (any Actor)?
    ) async throws(Failure) -> (report: StateReports.Report, isAsked: Bool)? {
      switch outcome {
      case .event(let event):
        isUntold = false
        return service.calls.isNew(event) ? try await ask(actor) : nil
      case .lost: isUntold = true
      case .found: isUntold = false
      case .refused:
        events = nil
        return try await ask(actor)
      case .unavailable: events = nil
      case .cancelled: break
      }
      return nil
    }

    private mutating func ask(
      _ actor: isolated (any Actor)?
    ) async throws(Failure) -> (report: StateReports.Report, isAsked: Bool)? {
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
      return service.reports.latest.map { ($0, true) }
    }

    /// Whether the same may work a moment later.
    private static func isPassing(_ error: WPNError) -> Bool {
      error.networkIsNotReachable || error.reason == .network_timeOut || [502, 503, 504].contains(error.httpStatusCode)
        || (error.reason == .network_generic && error.httpStatusCode == nil)
    }
  }
}
