public import GatehouseWire
public import SaltEdgeCore

/// Something to be confirmed or denied, as the bank encrypted it for this device (specification §4.6, §5.6).
public struct Authorization: Sendable, Equatable, Identifiable, Redacted {
  /// Ids of services say nothing without their connection.
  public struct ID: Hashable, Sendable {
    /// The connection's guid.
    public let connection: String
    /// The service's name for it.
    public let id: String

    public init(connection: String, id: String) { (self.connection, self.id) = (connection, id) }
  }

  public let id: ID
  public let title: String
  public let content: AuthorizationContent
  public let createdAt: WireInstant
  public let expiresAt: WireInstant
  public internal(set) var state: AuthorizationState
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

/// What is shown about an authorization (§10.6).
public enum AuthorizationState: String, Sendable {
  /// Waits for the user.
  case pending
  /// The user decided; the bank has not answered yet.
  case processing
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
