// SPDX-License-Identifier: Apache-2.0

/// What a caller named by an id or a code and what is not there for them, as a refusal tells them. It says nothing of
/// what others have: what belongs to another is refused in the same words.
package enum NamedResource: String, Sendable, CaseIterable {
  case bank, client, delivery, dispute, endpoint, message, partner, picture, tenant
  case cardMessage = "message of a card"
  case sdkKey = "SDK key"
  case securityKey = "security key"
}
