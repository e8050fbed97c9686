// SPDX-License-Identifier: Apache-2.0

import APIDescription
import HTTP
import Hummingbird

/// Serves the description of every route as JSON.
enum OpenAPI {
  /// Shared by all answers: it is most of a megabyte, and anybody may ask for it.
  private static let document = APIDocument.json.map { ByteBuffer(bytes: $0) }

  static func response() throws -> Response { Response.json(encoded: try document.get()) }
}
