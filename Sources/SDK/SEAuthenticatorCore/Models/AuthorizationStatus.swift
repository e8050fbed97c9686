// SPDX-License-Identifier: Apache-2.0

package import SaltEdgeWire

/// Where an authorization of v2 stands (saltedge-authenticator §5.6).
public enum AuthorizationStatus: String, Codable, Sendable, CaseIterable {
  case pending
  /// Older services' word for both of the next; and whatever word this version does not know, which is not to be
  /// decided now and may change still.
  case processing
  case confirmProcessing = "confirm_processing"
  case denyProcessing = "deny_processing"
  case confirmed
  case denied
  case error
  case timeOut = "time_out"
  case unavailable
  case closed

  package init(_ wire: SaltEdgeV2.AuthorizationStatus) { self = Self(rawValue: wire.rawValue) ?? .processing }

  /// Reads a word, also one that this version does not know: one new word must not spoil a list.
  public init(from decoder: any Decoder) throws { self.init(try SaltEdgeV2.AuthorizationStatus(from: decoder)) }

  private var wire: SaltEdgeV2.AuthorizationStatus { .init(rawValue: rawValue) }

  /// Whether nothing will change any more.
  public var isFinal: Bool { wire.isFinal }
  /// Whether the bank has to answer still.
  public var isProcessing: Bool { wire.isProcessing }
  /// Whether it is to be hidden: withdrawn, or decided elsewhere.
  public var isClosed: Bool { wire.isClosed }
}
