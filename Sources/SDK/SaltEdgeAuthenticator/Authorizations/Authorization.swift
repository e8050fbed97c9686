// SPDX-License-Identifier: Apache-2.0

public import GatehouseWire
public import SaltEdgeCore
internal import SaltEdgeWire

/// Something to be confirmed or denied, as the bank encrypted it for this device (specification §4.6, §5.6).
public struct Authorization: Sendable, Equatable, Identifiable, Redacted {
  /// Ids of services say nothing without their connection.
  public struct ID: Hashable, Sendable {
    /// The connection's guid.
    public let connection: String
    /// The service's name for it.
    public let id: String

    /// Names an authorization.
    public init(connection: String, id: String) { (self.connection, self.id) = (connection, id) }
  }

  /// Its connection and the service's name for it.
  public let id: ID
  /// For people, in one line.
  public let title: String
  /// What it is about.
  public let content: AuthorizationContent
  /// By the bank's clock.
  public let createdAt: WireInstant
  /// When it can be decided no more.
  public let expiresAt: WireInstant
  /// What is to be shown about it.
  public package(set) var state: AuthorizationState
  /// To be given back, word for word.
  package let code: String?

  /// Seconds that are left, rounded up; zero when none are.
  public func secondsLeft(at now: WireInstant) -> Int {
    Int(max(0, (expiresAt.millisecondsSince1970 - now.millisecondsSince1970 + 999) / 1000))
  }

  /// Seconds from beginning to end, for a bar that runs out.
  public var lifetimeSeconds: Int {
    Int(max(0, (expiresAt.millisecondsSince1970 - createdAt.millisecondsSince1970) / 1000))
  }

  func isExpired(at now: WireInstant) -> Bool { expiresAt <= now }
}

extension Authorization {
  /// One that no service listed: for specimens of screens.
  package init(
    specimen id: ID, title: String, content: AuthorizationContent, createdAt: WireInstant, expiresAt: WireInstant,
    state: AuthorizationState
  ) {
    self.init(
      id: id, title: title, content: content, createdAt: createdAt, expiresAt: expiresAt, state: state, code: nil)
  }
}

/// What is shown about an authorization (§10.6).
public enum AuthorizationState: String, Sendable {
  /// Waits for the user.
  case pending
  /// The user decided; the bank has not answered yet.
  case processing
  /// Decided.
  case confirmed, denied
  /// The bank refused or failed.
  case error
  /// Expired undecided.
  case timeOut
  /// Cannot be decided any more.
  case unavailable

  /// Whether nothing will change any more.
  public var isFinal: Bool { self != .pending && self != .processing }

  /// - Returns: nil for what is not shown: closed, or a word that this version does not know.
  init?(_ status: SaltEdgeV2.AuthorizationStatus) {
    switch status {
    case .pending: self = .pending
    case .processing, .confirmProcessing, .denyProcessing: self = .processing
    case .confirmed: self = .confirmed
    case .denied: self = .denied
    case .error: self = .error
    case .timeOut: self = .timeOut
    case .unavailable: self = .unavailable
    default: return nil
    }
  }
}
