// SPDX-License-Identifier: Apache-2.0

internal import Foundation
public import SaltEdgeAuthenticator
internal import SaltEdgeCore
internal import SaltEdgeWire
public import SEAuthenticatorCore

/// The headers of v2, for requests that an app makes of its own by `HTTPService` (saltedge-authenticator §5.5).
public struct Headers {
  /// Of a request that changes something, proved by the connection's key.
  /// - Parameter payloadParams: the whole body, with `exp`. Send these very parameters as JSON: the same serialiser
  ///   writes them, so that the signed bytes are the sent ones.
  /// - Throws: `keyMissing` without the connection's key, and `notSent` for what is no JSON: there is no request
  ///   without a signature.
  public static func signedRequestHeaders(
    token: AccessToken, payloadParams: [String: Any]?, connectionGuid: GUID
  ) throws(SEAuthenticatorError) -> [String: String] {
    let key = try SEAuthenticatorPlatform.current.key(SETagHelper.create(for: connectionGuid)).opened()
    guard let body = payloadParams.map({ ParametersSerializer.createBody(parameters: $0) }) ?? Data(),
      let signature = try? DetachedJWS.sign(body, with: key)
    else { throw AuthenticatorError(.notSent, .apiRequest) }
    return authorizedRequestHeaders(token: token).merge(with: [DetachedJWS.header: signature])
  }

  /// Of a request that reads.
  public static func authorizedRequestHeaders(
    token: AccessToken, appLanguage: ApplicationLanguage = "en"
  ) -> [String: String] {
    requestHeaders(with: appLanguage).merge(with: ["Access-Token": token])
  }

  /// Of a request without a connection.
  public static func requestHeaders(with appLanguage: ApplicationLanguage) -> [String: String] {
    ["Accept": "application/json", "Accept-Language": appLanguage, "Content-Type": "application/json"]
  }
}
