/// What an access token shows of its bearer, where a published surface wants it readable (finaptic §8.1).
package struct AccessGrant: Sendable, Equatable {
  package let roles: [String]
  /// Id of the customer that the bearer became; nil before that.
  package let customer: String?
  /// Rights that were stepped up to, a space between two; empty for none.
  package let scope: String
  /// Nil is the policy's, which is also the most.
  package let lifetime: Duration?

  package init(roles: [String], customer: String?, scope: String = "", lifetime: Duration? = nil) {
    (self.roles, self.customer, self.scope, self.lifetime) = (roles, customer, scope, lifetime)
  }
}
