// SPDX-License-Identifier: Apache-2.0

public import RubixWire

/// What to show after the start of the app and after every call (rubix-onboarding §9).
public enum Resumption: Sendable, Equatable {
  /// No application on this device, or none that the server lets us into: register.
  case startFresh
  /// This call is next; `NextStep.screen` says which of ours it is.
  case `continue`(NextStep)
  /// Nothing to do for the customer now.
  case waiting(WaitingReason)
  /// Over: completed, rejected, abandoned or expired.
  case finished(OnboardingStatus)
}

/// Whom the application waits for.
public enum WaitingReason: Sendable, Equatable {
  /// People at the institution look at it.
  case review
  /// The call with an agent, when one is booked.
  case agentCall(AppointmentView?)
  /// The server says no more.
  case unspecified
}

extension RubixOnboarding {
  /// Asks the server where the application stands. The app never decides it from memory (§9).
  public func resume() async throws(RubixError) -> Resumption {
    guard try await refresher.current() != nil else { return .startFresh }
    do throws(RubixError) {
      return Resumption(try await me())
    } catch .sessionLost {
      return .startFresh
    }
  }
}

extension Resumption {
  /// What a view of the application means for the app.
  public init(_ view: OnboardingView) {
    let ended: [OnboardingStatus] = [.completed, .rejected, .abandoned, .expired]
    if ended.contains(view.status) {
      self = .finished(view.status)
    } else if let next = view.nextSteps.first {
      self = next.screen == .agentVerification ? .waiting(.agentCall(view.appointment)) : .continue(next)
    } else if let call = view.appointment, call.reason != .help, [.scheduled, .inCall].contains(call.status) {
      // Once the call is booked the server asks the customer for nothing more.
      self = .waiting(.agentCall(call))
    } else {
      self = .waiting(view.status == .inReview ? .review : .unspecified)
    }
  }
}
