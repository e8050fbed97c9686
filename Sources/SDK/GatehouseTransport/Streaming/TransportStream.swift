// SPDX-License-Identifier: Apache-2.0

/// An answer whose body comes in parts, from its head on.
public struct TransportStream: Sendable {
  /// HTTP status.
  public let status: Int
  /// Header fields.
  public let headers: TransportHeaders
  /// What comes after the head.
  public let body: TransportBody

  /// Creates the answer.
  public init(status: Int, headers: TransportHeaders = [:], body: TransportBody) {
    self.status = status
    self.headers = headers
    self.body = body
  }

  /// The media type without its parameters, in lower case; empty when none is said (RFC 9110 §8.3).
  public var mediaType: String {
    let type = headers["content-type"]?.prefix { $0 != ";" } ?? ""
    return String(type.filter { !$0.isWhitespace }).lowercased()
  }
}
