// SPDX-License-Identifier: Apache-2.0

import GatehouseWire
import HTTPTypes
import Hummingbird
import Kit

/// Refuses a request whose address or headers hold a text that takes time by the square of its length to compare
/// (UAX #15 §13): parameters of paths and queries, names and values of headers are compared before their length is
/// looked at.
package struct TextMiddleware: RouterMiddleware {
  package typealias Context = PublicContext

  package init() {}

  package func handle(
    _ request: Request, context: PublicContext, next: (Request, PublicContext) async throws -> Response
  ) async throws -> Response {
    guard Self.isSafe(address: request.head.path ?? ""), Self.isSafe(request.headers) else {
      throw Problem(
        .badRequest, "invalid-json",
        "The address or a header has more than \(StreamSafeText.nonStartersMax) combining marks in a row.")
    }
    return try await next(request, context)
  }

  private static func isSafe(_ headers: HTTPFields) -> Bool {
    headers.allSatisfy { StreamSafeText.isSafe($0.value) }
  }

  /// Whether an address is, with its escapes (RFC 3986 §2.1) as they are and as what they stand for.
  static func isSafe(address: String) -> Bool {
    guard address.utf8.contains(where: { $0 >= 0x80 || $0 == UInt8(ascii: "%") }) else { return true }
    var (decoded, rest) = ([UInt8](), Substring(address).utf8)
    while let byte = rest.popFirst() {
      let escape = rest.prefix(2)
      if byte == UInt8(ascii: "%"), escape.count == 2, let value = UInt8(String(Substring(escape)), radix: 16) {
        decoded.append(value)
        rest = rest.dropFirst(2)
      } else {
        decoded.append(byte)
      }
    }
    return StreamSafeText.isSafe(utf8: decoded)
  }
}
