// SPDX-License-Identifier: Apache-2.0

package import Foundation
internal import GatehouseWire
package import SaltEdgeWire

/// The calls of API v2, in the order of specification §5.
package enum SaltEdgeV2Calls {
  /// GET of the configuration's own address, `…/configurations/:provider_id` (§5.1).
  package static func configuration(at url: URL, language: String = "en") -> ServiceCall<SaltEdgeV2.Configuration> {
    ServiceCall("GET", url, language: language, proof: .none)
  }

  /// POST `/connections` (§5.2).
  package static func connect(
    _ content: SaltEdgeV2.Connect, at baseURL: URL, language: String = "en"
  ) throws(AuthenticatorError) -> ServiceCall<SaltEdgeV2.Connected> {
    ServiceCall("POST", try url(baseURL, ["connections"]), content, language: language, proof: .none)
  }

  /// GET `/connections/:id` (§5.4).
  package static func connection(
    _ id: String, _ access: ServiceAccess
  ) throws(AuthenticatorError) -> ServiceCall<SaltEdgeV2.Connection> {
    try read(["connections", id], access)
  }

  /// PATCH `/connections/:id/update` (§5.4).
  package static func updateConnection(
    _ id: String, _ update: SaltEdgeV2.PushTokenUpdate, _ access: ServiceAccess
  ) throws(AuthenticatorError) -> ServiceCall<SaltEdgeV2.ConnectionChanged> {
    try sign("PATCH", ["connections", id, "update"], update, access)
  }

  /// PUT `/connections/:id/revoke` (§5.4).
  package static func revokeConnection(
    _ id: String, _ access: ServiceAccess
  ) throws(AuthenticatorError) -> ServiceCall<SaltEdgeV2.ConnectionChanged> {
    try sign("PUT", ["connections", id, "revoke"], EmptyBody(), access)
  }

  /// GET `/authorizations` (§5.6).
  /// - Parameter actionID: only those of an action.
  package static func authorizations(
    actionID: String? = nil, _ access: ServiceAccess
  ) throws(AuthenticatorError) -> ServiceCall<ReadableList<SaltEdgeV2.Authorization>> {
    try read(["authorizations"], query: actionID.map { [(name: "action_id", value: $0)] } ?? [], access)
  }

  /// GET `/authorizations/:id` (§5.6).
  package static func authorization(
    _ id: String, _ access: ServiceAccess
  ) throws(AuthenticatorError) -> ServiceCall<SaltEdgeV2.Authorization> {
    try read(["authorizations", id], access)
  }

  /// PUT `/authorizations/:id/confirm` and `…/deny` (§5.7).
  /// - Parameter confirmation: encrypted for the bank.
  package static func decide(
    _ id: String, confirms: Bool, _ confirmation: SaltEdge.Ciphertext, _ access: ServiceAccess
  ) throws(AuthenticatorError) -> ServiceCall<SaltEdgeV2.Decided> {
    try sign("PUT", ["authorizations", id, confirms ? "confirm" : "deny"], confirmation, access)
  }

  /// POST `/authorizations` (§5.8).
  package static func submitAction(
    _ submission: SaltEdgeV2.ActionSubmission, _ access: ServiceAccess
  ) throws(AuthenticatorError) -> ServiceCall<SaltEdgeV2.ActionSubmitted> {
    try sign("POST", ["authorizations"], submission, access)
  }

  /// GET `/consents` (§5.9).
  package static func consents(
    _ access: ServiceAccess
  ) throws(AuthenticatorError) -> ServiceCall<ReadableList<SaltEdgeV2.ConsentEntity>> {
    try read(["consents"], access)
  }

  /// PUT `/consents/:id/revoke` (§5.9).
  package static func revokeConsent(
    _ id: String, _ access: ServiceAccess
  ) throws(AuthenticatorError) -> ServiceCall<SaltEdgeV2.ConsentRevoked> {
    try sign("PUT", ["consents", id, "revoke"], EmptyBody(), access)
  }

  private static func read<Answer>(
    _ steps: [String], query: [(name: String, value: String)] = [], _ access: ServiceAccess
  ) throws(AuthenticatorError) -> ServiceCall<Answer> {
    ServiceCall(
      "GET", try ServiceAddress.url(access.baseURL, version: 2, steps, query: query), language: access.language,
      proof: .token(access.accessToken))
  }

  private static func sign<Answer>(
    _ method: String, _ steps: [String], _ content: some Codable & Sendable, _ access: ServiceAccess
  ) throws(AuthenticatorError) -> ServiceCall<Answer> {
    ServiceCall(
      method, try url(access.baseURL, steps), content, language: access.language,
      proof: .v2(token: access.accessToken, key: access.key))
  }

  private static func url(_ base: URL, _ steps: [String]) throws(AuthenticatorError) -> URL {
    try ServiceAddress.url(base, version: 2, steps)
  }
}
