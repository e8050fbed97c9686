// SPDX-License-Identifier: Apache-2.0

public import Foundation

/// One HTTP answer, whatever its status.
public struct TransportResponse: Sendable, Equatable {
  /// HTTP status.
  public var status: Int
  /// Header fields.
  public var headers: TransportHeaders
  /// Empty for a response without a body.
  public var body: Data

  /// Creates the answer.
  public init(status: Int, headers: TransportHeaders = [:], body: Data = Data()) {
    self.status = status
    self.headers = headers
    self.body = body
  }

  /// Whether the status is 2xx.
  public var isSuccess: Bool { (200..<300).contains(status) }

  /// The wait that `Retry-After` asks for (RFC 9110 §10.2.3), nil when absent, negative or a calendar date: a date
  /// would need the two clocks to agree.
  public var retryAfter: Duration? {
    guard let text = headers["retry-after"], let seconds = Int(text.trimmingCharacters(in: .whitespaces)), seconds >= 0
    else { return nil }
    return .seconds(seconds)
  }
}
