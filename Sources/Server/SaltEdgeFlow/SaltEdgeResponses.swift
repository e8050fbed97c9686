// SPDX-License-Identifier: Apache-2.0

import Foundation
import GatehouseWire
import HTTP
import HTTPTypes
import Hummingbird
import Kit
import SaltEdgeCore
import SaltEdgeWire

extension HTTPField.Name {
  static let accessToken = Self("Access-Token")!
  static let jwsSignature = Self(DetachedJWS.header)!
  static let providerID = Self("Provider-Id")!
}

extension DeviceCall {
  /// Reads what a device sent; its body stays as it came.
  init(_ request: Request, _ context: PublicContext) async throws {
    let content = try await RequestContent(request, limit: SaltEdgePolicy.deviceBodyMax)
    self.init(
      token: request.headers[.accessToken], signature: request.headers[.jwsSignature], body: content.bytes,
      source: context.source, language: request.headers[.acceptLanguage])
  }
}

extension PublicContext {
  /// Whose calls are counted together.
  var source: String { clientAddress.map(ClientNetwork.subscriber) ?? ClientNetwork.unknown }
}

extension Response {
  /// A success, in the envelope of the Authenticator's APIs.
  static func saltEdge(_ content: some Codable & Sendable) throws -> Response {
    try json(SaltEdge.Body(data: content))
  }
}
