// SPDX-License-Identifier: Apache-2.0

import Foundation
import Kit
import Storage

/// The customer whom an identifier names, or an invented one. Both look alike, so that an invitation does not show
/// whether there is such a customer (finaptic §8.10).
///
/// 1. The identifier is looked up as an e-mail address and as a username each time, whether or not the first was found.
/// 2. The invented id is derived with the tenant's secret, so that it cannot be told from a customer's.
/// 3. Until the invitation is accepted, the issuer is shown neither, but an id that follows from the identifier alone:
///    two identifiers of one customer look like those of two customers.
struct InvitationIdentity: Sendable, Equatable {
  static let identifierMax = 254

  /// Id of a customer, or an invented one.
  let customer: String
  let isInvented: Bool
  /// Under which a second invitation finds the first.
  let digest: String

  init(_ identifier: String, tenant: Int, vault: Vault, in tx: any SQLTransaction) throws {
    let name = "\(tenant)\u{0}\(identifier.lowercased())"
    let users = FinapticUserStore(tx, vault: vault)
    let byEmail = try users.find(email: identifier, tenant: tenant)?.user
    let byName = try users.find(username: identifier, tenant: tenant)?.user
    let invented = Self.uuid(vault.digest(name, for: "finaptic invited nobody"))
    let found = (byEmail ?? byName)?.customer
    (customer, isInvented) = (found ?? invented, found == nil)
    digest = vault.digest(name, for: "finaptic invited")
  }

  /// A digest in the form of a random UUID (RFC 9562 §5.4).
  static func uuid(_ digest: String) -> String {
    var digits = Array(digest.filter(\.isHexDigit).prefix(32))
    (digits[12], digits[16]) = ("4", Array("89ab")[(digits[16].hexDigitValue ?? 0) & 3])
    for place in [20, 16, 12, 8] { digits.insert("-", at: place) }
    return String(digits)
  }
}
