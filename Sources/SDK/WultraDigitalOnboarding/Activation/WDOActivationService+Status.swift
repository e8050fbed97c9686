// SPDX-License-Identifier: Apache-2.0

internal import WultraWire

extension WDOActivationService {
  /// How far a process has come.
  public enum Status: Sendable, Hashable, CaseIterable, CustomStringConvertible {
    /// The device is not activated yet.
    case activationInProgress
    /// The device is activated, the user is being verified.
    case verificationInProgress
    /// It came to nothing: begin another.
    case failed
    /// The user is verified.
    case finished

    /// - Returns: nil for a word that this version does not know.
    init?(_ status: Wultra.OnboardingStatus) {
      switch status {
      case .activationInProgress: self = .activationInProgress
      case .verificationInProgress: self = .verificationInProgress
      case .failed: self = .failed
      case .finished: self = .finished
      default: return nil
      }
    }

    /// The published words.
    public var description: String {
      let name =
        switch self {
        case .activationInProgress: "activationInProgress"
        case .verificationInProgress: "verificationInProgress"
        case .failed: "failed"
        case .finished: "finished"
        }
      return "WDOOnboardingService.Status.\(name)"
    }
  }
}
