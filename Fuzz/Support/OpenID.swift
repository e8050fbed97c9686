// SPDX-License-Identifier: Apache-2.0

/// What tokens are compared with, without staff and settings.
struct OpenIDProvider: Sendable {
  let issuer = "https://id.example"
  let clientID = "desk"
}

enum OpenIDRefusal: Error { case token, type, signature, issuer, audience, expired, nonce }

enum StaffMember { enum Gender { case female, male } }
