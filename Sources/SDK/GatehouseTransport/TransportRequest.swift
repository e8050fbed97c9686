// SPDX-License-Identifier: Apache-2.0

public import Foundation

/// One HTTP request with everything that decides how it may be handled: how long, and whether it may be repeated.
public struct TransportRequest: Sendable, Equatable {
  /// Time that an exchange may take when the caller names none.
  public static let deadlineDefault = Duration.seconds(30)

  /// HTTP method, in capitals.
  public var method: String
  /// Where to.
  public var url: URL
  /// Header fields.
  public var headers: TransportHeaders
  /// Body, nil for none.
  public var body: Data?
  /// From the first byte sent to the last byte received, one attempt.
  public var deadline: Duration
  /// The longest that the server may be silent within the deadline; nil leaves that to the deadline.
  public var silenceMax: Duration?

  /// Creates the request.
  public init(
    method: String,
    url: URL,
    headers: TransportHeaders = [:],
    body: Data? = nil,
    deadline: Duration = TransportRequest.deadlineDefault,
    silenceMax: Duration? = nil
  ) {
    self.method = method
    self.url = url
    self.headers = headers
    self.body = body
    self.deadline = deadline
    self.silenceMax = silenceMax
  }

  /// Whether sending it twice does no more than sending it once: by its method (RFC 9110 §9.2.2), or because an
  /// `Idempotency-Key` lets the server recognise the second.
  public var isRepeatable: Bool {
    ["GET", "HEAD", "OPTIONS", "PUT", "DELETE"].contains(method) || headers["Idempotency-Key"] != nil
  }
}
