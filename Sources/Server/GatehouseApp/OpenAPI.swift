// SPDX-License-Identifier: Apache-2.0

import APIDescription
import HTTP
import Hummingbird

/// Serves the description of every route as JSON.
enum OpenAPI {
  static func response() throws -> Response {
    Response.json(encoded: try APIDocument.json.get())
  }
}
