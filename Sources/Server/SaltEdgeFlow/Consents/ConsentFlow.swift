// SPDX-License-Identifier: Apache-2.0

import Kit
import Storage

package enum ConsentState: String, Sendable, CaseIterable, SQLConvertible {
  case open, revoked
}

package enum ConsentEvent: String, Sendable, CaseIterable {
  case revokedByDevice, revokedByProvider
}

package enum ConsentEffect: String, Sendable {
  /// The bank learns that its customer took the consent back.
  case tellConsentRevocation
}

/// The life of a consent (saltedge-authenticator §4.9, §5.9); that it expired, its instant says. Diagram:
/// docs/flows/saltedge-consent.mmd.
package let consentFlow: TransitionTable<ConsentState, ConsentEvent, ConsentEffect> = .init([
  .init(.open, on: .revokedByDevice, to: .revoked, do: .tellConsentRevocation),
  .init(.open, on: .revokedByProvider, to: .revoked),
])
