// SPDX-License-Identifier: Apache-2.0

import GatehouseWire

extension SaltEdgeV2 {
  /// Where a connection stands (§5.4).
  public struct ConnectionStatus: OpenEnumeration {
    /// The word on the wire.
    public let rawValue: String

    /// Wraps any word, also one that this version does not know.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// `authentication_pending`: the customer signs in.
    public static let authenticationPending = ConnectionStatus(rawValue: "authentication_pending")
    /// `authentication_fail`.
    public static let authenticationFail = ConnectionStatus(rawValue: "authentication_fail")
    /// `valid`.
    public static let valid = ConnectionStatus(rawValue: "valid")
    /// `revoked`.
    public static let revoked = ConnectionStatus(rawValue: "revoked")

    /// Every word that this version knows, in the order of the specification.
    public static let known: [ConnectionStatus] = [
      .authenticationPending, .authenticationFail, .valid, .revoked,
    ]
  }
}

extension SaltEdgeV2 {
  /// Where an authorization stands (§5.6). Released apps fail on any other word.
  public struct AuthorizationStatus: OpenEnumeration {
    /// The word on the wire.
    public let rawValue: String

    /// Wraps any word, also one that this version does not know.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// `pending`: waits for the customer.
    public static let pending = AuthorizationStatus(rawValue: "pending")
    /// `processing`: older services' word for both of the next.
    public static let processing = AuthorizationStatus(rawValue: "processing")
    /// `confirm_processing`: the bank has not answered yet.
    public static let confirmProcessing = AuthorizationStatus(rawValue: "confirm_processing")
    /// `deny_processing`: the bank has not answered yet.
    public static let denyProcessing = AuthorizationStatus(rawValue: "deny_processing")
    /// `confirmed`.
    public static let confirmed = AuthorizationStatus(rawValue: "confirmed")
    /// `denied`.
    public static let denied = AuthorizationStatus(rawValue: "denied")
    /// `error`: the bank refused or failed.
    public static let error = AuthorizationStatus(rawValue: "error")
    /// `time_out`: expired undecided.
    public static let timeOut = AuthorizationStatus(rawValue: "time_out")
    /// `unavailable`: cannot be decided any more.
    public static let unavailable = AuthorizationStatus(rawValue: "unavailable")
    /// `closed`: withdrawn, or decided elsewhere.
    public static let closed = AuthorizationStatus(rawValue: "closed")

    /// Every word that this version knows, in the order of the specification.
    public static let known: [AuthorizationStatus] = [
      .pending, .processing, .confirmProcessing, .denyProcessing, .confirmed, .denied, .error, .timeOut,
      .unavailable, .closed,
    ]

    /// Whether nothing will change any more.
    public var isFinal: Bool { [.confirmed, .denied, .error, .timeOut, .unavailable].contains(self) }
    /// Whether the bank has to answer still.
    public var isProcessing: Bool { [.processing, .confirmProcessing, .denyProcessing].contains(self) }
    /// Whether clients hide it.
    public var isClosed: Bool { self == .closed }
  }
}
