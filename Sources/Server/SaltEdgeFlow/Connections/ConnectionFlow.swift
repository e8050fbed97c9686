// SPDX-License-Identifier: Apache-2.0

import Kit
import Storage

/// Where a connection stands; in v2 the words of its wire (saltedge-authenticator §5.4).
package enum ConnectionState: String, Sendable, CaseIterable, SQLConvertible {
  case authenticating = "authentication_pending"
  case failed = "authentication_fail"
  case valid
  case revoked
}

package enum ConnectionEvent: String, Sendable, CaseIterable {
  case authenticated, authenticationFailed
  /// The customer did not sign in in time.
  case lapsed
  /// The time of its token ran out.
  case expired
  case revokedByDevice, revokedByProvider
}

package enum ConnectionEffect: String, Sendable {
  /// The bank learns that a device of its customer is gone.
  case tellRevocation
}

/// The life of a connection between a device, a customer and a bank. Diagram:
/// docs/flows/saltedge-connection.mmd.
package let connectionFlow: TransitionTable<ConnectionState, ConnectionEvent, ConnectionEffect> = .init([
  .init(.authenticating, on: .authenticated, to: .valid),
  .init(.authenticating, on: .authenticationFailed, to: .failed),
  .init(.authenticating, on: .lapsed, to: .failed),
  .init(.authenticating, on: .revokedByProvider, to: .revoked),
  .init(.valid, on: .expired, to: .revoked, do: .tellRevocation),
  .init(.valid, on: .revokedByDevice, to: .revoked, do: .tellRevocation),
  .init(.valid, on: .revokedByProvider, to: .revoked),
])
