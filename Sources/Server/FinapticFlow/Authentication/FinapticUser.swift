// SPDX-License-Identifier: Apache-2.0

import Kit

/// A person who signed up with a tenant.
package struct FinapticUser: Sendable, Equatable {
  package typealias ID = Identifier<FinapticUser>

  /// What is sealed.
  package struct Profile: Sendable, Codable, Equatable {
    /// As it was typed.
    package let email: String
    /// In lower case; nil for none.
    package let username: String?

    package init(email: String, username: String?) { (self.email, self.username) = (email, username) }
  }

  package let id: ID
  package let tenant: Int
  package let profile: Profile
  /// Nil until the link of the sign-up mail was followed.
  package let emailVerifiedAt: Instant?
  /// Nil until an application of this user created the customer.
  package let customer: String?
  /// Nil while the user may sign in.
  package let blockedAt: Instant?
  package let createdAt: Instant

  package init(
    id: ID, tenant: Int, profile: Profile, emailVerifiedAt: Instant?, customer: String?, blockedAt: Instant?,
    createdAt: Instant
  ) {
    (self.id, self.tenant, self.profile, self.emailVerifiedAt) = (id, tenant, profile, emailVerifiedAt)
    (self.customer, self.blockedAt, self.createdAt) = (customer, blockedAt, createdAt)
  }

  package var isBlocked: Bool { blockedAt != nil }
  package var role: FinapticRole { customer == nil ? .unverified : .customer }
  /// The audit chain of the user.
  var chain: String { "user-\(id)" }
}

/// The role of a user in access tokens (finaptic §2.4).
package enum FinapticRole: String, Sendable { case unverified, customer }

/// A right that has to be stepped up to (finaptic §8.1).
package enum FinapticScope: String, Sendable, CaseIterable, Comparable {
  case removeAuthorizedUser = "remove:authorized_user"
  case viewCardNumber = "view:card_number"

  package static func < (one: Self, other: Self) -> Bool { one.rawValue < other.rawValue }

  /// - Returns: nil when one of the words is no scope.
  static func set(_ text: String?) -> Set<FinapticScope>? {
    let words = (text ?? "").split(separator: " ")
    let scopes = words.compactMap { FinapticScope(rawValue: String($0)) }
    return scopes.count == words.count ? Set(scopes) : nil
  }
}
