// SPDX-License-Identifier: Apache-2.0

import Foundation
import GatehouseTransport
import SEAuthenticator
import SEAuthenticatorV2
import SaltEdgeFlow
import Testing

extension SaltEdgeTestApp {
  /// The socket, for apps that call the public address: as a proxy in front of the service would pass it on.
  var network: HTTPTransport {
    get throws {
      let port = try #require(client.port, "not on a socket")
      let socket = HTTPTransport.live()
      return HTTPTransport { (request, progress) async throws(TransportError) in
        var request = request
        let address = request.url.absoluteString.replacing(Self.address, with: "http://localhost:\(port)")
        guard let url = URL(string: address), address != request.url.absoluteString else {
          throw TransportError(.unexpectedCall)
        }
        request.url = url
        return try await socket.send(request, progress: progress)
      }
    }
  }
}

/// An app that has nothing but the published SDKs, with one connection.
struct PublishedPhone {
  let app: SaltEdgeTestApp
  /// Of the connection, as the app made it up.
  let guid: GUID
  let base: URL
  let connection: ID
  let token: AccessToken
  static let store = MemorySecureStore()

  var tag: KeyTag { SETagHelper.create(for: guid) }

  var request: SEBaseAuthenticatedRequestData {
    .init(url: base, connectionGuid: guid, accessToken: token, appLanguage: "en")
  }

  func about(_ id: ID) -> SEBaseAuthenticatedWithIdRequestData {
    .init(url: base, connectionGuid: guid, accessToken: token, appLanguage: "en", entityId: id)
  }

  func decision(_ id: ID, code: String?) -> SEConfirmAuthorizationRequestData {
    .init(
      url: base, connectionGuid: guid, accessToken: token, appLanguage: "en", authorizationId: id,
      authorizationCode: code, geolocation: "GEO:52.506931;13.144558", authorizationType: "passcode")
  }

  /// The members of what is encrypted for this connection.
  func members(_ entity: any SEBaseEncryptedAuthorizationData) throws -> [String: Any] {
    let text = try SECryptoHelper.decrypt(entity, tag: tag)
    return try #require(try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any])
  }

  /// The platform of the published calls is this server's network and clock from now on.
  static func use(_ app: SaltEdgeTestApp) throws {
    SEAuthenticatorPlatform.current = SEAuthenticatorPlatform(
      store: store, transport: try app.network,
      clock: ClientClock(wallTime: { Double(app.clock.now.seconds) }) { (_) async throws(CancellationError) in },
      // The app has asked by itself.
      userPresence: { true })
  }

  /// The link of a QR code that the bank made for its customer.
  static func link(_ app: SaltEdgeTestApp, version: Int) async throws -> URL {
    let view = try await app.api(.post, "connect-links", #"{"user_id":"u-1","api_version":\#(version)}"#)
      .view(DeviceV2.LinkView.self)
    return try #require(URL(string: view.link))
  }
}

/// What a failure closure was told.
struct Refused: Error, Equatable {
  let word: String
}

/// Waits for one of the closures of a published call.
func told<Answer: Decodable & Sendable>(
  _ call: (SEHTTPResponse<Answer>, @escaping FailureBlock) -> Void
) async throws(Refused) -> Answer {
  let outcome: Result<Answer, Refused> = await withCheckedContinuation { continuation in
    call(
      { continuation.resume(returning: .success($0)) }, { continuation.resume(returning: .failure(.init(word: $0))) })
  }
  return try outcome.get()
}
