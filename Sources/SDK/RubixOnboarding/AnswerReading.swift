// SPDX-License-Identifier: Apache-2.0

internal import GatehouseTransport
internal import GatehouseWire

extension TransportResponse {
  /// The body as a value.
  /// - Throws: `decoding` with the path to what differs, and nothing of the content.
  func decoded<Value: Decodable>(as _: Value.Type) throws(RubixError) -> Value {
    do {
      return try WireJSON.decode(Value.self, from: body)
    } catch let error as DecodingError {
      throw .decoding(error.path)
    } catch {
      throw .decoding("body")
    }
  }

  /// The problem that a refusal states. A refusal without one, say from a proxy, becomes a problem with the code
  /// `http-<status>`.
  var problem: ProblemDetails {
    let media = headers["content-type"]?.lowercased() ?? ""
    if media.contains("json"), var stated = try? WireJSON.decode(ProblemDetails.self, from: body),
      !stated.code.rawValue.isEmpty, stated.code.rawValue != "blank"
    {
      stated.status = status
      if stated.retryAfterSeconds == nil { stated.retryAfterSeconds = retryAfterSeconds }
      return stated
    }
    return ProblemDetails(
      type: "about:blank", title: "HTTP \(status)", status: status,
      code: ProblemCode(rawValue: "http-\(status)"), retryAfterSeconds: retryAfterSeconds)
  }

  private var retryAfterSeconds: Int? { retryAfter.map { Int($0.components.seconds) } }
}
