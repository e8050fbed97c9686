// SPDX-License-Identifier: Apache-2.0

import Kit

/// The identity provider of an institution, and how Gatehouse is registered there as a relying party
/// (OpenID Connect Core 1.0 §1.2).
package struct OpenIDProvider: Sendable {
  /// Who proves the second factor of a member who comes by the provider.
  package enum SecondFactor: Sendable, Equatable {
    /// Gatehouse asks for it, as after a password.
    case own
    /// The provider did, when the `amr` of the ID token (RFC 8176) has one of these; with none named it always did.
    case provider(methods: Set<String>)
  }

  /// The institution whose staff comes by it. It is a part of the callback's path.
  package let tenant: String
  /// As staff know it, on the page where they sign in.
  package let name: String
  /// Exactly as the provider writes it in its tokens.
  package let issuer: String
  package let clientID: String
  /// Nil for a public client, which has PKCE alone.
  package let clientSecret: String?
  /// The claim of the ID token that names roles. One that is in an object is named with dots, as in
  /// `realm_access.roles`.
  package var rolesClaim = "roles"
  /// Which roles here a value of that claim gives.
  package let roles: [String: Set<StaffRole>]
  package var scopes = "openid profile email"
  package var secondFactor = SecondFactor.own
  /// Of members whose provider does not say their gender; nil refuses those.
  package var genderOtherwise: StaffMember.Gender?
  /// Whether members of the institution may sign in by password, too.
  package var allowsPasswords = true
  /// Whether a logout token may have the type `JWT`, or none, as those of providers from before there was `logout+jwt`.
  package var allowsUntypedLogout = false
  /// Whether the provider may be on this machine, and without TLS: in a sandbox.
  package var allowsLoopback = false

  package init(
    tenant: String, name: String, issuer: String, clientID: String, clientSecret: String?,
    roles: [String: Set<StaffRole>]
  ) {
    (self.tenant, self.name, self.issuer) = (tenant, name, issuer)
    (self.clientID, self.clientSecret, self.roles) = (clientID, clientSecret, roles)
  }

  /// Whether a URL of the provider is one that Gatehouse calls, or sends a browser to.
  package func allows(_ text: String) -> Bool {
    guard let address = WebAddress(text), !address.hasFragment else { return false }
    return address.host.isLoopbackHost ? allowsLoopback : address.isSecure
  }
}

/// Why a sign-in by a provider was refused. It is a fact of the audit; the member learns less.
package enum OpenIDRefusal: String, Error, Sendable, CaseIterable {
  /// Another browser's, another provider's, used before, or too old.
  case state = "openid-state"
  /// The provider said no, or the member did there.
  case denied = "openid-denied"
  /// The answer is of another issuer (RFC 9207).
  case issuer = "openid-issuer"
  /// The provider cannot be reached, or its answer is not understood.
  case provider = "openid-provider"
  /// The provider did not take the code: it is of another client, was used, or has no fitting verifier.
  case code = "openid-code"
  /// No signed token of a form that is taken.
  case token = "openid-token"
  /// A token whose header gives it another type than the one that is asked for.
  case type = "openid-type"
  /// A signature that is not by a key of the provider, or by an algorithm that is not taken.
  case signature = "openid-signature"
  case audience = "openid-audience"
  case expired = "openid-expired"
  case nonce = "openid-nonce"
  /// A claim that a member needs is missing or malformed.
  case claims = "openid-claims"
  /// No value of the roles claim is one that the institution mapped.
  case roles = "openid-roles"
  /// There is a member with this e-mail address who is not joined to this account of the provider.
  case known = "openid-known"
  case inactive
}
