// SPDX-License-Identifier: Apache-2.0

public import GatehouseTransport
public import SaltEdgeWire

/// Why something was not done. Safe to log as text: it prints classes and kinds, no token, address or message.
public struct AuthenticatorError: Error, Sendable, Equatable, CustomStringConvertible {
  /// How far it came.
  public enum Kind: Sendable, Equatable {
    /// The service said no, with this HTTP status; `errorClass` says why.
    case refused(status: Int)
    /// No answer came. What was asked may have been done.
    case transport(TransportError)
    /// An answer came that cannot be read.
    case unreadable(status: Int)
    /// Nothing was sent: what it was to be made of is not usable.
    case notSent
    /// There is no private key for the connection, so that nothing can be signed: reconnect.
    case keyMissing
    /// The device's store refused.
    case store(SecureStoreError)
    /// The bank's sign-in page ended without a token, or with one that is not for this device (§4.3, §5.3).
    case authentication
    /// The user left the bank's page.
    case abandoned
    /// What was asked is not legal now; `errorClass` says what is in the way.
    case outOfOrder
  }

  /// How far it came.
  public let kind: Kind
  /// The class of the body when it had one, word for word; else one of ours (specification §6).
  public let errorClass: SaltEdge.ErrorClass
  /// For people, in the words of the side that refused; never empty.
  public let message: String

  /// Creates the error.
  public init(_ kind: Kind, _ errorClass: SaltEdge.ErrorClass, message: String? = nil) {
    self.kind = kind
    self.errorClass = errorClass
    self.message = message.flatMap { $0.isEmpty ? nil : $0 } ?? errorClass.rawValue
  }

  /// No answer came.
  package init(_ error: TransportError) {
    let errorClass: SaltEdge.ErrorClass =
      switch error.code {
      case .insecure: .sslHandshake
      case .offline, .unreachable, .timedOut, .connectionLost: .hostUnreachable
      case .answerTooLarge, .invalidAnswer: .apiResponse
      default: .apiRequest
      }
    self.init(.transport(error), errorClass)
  }

  package init(_ error: SecureStoreError) { self.init(.store(error), .deviceStore) }

  /// Whether the connection is good for nothing any more and has to be made again (§5.10, §10.7).
  public var endsConnection: Bool { [.connectionNotFound, .connectionRevoked].contains(errorClass) }

  /// Whether what the device kept is damaged for good, and not only out of reach now.
  var isUnreadableStore: Bool {
    if case .store(let cause) = kind { cause.code == .tampered } else { false }
  }

  /// Whether the same may succeed a moment later.
  public var isTransient: Bool {
    switch kind {
    case .transport(let error): error.isTransient
    case .refused(let status), .unreadable(let status): [429, 502, 503, 504].contains(status)
    default: false
    }
  }

  /// The class when this version knows it, and how far it came.
  public var description: String {
    let known = SaltEdge.ErrorClass.known + SaltEdge.ErrorClass.madeHere
    let word = known.contains(errorClass) ? errorClass.rawValue : "other"
    let place =
      switch kind {
      case .refused(let status): "refused \(status)"
      case .unreadable(let status): "unreadable \(status)"
      case .transport(let error): error.code.rawValue
      case .store(let error): error.code.rawValue
      case .notSent: "not-sent"
      case .keyMissing: "key-missing"
      case .authentication: "authentication"
      case .abandoned: "abandoned"
      case .outOfOrder: "out-of-order"
      }
    return "AuthenticatorError(\(word), \(place))"
  }
}
