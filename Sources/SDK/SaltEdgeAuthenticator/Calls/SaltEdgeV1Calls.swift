// SPDX-License-Identifier: Apache-2.0

package import Foundation
package import SaltEdgeWire

/// The calls of API v1, in the order of specification §4.
package enum SaltEdgeV1Calls {
  /// GET of the configuration's own address (§4.1).
  package static func configuration(at url: URL, language: String = "en") -> ServiceCall<SaltEdgeV1.Configuration> {
    ServiceCall("GET", url, language: language, proof: .none)
  }

  /// POST `/connections` (§4.2).
  package static func connect(
    _ content: SaltEdgeV1.Connect, at baseURL: URL, language: String = "en"
  ) throws(AuthenticatorError) -> ServiceCall<SaltEdgeV1.Connected> {
    ServiceCall("POST", try url(baseURL, ["connections"]), content, language: language, proof: .none)
  }

  /// DELETE `/connections` (§4.5).
  package static func revokeConnection(
    _ access: ServiceAccess
  ) throws(AuthenticatorError) -> ServiceCall<SaltEdgeV1.ConnectionRevoked> {
    try call("DELETE", ["connections"], access)
  }

  /// GET `/authorizations` (§4.6).
  package static func authorizations(
    _ access: ServiceAccess
  ) throws(AuthenticatorError) -> ServiceCall<ReadableList<SaltEdgeV1.Entity>> {
    try call("GET", ["authorizations"], access)
  }

  /// GET `/authorizations/:id` (§4.6).
  package static func authorization(
    _ id: String, _ access: ServiceAccess
  ) throws(AuthenticatorError) -> ServiceCall<SaltEdgeV1.Entity> {
    try call("GET", ["authorizations", id], access)
  }

  /// PUT `/authorizations/:id` (§4.7).
  /// - Parameters:
  ///   - geolocation: `GEO:<lat>;<lon>`; nil when it is not known.
  ///   - authorizationType: `biometrics`, `passcode` or `unknown`.
  package static func decide(
    _ id: String, _ decision: SaltEdgeV1.Decision, geolocation: String?, authorizationType: String?,
    _ access: ServiceAccess
  ) throws(AuthenticatorError) -> ServiceCall<SaltEdgeV1.Decided> {
    var call = ServiceCall<SaltEdgeV1.Decided>(
      "PUT", try url(access.baseURL, ["authorizations", id]), decision, language: access.language,
      proof: .v1(token: access.accessToken, key: access.key))
    call.headers["GEO-Location"] = geolocation
    call.headers["Authorization-Type"] = authorizationType
    return call
  }

  /// PUT `/actions/:uuid` (§4.8).
  package static func submitAction(
    _ uuid: String, _ access: ServiceAccess
  ) throws(AuthenticatorError) -> ServiceCall<SaltEdgeV1.ActionSubmitted> {
    try call("PUT", ["actions", uuid], access)
  }

  /// GET `/consents` (§4.9).
  package static func consents(
    _ access: ServiceAccess
  ) throws(AuthenticatorError) -> ServiceCall<ReadableList<SaltEdgeV1.Entity>> {
    try call("GET", ["consents"], access)
  }

  /// DELETE `/consents/:id` (§4.9).
  package static func revokeConsent(
    _ id: String, _ access: ServiceAccess
  ) throws(AuthenticatorError) -> ServiceCall<SaltEdgeV1.ConsentRevoked> {
    try call("DELETE", ["consents", id], access)
  }

  private static func call<Answer>(
    _ method: String, _ steps: [String], _ access: ServiceAccess
  ) throws(AuthenticatorError) -> ServiceCall<Answer> {
    ServiceCall(
      method, try url(access.baseURL, steps), language: access.language,
      proof: .v1(token: access.accessToken, key: access.key))
  }

  private static func url(_ base: URL, _ steps: [String]) throws(AuthenticatorError) -> URL {
    try ServiceAddress.url(base, version: 1, steps)
  }
}
