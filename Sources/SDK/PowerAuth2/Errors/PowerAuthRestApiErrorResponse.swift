// SPDX-License-Identifier: Apache-2.0

internal import Foundation

/// What a server that refused a request said (powerauth.md §8, §10).
public final class PowerAuthRestApiErrorResponse: Sendable {
  /// HTTP status.
  public let httpStatusCode: UInt
  /// `ERROR`; nil when the body was none of the server's.
  public let status: String?
  /// Nil when the body was none of the server's.
  public let responseObject: PowerAuthRestApiError?
  /// Which PUK of a recovery code is the next one; zero when the server did not say.
  public let currentRecoveryPukIndex: UInt

  init(httpStatusCode: UInt, status: String?, responseObject: PowerAuthRestApiError?, currentRecoveryPukIndex: UInt) {
    self.httpStatusCode = httpStatusCode
    self.status = status
    self.responseObject = responseObject
    self.currentRecoveryPukIndex = currentRecoveryPukIndex
  }
}

/// The server's reason, as a code and a name.
public final class PowerAuthRestApiError: Sendable {
  /// Such as `ERR_AUTHENTICATION`.
  public let code: String
  /// Such as `POWER_AUTH_SIGNATURE_INVALID`; no text for people.
  public let message: String
  private let body: Data

  init(code: String, message: String, body: Data) {
    self.code = code
    self.message = message
    self.body = body
  }

  /// Which PUK of a recovery code is the next one; zero when the server did not say.
  public var currentRecoveryPukIndex: UInt {
    UInt(max((additionalInfo?["currentRecoveryPukIndex"] as? NSNumber)?.intValue ?? 0, 0))
  }

  /// The members of the server's `responseObject`, code and message among them.
  public var additionalInfo: [String: Any]? {
    ((try? JSONSerialization.jsonObject(with: body)) as? [String: Any])?["responseObject"] as? [String: Any]
  }
}
