// SPDX-License-Identifier: Apache-2.0

internal import Foundation
internal import GatehouseTransport
internal import PowerAuthCore

/// Why a call failed, until it becomes the `NSError` that apps see. Holds no secret and no text of a person, but for
/// the body of the server's refusal, which only the app gets.
struct CallFailure: Error, Sendable {
  /// What a server that refused said.
  struct Refusal: Sendable {
    let status: Int
    let body: Data
  }

  let code: PowerAuthErrorCode
  let reason: String
  var refusal: Refusal?
  var transport: TransportError?

  init(_ code: PowerAuthErrorCode, _ reason: String) {
    self.code = code
    self.reason = reason
  }

  /// Any failure of this SDK's parts as a failure of a call.
  /// - Parameter code: for what has no code of its own.
  init(_ error: any Error, otherwise code: PowerAuthErrorCode) {
    switch error {
    case let failure as CallFailure: self = failure
    case is CancellationError: self.init(.operationCancelled, "The operation was cancelled.")
    case let error as TransportError: self.init(transport: error)
    case let error as SecureStoreError: self.init(.invalidActivationState, "Secure storage failed: \(error).")
    default: self.init(code, "The operation failed: \(type(of: error)).")
    }
  }

  init(transport error: TransportError) {
    if error.code == .cancelled {
      self.init(.operationCancelled, "The operation was cancelled.")
    } else {
      self.init(.networkError, "No answer came: \(error.code.rawValue).")
    }
    transport = error
  }

  init(refusal: Refusal) {
    self.init(.networkError, "The server answered with status \(refusal.status).")
    self.refusal = refusal
  }

  static let cancelled = CallFailure(.operationCancelled, "The operation was cancelled.")
  static let missingActivation = CallFailure(.missingActivation, "There is no activation.")
  static let activationPending = CallFailure(.activationPending, "The activation is not persisted yet.")

  /// The code of the server's error object.
  var serverCode: String? { refusal.flatMap { Self.envelope($0.body)?.responseObject.code } }

  private static func envelope(_ body: Data) -> ResponseEnvelope<PowerAuthFailure>? {
    try? JSONDecoder().decode(ResponseEnvelope<PowerAuthFailure>.self, from: body)
  }
}

extension CallFailure {
  /// The error as apps see it (powerauth.md §10).
  var nsError: NSError {
    var info: [String: Any] = [NSLocalizedDescriptionKey: reason]
    if let refusal {
      let envelope = Self.envelope(refusal.body)
      info[PowerAuthErrorDomain] = PowerAuthRestApiErrorResponse(
        httpStatusCode: UInt(refusal.status), status: envelope?.status.rawValue,
        responseObject: envelope.map {
          PowerAuthRestApiError(code: $0.responseObject.code, message: $0.responseObject.message, body: refusal.body)
        },
        currentRecoveryPukIndex: UInt(max(envelope?.responseObject.currentRecoveryPukIndex ?? 0, 0)))
      info[PowerAuthErrorInfoKey_ResponseData] = refusal.body
      if let members = (try? JSONSerialization.jsonObject(with: refusal.body)) as? [String: Any] {
        info[PowerAuthErrorInfoKey_AdditionalInfo] = members
      }
    }
    if let number = transport?.urlErrorNumber {
      info[NSUnderlyingErrorKey] = NSError(domain: NSURLErrorDomain, code: number)
    }
    return NSError(domain: PowerAuthErrorDomain, code: code.rawValue, userInfo: info)
  }
}

extension TransportError {
  /// The number that URLSession has for it, by which networking code tells a timeout from a missing network.
  fileprivate var urlErrorNumber: Int? {
    switch code {
    case .timedOut: NSURLErrorTimedOut
    case .offline: NSURLErrorNotConnectedToInternet
    case .unreachable: NSURLErrorCannotConnectToHost
    case .connectionLost: NSURLErrorNetworkConnectionLost
    case .insecure: NSURLErrorSecureConnectionFailed
    case .cancelled: NSURLErrorCancelled
    case .invalidAnswer, .answerTooLarge: NSURLErrorBadServerResponse
    default: nil
    }
  }
}
