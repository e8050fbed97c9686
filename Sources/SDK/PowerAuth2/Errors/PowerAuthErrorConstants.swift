// SPDX-License-Identifier: Apache-2.0

public import Foundation

// The names are the published SDK's (powerauth.md §10).

/// The domain of every `NSError` of this SDK, and the key of its REST error object, a `PowerAuthRestApiErrorResponse`.
public let PowerAuthErrorDomain = "PowerAuthErrorDomain"
/// The key of a dictionary with everything that the server answered, decoded.
public let PowerAuthErrorInfoKey_AdditionalInfo = "PowerAuthErrorInfoKey_AdditionalInfo"
/// The key of the bytes that the server answered.
public let PowerAuthErrorInfoKey_ResponseData = "PowerAuthErrorInfoKey_ResponseData"

extension NSError {
  /// What went wrong; nil for an error that is not of this SDK.
  public var powerAuthErrorCode: PowerAuthErrorCode? {
    domain == PowerAuthErrorDomain ? PowerAuthErrorCode(rawValue: code) : nil
  }

  /// What the server said; nil when it did not answer, or the error is not of this SDK.
  public var powerAuthRestApiErrorResponse: PowerAuthRestApiErrorResponse? {
    domain == PowerAuthErrorDomain ? userInfo[PowerAuthErrorDomain] as? PowerAuthRestApiErrorResponse : nil
  }
}

extension Optional where Wrapped == NSError {
  /// What went wrong; nil without an error, or for one that is not of this SDK.
  public var powerAuthErrorCode: PowerAuthErrorCode? { flatMap(\.powerAuthErrorCode) }
}

extension Error {
  /// What went wrong; nil for an error that is not of this SDK.
  public var powerAuthErrorCode: PowerAuthErrorCode? { (self as NSError).powerAuthErrorCode }
}

extension Optional where Wrapped == any Error {
  /// What went wrong; nil without an error, or for one that is not of this SDK.
  public var powerAuthErrorCode: PowerAuthErrorCode? { flatMap { ($0 as NSError).powerAuthErrorCode } }
}
