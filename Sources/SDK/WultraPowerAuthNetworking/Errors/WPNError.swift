// SPDX-License-Identifier: Apache-2.0

public import PowerAuth2

#if canImport(FoundationNetworking)
  internal import Foundation
  public import FoundationNetworking
#else
  public import Foundation
#endif

/// Why a call failed (wultra-onboarding.md §7.6).
public final class WPNError: Error, Sendable {
  /// In a word.
  public let reason: WPNErrorReason
  /// What lies behind; nil when that is all.
  public let nestedError: (any Error)?
  /// What the server said; nil when it said nothing.
  public let restApiError: WPNRestApiError?
  /// The answer that told of it.
  let answer: Answer?

  /// As much of an answer as an app may want to look at.
  struct Answer: Sendable {
    let url: URL
    let status: Int
    let headers: [String: String]
  }

  init(
    reason: WPNErrorReason, error: (any Error)? = nil, restApiError: WPNRestApiError? = nil, answer: Answer? = nil
  ) {
    self.reason = reason
    nestedError = error
    self.restApiError = restApiError
    self.answer = answer
  }

  public convenience init(reason: WPNErrorReason, error: (any Error)? = nil) {
    self.init(reason: reason, error: error, restApiError: nil)
  }

  /// The error under another reason. What is a `WPNError` already keeps what it knows.
  public static func wrap(_ reason: WPNErrorReason, _ error: (any Error)? = nil) -> WPNError {
    guard let known = error as? WPNError else { return WPNError(reason: reason, error: error) }
    return WPNError(
      reason: reason, error: known.nestedError, restApiError: known.restApiError, answer: known.answer)
  }

  /// What a PowerAuth instance threw, under the reason that it stands for.
  /// - Parameter reason: unless the error stands for one of its own.
  public static func powerAuth(_ error: any Error, otherwise reason: WPNErrorReason = .network_generic) -> WPNError {
    if let known = error as? WPNError { return known }
    let plain = WPNError(reason: reason, error: error)
    let own: WPNErrorReason? =
      switch error.powerAuthErrorCode {
      case .missingActivation, .activationPending: .missingActivation
      case .operationCancelled: .canceled
      default: error is CancellationError ? .canceled : plain.urlErrorCodes.first.map(NetworkFailure.reason(of:))
      }
    return own.map { WPNError(reason: $0, error: error) } ?? plain
  }

  // MARK: The answer

  /// Nil when there was no answer.
  public var httpStatusCode: Int? { answer?.status ?? powerAuthRestApiError.map { Int($0.httpStatusCode) } }

  /// The answer's head; nil when there was none.
  public var httpUrlResponse: HTTPURLResponse? {
    answer.flatMap {
      HTTPURLResponse(url: $0.url, statusCode: $0.status, httpVersion: "HTTP/1.1", headerFields: $0.headers)
    }
  }

  // MARK: The nested error

  /// Of the nested error; 0 without one.
  public var code: Int { nested?.code ?? 0 }

  /// Of the nested error; `WPNError` without one.
  public var domain: String { nested?.domain ?? "WPNError" }

  /// Of the nested error; empty without one.
  public var userInfo: [String: Any] { nested?.userInfo ?? [:] }

  /// What PowerAuth's server said to the PowerAuth instance.
  public var powerAuthRestApiError: PowerAuthRestApiErrorResponse? { nested?.powerAuthRestApiErrorResponse }

  /// Why the PowerAuth instance failed; nil when it was not it.
  public var powerAuthErrorCode: PowerAuthErrorCode? { nested?.powerAuthErrorCode }

  /// What the PowerAuth instance says about it; nil when it was not it.
  public var powerAuthErrorMessage: String? {
    powerAuthErrorCode == nil ? nil : userInfo[NSLocalizedDescriptionKey] as? String
  }

  // MARK: The network

  /// The device has no network at all.
  public var networkIsNotReachable: Bool {
    urlErrorCodes.contains { NetworkFailure.offline.contains($0) }
  }

  /// The server is not trusted.
  public var networkConnectionIsNotTrusted: Bool {
    urlErrorCodes.contains { NetworkFailure.untrusted.contains($0) }
  }

  private var nested: NSError? { nestedError.map { $0 as NSError } }

  /// The numbers of URLSession in the nested error and in those below it.
  var urlErrorCodes: [Int] {
    var codes: [Int] = []
    var error = nested
    // No error is that deep, unless one holds itself.
    for _ in 0..<8 {
      guard let current = error else { break }
      if [NSURLErrorDomain, "kCFErrorDomainCFNetwork"].contains(current.domain) { codes.append(current.code) }
      error = current.userInfo[NSUnderlyingErrorKey] as? NSError
    }
    return codes
  }
}

extension WPNError: CustomStringConvertible {
  /// Safe to log: words and numbers only, no address, header or body. A code of the server's is in it when it has the
  /// form of one: any other text may be personal, or look like further lines of the log.
  public var description: String {
    var parts = ["WPNError(\(reason.rawValue)"]
    if nestedError != nil { parts.append("\(domain) \(code)") }
    if let status = httpStatusCode { parts.append("HTTP \(status)") }
    if let restApiError { parts.append(restApiError.hasCode ? restApiError.code : "another code") }
    return parts.joined(separator: ", ") + ")"
  }
}
