import Kit

/// Somebody who signed up with a tenant.
package struct FinapticUser: Sendable, Equatable {
  package typealias ID = Identifier<FinapticUser>
}

/// What an access token says a user is (finaptic §2.4).
package enum FinapticRole: String, Sendable { case unverified, customer }

/// A right that has to be stepped up to (finaptic §8.1).
package enum FinapticScope: String, Sendable, CaseIterable {
  case removeAuthorizedUser = "remove:authorized_user"
  case viewCardNumber = "view:card_number"
}
