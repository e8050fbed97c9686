// SPDX-License-Identifier: Apache-2.0

internal import FinapticWire
internal import Foundation
internal import GatehouseTransport
internal import GatehouseWire

extension FinapticErrorCode {
  /// The status behind the code.
  var family: FinapticErrorCode {
    FinapticErrorCode(rawValue: FinapticCode(rawValue: rawValue).family.rawValue) ?? .unknown
  }
}

/// The certificate pinning of the SDK key refused the server, or this platform cannot check the pins.
struct PinningFailure: Error, Sendable, CustomStringConvertible {
  var description: String {
    #if canImport(Security)
      "certificate pinning: no certificate of the server's chain is one of the SDK key's"
    #else
      "certificate pinning: this platform cannot check the SDK key's pins"
    #endif
  }
}

extension FinapticError {
  /// What a refusal says. One without the server's own words, say from a proxy, is told by its status.
  init(_ response: TransportResponse) {
    guard let body = try? WireJSON.decode(FinapticAPI.ErrorBody.self, from: response.body) else {
      let family = FinapticCode.family(ofStatus: response.status)
      self.init(code: FinapticErrorCode(rawValue: family.rawValue) ?? .unknown, message: "HTTP \(response.status)")
      return
    }
    let generic = FinapticErrorCode(rawValue: FinapticCode(rawValue: body.code).family.rawValue) ?? .unknown
    let word = body.details?.errorCode ?? body.code
    let code = FinapticErrorCode(rawValue: word)
    let violations = (body.details?.fieldViolations ?? []).map {
      FieldViolation(field: $0.field, description: $0.description)
    }
    self.init(
      code: code ?? .unknown, message: code == nil ? "\(word): \(body.message)" : body.message, genericCode: generic,
      refNumber: body.details?.refNumber, fieldViolations: violations)
  }

  /// What it means that no answer came.
  /// - Parameter isPinned: whether the SDK key has pins.
  init(_ error: TransportError, isPinned: Bool) {
    switch error.code {
    case .timedOut:
      self.init(code: .deadlineExceeded, message: "The server did not answer in time.", cause: error)
    case .cancelled: self.init(code: .cancelled, message: "The call was cancelled.", cause: error)
    case .insecure where isPinned:
      let cause = PinningFailure()
      self.init(code: .unavailable, message: "The server is not trusted: \(cause).", cause: cause)
    case .insecure: self.init(code: .unavailable, message: "The server is not trusted.", cause: error)
    case .answerTooLarge, .invalidAnswer, .unsupported, .unexpectedCall, .clearText:
      self.init(code: .unknown, message: "The server's answer cannot be read.", cause: error)
    default: self.init(code: .unavailable, message: "The server cannot be reached.", cause: error)
    }
  }

  /// An answer that does not fit this interface. Names the part that does not, without its content.
  static func unreadable(_ part: String, cause: (any Error)? = nil) -> FinapticError {
    FinapticError(code: .unknown, message: "The server's answer cannot be read: \(part).", cause: cause)
  }

  /// The tokens could not be read or kept.
  init(_ error: SecureStoreError) {
    self.init(code: .internal, message: "The device's secure storage failed.", cause: error)
  }
}
