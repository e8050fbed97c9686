import Foundation
import HTTP
import HTTPTypes
import Hummingbird
import Kit
import PowerAuthCore

/// A device's request as it arrived, nothing in it believed yet. Signatures are checked over these bytes and no others.
struct DeviceRequest: Sendable {
  let method: String
  let headers: HTTPFields
  let query: String?
  let body: Data
  let clientAddress: String?

  /// - Throws: `Problem` payload-too-large; unsupported-media for a body that says it is no JSON.
  init(_ request: Request, _ context: PublicContext, bodyMax: Int) async throws {
    let content = try await RequestContent(request, limit: bodyMax)
    guard content.mediaType == nil || content.mediaType == "application/json" || content.bytes.isEmpty else {
      throw Problem.unsupportedMedia
    }
    method = request.method.rawValue
    headers = request.headers
    query = request.uri.query
    body = content.bytes
    clientAddress = context.clientAddress
  }

  /// What a signature of the whole request covers in place of its body (powerauth.md §5.2).
  /// - Throws: `PowerAuthError`.
  var signedBytes: Data {
    get throws(PowerAuthError) { method == "GET" ? try CanonicalQuery.body(of: query) : body }
  }

  /// The one value of a header; nil when it did not come.
  /// - Throws: `refusal` when it came more than once: nobody could say which one counts.
  func header(_ name: String, orThrow refusal: Problem) throws(Problem) -> String? {
    guard let name = HTTPField.Name(name) else { return nil }
    let values = headers[values: name]
    guard values.count <= 1 else { throw refusal }
    return values.first
  }
}
