import APIDescription
import Hummingbird

/// Serves the description of every route as JSON.
enum OpenAPI {
  static func response() throws -> Response {
    Response(
      status: .ok, headers: [.contentType: "application/json; charset=utf-8"],
      body: ResponseBody(byteBuffer: ByteBuffer(bytes: try APIDocument.json.get())))
  }
}
