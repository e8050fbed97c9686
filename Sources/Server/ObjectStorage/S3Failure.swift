// SPDX-License-Identifier: Apache-2.0

import Foundation
import Kit
import NIOHTTP1

/// One attempt that did not succeed.
struct S3Failure: Error, Sendable, Equatable {
  /// Nil when no answer came.
  let status: Int?
  /// Of the answer's body (Amazon S3 API Reference, "Error responses"); letters and digits only.
  let code: String
  /// The store's clock.
  let date: Instant?
  /// What the store asks to wait.
  let retryAfter: Duration?

  private static let passing: Set<String> = [
    "BadDigest", "InternalError", "RequestTimeout", "ServiceUnavailable", "SlowDown", "XAmzContentSHA256Mismatch",
    "XAmzContentChecksumMismatch",
  ]

  init(status: Int?, code: String, date: Instant? = nil, retryAfter: Duration? = nil) {
    self.status = status
    self.code = code
    self.date = date
    self.retryAfter = retryAfter
  }

  init(_ answer: S3Answer) {
    let element = S3Element.parse(answer.body)
    let code = element?.name == "Error" ? element?.value("Code") : nil
    self.init(
      status: answer.status, code: Self.safe(code) ?? "HTTP\(answer.status)",
      date: answer.headers.first(name: "date").flatMap(HTTPDate.instant),
      retryAfter: answer.headers.first(name: "retry-after").flatMap { UInt16($0) }.map { .seconds(Int($0)) })
  }

  /// No answer, or half of one.
  static let disconnected = S3Failure(status: nil, code: "Disconnected")
  /// An answer whose content does not have the digest that it was stored with.
  static let damaged = S3Failure(status: nil, code: "Damaged")
  /// An answer that S3 does not give.
  static let malformed = S3Failure(status: nil, code: "MalformedAnswer")

  /// A server that could not show that it is the one that was meant; the next attempt would meet it again.
  static let untrusted = S3Failure(status: nil, code: "CertificateRefused")

  /// May be over by the next attempt.
  var isPassing: Bool {
    guard let status else { return self != .untrusted }
    return status >= 500 || status == 408 || status == 429 || Self.passing.contains(code)
  }

  /// The signature is too old or too new for the store's clock.
  var isSkew: Bool { code == "RequestTimeTooSkewed" }

  var error: BlobError {
    switch self {
    case .damaged: .damaged
    case .malformed: .refused(code: code)
    default: isPassing ? .unavailable : .refused(code: code)
    }
  }

  /// What a store puts there is shown to operators, so it must look like a code.
  private static func safe(_ code: String?) -> String? {
    guard let code, (1...64).contains(code.utf8.count), code.wholeMatch(of: /[A-Za-z0-9]+/) != nil,
      code.utf8.allSatisfy({ $0 < 128 })
    else { return nil }
    return code
  }
}

/// The form of the `Date` header, `Sun, 06 Nov 1994 08:49:37 GMT` (IMF-fixdate, RFC 9110 §5.6.7).
enum HTTPDate {
  private static let months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]

  /// - Returns: nil when it is not such a text, or names no day of the calendar. The day of the week is not checked.
  static func instant(_ text: String) -> Instant? {
    // Twenty-nine bytes leave no room for digits of other scripts.
    let form = /(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun), (\d{2}) ([A-Z][a-z]{2}) (\d{4}) (\d{2}:\d{2}:\d{2}) GMT/
    guard text.utf8.count == 29, let parts = text.wholeMatch(of: form)?.output,
      let month = months.firstIndex(of: String(parts.2))
    else { return nil }
    return Instant(rfc3339: "\(parts.3)-\(month < 9 ? "0" : "")\(month + 1)-\(parts.1)T\(parts.4)Z")
  }
}
