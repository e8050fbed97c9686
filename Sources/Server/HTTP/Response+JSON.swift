// SPDX-License-Identifier: Apache-2.0

import Foundation
import GatehouseWire
import HTTPTypes
import Hummingbird

extension Response {
  /// An answer in JSON, of which nothing is kept.
  package static func json(_ value: some Encodable, status: HTTPResponse.Status = .ok) throws -> Response {
    json(encoded: try WireJSON.encode(value), status: status)
  }

  /// - Parameter value: JSON in UTF-8.
  package static func json(encoded value: Data, status: HTTPResponse.Status = .ok) -> Response {
    json(encoded: ByteBuffer(bytes: value), status: status)
  }

  /// - Parameter value: JSON in UTF-8, which several answers may share.
  package static func json(encoded value: ByteBuffer, status: HTTPResponse.Status = .ok) -> Response {
    Response(
      status: status, headers: [.contentType: "application/json; charset=utf-8"],
      body: ResponseBody(byteBuffer: value))
  }
}
