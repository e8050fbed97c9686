// SPDX-License-Identifier: Apache-2.0

internal import Foundation
internal import GatehouseTransport
internal import PowerAuth2

/// Failures of the network by the numbers of URLSession, which published apps look at.
enum NetworkFailure {
  /// The device has no network, may not use the one that is there, or is abroad.
  static let offline: Set<Int> = [
    NSURLErrorNotConnectedToInternet, NSURLErrorInternationalRoamingOff, NSURLErrorDataNotAllowed,
  ]
  /// TLS failed.
  static let untrusted: Set<Int> = [
    NSURLErrorSecureConnectionFailed, NSURLErrorServerCertificateHasBadDate, NSURLErrorServerCertificateUntrusted,
    NSURLErrorServerCertificateHasUnknownRoot, NSURLErrorServerCertificateNotYetValid,
  ]

  static func reason(of code: Int) -> WPNErrorReason {
    if offline.contains(code) { return .network_noInternetConnection }
    if untrusted.contains(code) { return .network_sslError }
    return switch code {
    case NSURLErrorTimedOut: .network_timeOut
    case NSURLErrorBadServerResponse: .network_badServerResponse
    case NSURLErrorCancelled: .canceled
    default: .network_generic
    }
  }
}

extension WPNError {
  /// What the transport says, in the words of URLSession.
  convenience init(transport error: TransportError) {
    let number: Int =
      switch error.code {
      case .timedOut: NSURLErrorTimedOut
      case .offline: NSURLErrorNotConnectedToInternet
      case .unreachable: NSURLErrorCannotConnectToHost
      case .connectionLost: NSURLErrorNetworkConnectionLost
      case .insecure: NSURLErrorSecureConnectionFailed
      case .clearText: NSURLErrorAppTransportSecurityRequiresSecureConnection
      case .cancelled: NSURLErrorCancelled
      case .answerTooLarge: NSURLErrorDataLengthExceedsMaximum
      case .invalidAnswer: NSURLErrorBadServerResponse
      default: NSURLErrorUnknown
      }
    self.init(
      reason: NetworkFailure.reason(of: number),
      error: NSError(domain: NSURLErrorDomain, code: number, userInfo: [:]))
  }

  static func canceled() -> WPNError { WPNError(transport: TransportError(.cancelled)) }
}
