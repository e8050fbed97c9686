import Foundation
import GatehouseWire
import HTTP
import HTTPTypes
import Hummingbird
import Kit

extension StepRequest {
  /// Images travel as base64 in JSON, twice 10 MiB at the most (rubix-onboarding §6.7, §8.3).
  static let imageBodyMax = 29 * 1024 * 1024
  static let formBodyMax = 256 * 1024

  /// Reads the body; its size is checked here, its meaning when the step is known to be in order.
  init(_ request: Request, _ context: CustomerContext, bodyMax: Int = Self.formBodyMax) async throws {
    self.init(
      customer: context.customer, body: try await RequestContent(request, limit: bodyMax),
      idempotencyKey: request.headers[.idempotencyKey], correlationID: context.correlationID)
  }
}

extension Response {
  /// A step's answer, first or repeated.
  init(_ answer: StepAnswer) {
    var headers: HTTPFields = [.contentType: answer.answer.contentType]
    if let seconds = answer.retryAfterSeconds { headers[.retryAfter] = "\(seconds)" }
    if answer.isReplay { headers[.idempotencyReplayed] = "true" }
    self.init(
      status: .init(code: answer.answer.status), headers: headers,
      body: ResponseBody(byteBuffer: ByteBuffer(bytes: answer.answer.body)))
  }

  static func json(_ value: some Encodable, status: HTTPResponse.Status = .ok) throws -> Response {
    json(encoded: try WireJSON.encode(value), status: status)
  }

  static func json(encoded value: Data, status: HTTPResponse.Status = .ok) -> Response {
    Response(
      status: status, headers: [.contentType: "application/json; charset=utf-8"],
      body: ResponseBody(byteBuffer: ByteBuffer(bytes: value)))
  }

  /// Adds the two tokens, which travel in headers and never in a body.
  func with(_ tokens: IssuedTokens) -> Response {
    var response = self
    response.headers[.accessToken] = tokens.access
    response.headers[.refreshToken] = tokens.refresh
    return response
  }
}

/// What a sign-in or a refresh gives.
package struct IssuedTokens: Sendable {
  package let access: String
  package let refresh: String
  package let accessExpiresIn: Int
}

extension Instant {
  var wire: WireInstant { WireInstant(millisecondsSince1970: milliseconds) }

  init(_ wire: WireInstant) { self.init(milliseconds: wire.millisecondsSince1970) }
}

extension Response {
  /// A stored picture; pictures are kept as JPEG.
  static func image(_ bytes: Data) -> Response {
    Response(
      status: .ok, headers: [.contentType: "image/jpeg", .contentDisposition: "inline"],
      body: ResponseBody(byteBuffer: ByteBuffer(bytes: bytes)))
  }
}
