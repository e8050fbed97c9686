// SPDX-License-Identifier: Apache-2.0

import FinapticWire
import Foundation
import Kit
import Storage

/// The port to the company that makes cards of tenants with real customers. The worker calls it. It may be asked twice
/// for one card, and then makes one.
package struct CardIssuer: Sendable {
  /// What is asked for.
  package struct Order: Sendable {
    /// Our id of the card; the issuer's idempotency key.
    package let card: String
    package let tenant: Int
    /// `CARD_TYPE_PREPAID`.
    package let type: String
    package let nameOnCard: String
    package let billingAddress: FinapticAPI.Address?
  }

  /// What the issuer made. Never logged.
  package struct Issued: Sendable {
    /// What the processor knows the card by.
    package let reference: String
    package let number: String
    package let expiryYear: Int
    package let expiryMonth: Int

    package init(reference: String, number: String, expiryYear: Int, expiryMonth: Int) {
      (self.reference, self.number) = (reference, number)
      (self.expiryYear, self.expiryMonth) = (expiryYear, expiryMonth)
    }
  }

  /// Whether it makes cards of a tenant.
  package let serves: @Sendable (_ tenant: Int, any SQLTransaction) throws -> Bool
  /// - Throws: a `FinalFailure` when repeating cannot help, anything else when it may.
  package let issue: @Sendable (Order) async throws -> Issued
  /// The security code of a card, by the reference that the issuer gave it: asked for each time, and stored nowhere.
  package let securityCode: @Sendable (_ reference: String, _ tenant: Int) async throws -> String

  package init(
    issue: @escaping @Sendable (Order) async throws -> Issued,
    securityCode: @escaping @Sendable (_ reference: String, _ tenant: Int) async throws -> String = { _, _ in
      throw Problem.unavailable
    },
    serves: @escaping @Sendable (_ tenant: Int, any SQLTransaction) throws -> Bool = { _, _ in true }
  ) { (self.serves, self.issue, self.securityCode) = (serves, issue, securityCode) }
}

/// What is known of a card's number, sealed where it is stored.
struct CardSecrets: Sendable, Codable {
  let number: String
  let expiry: CardExpiry
}

/// Makes the cards of sandbox tenants: of a range that card networks document for tests, so that no number belongs to a
/// real card.
struct SandboxIssuer: Sendable {
  /// Mastercard's numbers for tests begin with it, such as 2223 0000 4840 0011.
  static let range = "222300"
  static let lifetimeMonths = 36

  let world: World

  /// - Throws: `AgeOfMajority.Unknown` on a machine without the data of time zones.
  func issue() throws -> (reference: String, secrets: CardSecrets) {
    let today = try AgeOfMajority().today(at: world.now())
    let payload = Self.range + (0..<9).map { _ in String(world.number(below: 10)) }.joined()
    return (
      world.randomUUID(),
      CardSecrets(
        number: CardNumber(payload: payload).digits,
        expiry: CardExpiry(months: Self.lifetimeMonths, after: today))
    )
  }
}
