import APIDescription
import Foundation
import Hummingbird
import Yams

/// The description of every route: `docs/api/openapi.yaml`, built in and served as JSON.
enum OpenAPI {
  private static let json = Result {
    try JSONSerialization.data(
      withJSONObject: try Yams.load(yaml: String(cString: openapi_yaml())) as Any,
      options: [.sortedKeys, .withoutEscapingSlashes])
  }

  static func response() throws -> Response {
    Response(
      status: .ok, headers: [.contentType: "application/json; charset=utf-8"],
      body: ResponseBody(byteBuffer: ByteBuffer(bytes: try json.get())))
  }
}
