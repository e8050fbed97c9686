// SPDX-License-Identifier: Apache-2.0

import Kit
import Storage

/// Another server of an institution, which calls our back-end API with credentials of its own.
package struct ServiceClient: Sendable, Equatable {
  package typealias ID = Identifier<ServiceClient>

  /// What a client may do.
  package enum Scope: String, Sendable, CaseIterable, Comparable, SQLConvertible {
    /// Act in the name of one bank: its customers confirm with the Authenticator, or have accounts by Finaptic.
    case bank
    /// Create, change and look at what belongs to its tenant.
    case manage
    /// Book credits, debits, corrections and holds on accounts of its tenant's customers.
    case post
    /// Tell, as the processor of a card issuer, what its tenant's cards pay.
    case issue
    /// Bring, as its tenant's connector to Interac, money that its customers are sent.
    case interac
    /// Hand over messages of other banks, and fetch those that other banks are to get.
    case payments
    /// Agree, as the second of two, to what another one asks for: large postings, terms, and letting accounts pay again.
    case approve
    /// Have signatures and tokens of its tenant's customers verified.
    case verify
    /// Sell plans in the name of its partner, and follow them.
    case sell
    /// Look at photos of its tenant's customers and decide on them.
    case review
    /// Answer its tenant's customers in conversations.
    case chat
    /// Play the outside world to a sandbox tenant: arm faults, read its mail.
    case sandbox
    /// Search the screening lists of the installation.
    case screen

    package static func < (one: Scope, other: Scope) -> Bool { one.rawValue < other.rawValue }
  }

  package let id: ID
  package let tenant: String
  /// For people: which server it is.
  package let name: String
  package let scopes: Set<Scope>
  package let createdAt: Instant
  /// Nil while it may call.
  package let revokedAt: Instant?

  /// How audit lines name it.
  package var actor: String { "\(Self.actorPrefix)\(id)" }
  static let actorPrefix = "client:"

  /// - Throws: `Problem` forbidden.
  package func require(_ scope: Scope) throws {
    guard scopes.contains(scope) else {
      throw Problem(.forbidden, "forbidden", "This client does not have the scope \(scope.rawValue).")
    }
  }
}

/// A secret that was just made: the only moment at which anybody sees it.
package struct IssuedSecret: Sendable {
  package let client: ServiceClient
  /// `ghc_` and 43 characters: 32 random bytes.
  package let secret: String
  /// Until when the secrets before this one are taken; nil when there were none.
  package let earlierUntil: Instant?
}
