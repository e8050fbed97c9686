// SPDX-License-Identifier: Apache-2.0

import Kit
import PowerAuthCore
import Storage

/// How a `CUSTOM` activation decides; a flow supplies one. Both closures run inside the transaction that creates the
/// activation, so that what a flow decides and what it leaves behind commit together.
package struct CustomActivationProvider: Sendable {
  /// Says for whom. A refusal is a value, not an error: what it counted has to commit.
  package let authorize: @Sendable (CustomActivationRequest, any SQLTransaction) throws -> CustomGrant
  /// Runs when the activation is written.
  package let created: @Sendable (Activation, CustomActivationRequest, any SQLTransaction) throws -> Void

  package init(
    authorize: @escaping @Sendable (CustomActivationRequest, any SQLTransaction) throws -> CustomGrant,
    created: @escaping @Sendable (Activation, CustomActivationRequest, any SQLTransaction) throws -> Void
  ) {
    self.authorize = authorize
    self.created = created
  }
}

/// What a device sent with a custom activation.
package struct CustomActivationRequest: Sendable {
  /// Free; onboarding sends `processId`, `otpCode` and `credentialsType`.
  package let identity: [String: String]
  package let attributes: [String: JSONValue]?
  package let application: PowerAuthApplication
}

package enum CustomGrant: Sendable {
  case granted(CustomActivationGrant)
  case refused(remainingAttempts: Int?)
  /// The attributes are for another provider.
  case notMine
}

package struct CustomActivationGrant: Sendable {
  package var user: String
  package var flags: [String]
  /// Active at once; otherwise it has to be committed.
  package var commitsItself: Bool
  /// Sent back beside the activation.
  package var attributes: [String: JSONValue]?
  package var externalID: String?

  package init(
    user: String, flags: [String] = [], commitsItself: Bool = true, attributes: [String: JSONValue]? = nil,
    externalID: String? = nil
  ) {
    self.user = user
    self.flags = flags
    self.commitsItself = commitsItself
    self.attributes = attributes
    self.externalID = externalID
  }
}
