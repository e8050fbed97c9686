// SPDX-License-Identifier: Apache-2.0

import Kit

/// The functions behind the hosted pages of a user's account (finaptic §8.1).
package struct AccountPageService: Sendable {
  /// Whose account a link is for.
  package struct Holder: Sendable {
    package let institution: String
    /// Masked.
    package let email: String

    package init(institution: String, email: String) { (self.institution, self.email) = (institution, email) }
  }

  /// - Throws: `Problem` not found; gone.
  let look: @Sendable (_ token: String, _ address: String?) async throws -> Holder
  /// - Throws: `Problem` bad request for a password that breaks a rule; of the link.
  let setPassword: @Sendable (_ password: String, _ token: String, _ address: String?) async throws -> Void
  /// Whose address a link would verify.
  /// - Throws: `Problem` not found; gone.
  let lookAtEmail: @Sendable (_ token: String, _ address: String?) async throws -> Holder
  /// - Throws: `Problem` not found; gone.
  let verifyEmail: @Sendable (_ token: String, _ address: String?) async throws -> Void

  /// Whose alias a link asks about.
  package struct Alias: Sendable {
    package let institution: String
    /// Masked.
    package let alias: String

    package init(institution: String, alias: String) { (self.institution, self.alias) = (institution, alias) }
  }

  /// - Throws: `Problem` not found; gone.
  let lookAtAlias: @Sendable (_ token: String, _ address: String?) async throws -> Alias
  /// - Throws: `Problem` not found; gone.
  let confirmAlias: @Sendable (_ token: String, _ address: String?) async throws -> Alias
  /// Names of documents that tenants have; each has a page that stands where the document is to be.
  let documents: Set<String>

  package init(
    look: @escaping @Sendable (String, String?) async throws -> Holder,
    setPassword: @escaping @Sendable (String, String, String?) async throws -> Void,
    lookAtEmail: @escaping @Sendable (String, String?) async throws -> Holder,
    verifyEmail: @escaping @Sendable (String, String?) async throws -> Void,
    lookAtAlias: @escaping @Sendable (String, String?) async throws -> Alias,
    confirmAlias: @escaping @Sendable (String, String?) async throws -> Alias,
    documents: Set<String>
  ) {
    (self.look, self.setPassword) = (look, setPassword)
    (self.lookAtEmail, self.verifyEmail) = (lookAtEmail, verifyEmail)
    (self.lookAtAlias, self.confirmAlias, self.documents) = (lookAtAlias, confirmAlias, documents)
  }
}
