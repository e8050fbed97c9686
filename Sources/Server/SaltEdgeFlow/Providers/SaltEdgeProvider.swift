// SPDX-License-Identifier: Apache-2.0

import Identity
import Kit
import SaltEdgeCore
import Storage

/// A bank that customers connect their devices to.
package struct SaltEdgeProvider: Sendable {
  package typealias ID = Identifier<SaltEdgeProvider>

  /// Where the bank's side of v2 is.
  package enum Kind: String, Sendable, CaseIterable, SQLConvertible {
    /// A server of its own, which alone can read what its customers are shown and what they answer.
    case remote
    /// Here: the bank has no connector and uses the provider API.
    case hosted
  }

  package let id: ID
  package let tenant: String
  /// Whose credentials may use the provider API in its name.
  package var client: ServiceClient.ID
  package let code: String
  package let name: String
  package let kind: Kind
  /// Base of the bank's own calls; of a hosted bank nil.
  package var baseURL: String?
  /// Of a hosted bank: the page where customers sign in to connect a device; nil when they only come with a query.
  package var loginURL: String?
  package var logoURL: String?
  package let supportEmail: String
  /// True: a place must be sent; false: it may be; nil: it is of no use.
  package var requiresGeolocation: Bool?
  /// SubjectPublicKeyInfo in PEM.
  package var publicKey: String
  package var webhookURL: String?
  /// Schemes of apps that the token may go to, in lower case; besides them `https` of the bank's own hosts.
  package var returnSchemes = [DeepLink.scheme]
  /// Whether the bank may ask for what picking up is all it takes, as for signing in.
  package var allowsUnconfirmed = false
  /// Since when an operator keeps it out; nil when it may do everything.
  package var suspendedAt: Instant?
  package let createdAt: Instant

  /// By which its webhooks are known.
  package var webhooks: TenantID { TenantID("saltedge", code) }
}
