// SPDX-License-Identifier: Apache-2.0

import Foundation
import HTTP
import HTTPTypes
import Hummingbird
import Kit
import PowerAuthCore

/// A device's request as it arrived, nothing in it believed yet. Signatures are checked over these bytes and no others.
///
/// The body is still on the line: what a header proves by itself is checked before anybody asks for it, so that
/// strangers
/// do not get the server to hold megabytes of theirs.
struct DeviceRequest: Sendable {
  let method: String
  let headers: HTTPFields
  let query: String?
  let clientAddress: String?
  private let content: @Sendable () async throws -> RequestContent

  /// - Throws: `Problem` payload-too-large for a body that says it is larger than `bodyMax`.
  init(_ request: Request, _ context: PublicContext, bodyMax: Int) throws {
    try RequestContent.requireLength(of: request, atMost: bodyMax)
    method = request.method.rawValue
    headers = request.headers
    query = request.uri.query
    clientAddress = context.clientAddress
    content = { try await RequestContent(request, limit: bodyMax) }
  }

  /// The body, read off the line. To be asked for once.
  /// - Throws: `Problem` payload-too-large; unsupported-media for a body that says it is no JSON.
  func readBody() async throws -> Data {
    let content = try await content()
    guard content.mediaType == nil || content.mediaType == "application/json" || content.bytes.isEmpty else {
      throw Problem.unsupportedMedia
    }
    return content.bytes
  }

  /// What a signature of the whole request covers in place of its body (powerauth.md §5.2).
  /// - Throws: `PowerAuthError`.
  func signedBytes(_ body: Data) throws(PowerAuthError) -> Data {
    method == "GET" ? try CanonicalQuery.body(of: query) : body
  }

  /// The one value of a header; nil when it did not come.
  /// - Throws: `refusal` when it came more than once, because it is unclear which one counts.
  func header(_ name: String, orThrow refusal: Problem) throws(Problem) -> String? {
    guard let name = HTTPField.Name(name) else { return nil }
    let values = headers[values: name]
    guard values.count <= 1 else { throw refusal }
    return values.first
  }
}
