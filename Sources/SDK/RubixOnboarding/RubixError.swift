// SPDX-License-Identifier: Apache-2.0

public import GatehouseTransport
public import GatehouseWire

/// Why a call of the onboarding gave no result. Safe to log: it carries no token, code, name or image; a problem's
/// `detail` is written by the server for people and never repeats what was sent.
public enum RubixError: Error, Sendable, Equatable {
  /// The server said no, and why; `expectedSteps`, `attemptsLeft` and `retryAfterSeconds` tell how to go on.
  case problem(ProblemDetails)
  /// No answer came, also not after the retries. The call may have counted: `resume()` tells.
  case transport(TransportError)
  /// There are no tokens, or the server does not take them any more. Offer a new application (rubix-onboarding §3.5).
  case sessionLost
  /// The answer is not of the agreed shape: where it differs, as a dotted path, or the header that is missing.
  case decoding(String)
  /// The tokens could not be read from or written to the device.
  case tokenStore(SecureStoreError)
}
