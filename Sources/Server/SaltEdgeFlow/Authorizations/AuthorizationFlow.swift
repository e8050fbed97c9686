// SPDX-License-Identifier: Apache-2.0

import Kit
import Storage

/// Where an authorization of v2 stands; the words of its wire (saltedge-authenticator §5.6).
package enum AuthorizationState: String, Sendable, CaseIterable, SQLConvertible {
  case pending
  case confirming = "confirm_processing"
  case denying = "deny_processing"
  case confirmed, denied
  case failed = "error"
  /// The bank's answer to the decision is unknown.
  case unavailable
  case timedOut = "time_out"
  case closed
}

package enum AuthorizationEvent: String, Sendable, CaseIterable {
  case confirmed, denied
  case acceptedByBank, refusedByBank
  /// The bank may have acted on the decision, and its answer was lost.
  case outcomeLost
  case expired
  /// By the bank, by another device's decision, or because its device is gone.
  case withdrawn
}

package enum AuthorizationEffect: String, Sendable {
  case forwardDecision
}

/// The life of an authorization on one device (saltedge-authenticator §5.7). Diagram:
/// docs/flows/saltedge-authorization.mmd.
package let authorizationFlow: TransitionTable<AuthorizationState, AuthorizationEvent, AuthorizationEffect> = .init([
  .init(.pending, on: .confirmed, to: .confirming, do: .forwardDecision),
  .init(.pending, on: .denied, to: .denying, do: .forwardDecision),
  .init(.pending, on: .expired, to: .timedOut),
  .init(.pending, on: .withdrawn, to: .closed),
  .init(.confirming, on: .acceptedByBank, to: .confirmed),
  .init(.confirming, on: .refusedByBank, to: .failed),
  .init(.confirming, on: .outcomeLost, to: .unavailable),
  .init(.denying, on: .acceptedByBank, to: .denied),
  .init(.denying, on: .refusedByBank, to: .failed),
  .init(.denying, on: .outcomeLost, to: .unavailable),
])
