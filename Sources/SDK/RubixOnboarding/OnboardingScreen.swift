// SPDX-License-Identifier: Apache-2.0

public import RubixWire

/// The call behind a `NextStep`, one case per screen of an app. Closed: switch over it.
public enum OnboardingScreen: Sendable, Hashable {
  /// `createSession()`.
  case session
  /// `uploadSelfie(_:subType:)`, three times.
  case selfie
  /// `uploadLiveness(_:)`.
  case liveness
  /// `upload(_:file:)`.
  case uploadDocument(DocumentKind)
  /// `process(_:)`.
  case processDocument(DocumentKind)
  /// `verifyDocuments()`.
  case verifyDocuments
  /// `sendOTP(_:)`.
  case sendOTP(OTPChannel)
  /// `verifyOTP(_:code:)`.
  case verifyOTP(OTPChannel)
  /// `screenAML()`.
  case screening
  /// `submitCRS(_:)`.
  case crs
  /// `submitFATCA(_:)`.
  case fatca
  /// `submitKYC(_:)`.
  case kyc
  /// `slots(from:to:)`, then `book(_:)`.
  case appointment
  /// Nothing for the customer: an agent decides.
  case agentVerification
  /// The server asks for something that this version does not know: ask the customer to update the app.
  case updateRequired
}

extension NextStep {
  /// The screen that belongs to the step's path (rubix-onboarding §4.1).
  public var screen: OnboardingScreen {
    let parts = path.split(separator: "/").map(String.init)
    switch (parts.first, parts.count > 1 ? parts[1] : nil, parts.last) {
    case ("sessions", nil, _): return .session
    case ("faces", "selfie", "upload"): return .selfie
    case ("faces", "liveness", "upload"): return .liveness
    case ("documents", "verification", _): return .verifyDocuments
    case ("documents", let kind?, "upload"):
      return DocumentKind(pathComponent: kind).map { .uploadDocument($0) } ?? .updateRequired
    case ("documents", let kind?, "process"):
      return DocumentKind(pathComponent: kind).map { .processDocument($0) } ?? .updateRequired
    case ("otp", let channel?, "send"):
      return OTPChannel(rawValue: channel).map { .sendOTP($0) } ?? .updateRequired
    case ("otp", let channel?, "verify"):
      return OTPChannel(rawValue: channel).map { .verifyOTP($0) } ?? .updateRequired
    case ("aml", "screening", _): return .screening
    case ("compliance", "crs", _): return .crs
    case ("compliance", "fatca", _): return .fatca
    case ("compliance", "kyc", _): return .kyc
    case ("agents", "appointments", _): return .appointment
    case ("agents", "verification", _): return .agentVerification
    default: return .updateRequired
    }
  }
}
