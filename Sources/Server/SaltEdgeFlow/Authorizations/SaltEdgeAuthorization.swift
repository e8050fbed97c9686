// SPDX-License-Identifier: Apache-2.0

import Foundation
import Kit
import SaltEdgeWire

/// Something that a bank wants confirmed: what its authorizations on the customer's devices have in common.
package struct SaltEdgeAction: Sendable {
  package typealias ID = Identifier<SaltEdgeAction>

  let id: ID
  let provider: SaltEdgeProvider.ID
  /// The bank's name for it.
  let reference: String
  let userDigest: String?
  /// Whether the bank may add questions, which are decided independently.
  var isMultiple: Bool
  /// Of what it was created from, to know a repetition.
  let contentDigest: String
  var expiresAt: Instant
  let createdAt: Instant
  var isOpen = true
}

/// An action on one device (v2). What it says is for the device alone: neither this code nor the store can read it.
package struct SaltEdgeAuthorization: Sendable {
  package typealias ID = Identifier<SaltEdgeAuthorization>

  let id: ID
  let action: SaltEdgeAction.ID
  /// The bank's name for the action.
  let reference: String
  let provider: SaltEdgeProvider.ID
  let connection: SaltEdgeConnection.ID
  package var state: AuthorizationState
  let payload: SaltEdge.Ciphertext
  let expiresAt: Instant
  let createdAt: Instant
  /// When it came to a final state, or to be closed.
  var finishedAt: Instant?
  var decision: SignedDecision?
  /// How often the decision was sent to the bank in vain.
  var forwardAttempts = 0
  /// What its bank showed by the same request on one device each has the same one: it is one question. Nil when the
  /// request held several for one device.
  var addition: String?
  var version = 0

  /// As the clock has it: what expired and was not swept yet.
  func seen(at now: Instant) -> SaltEdgeAuthorization {
    guard state == .pending, expiresAt <= now else { return self }
    var seen = self
    (seen.state, seen.finishedAt) = (.timedOut, expiresAt)
    return seen
  }
}

/// What a device signed, as it came: the evidence of a decision, and what the bank is sent.
struct SignedDecision: Sendable, Codable {
  let body: Data
  let signature: String
  let at: Instant
}
