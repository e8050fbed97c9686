// SPDX-License-Identifier: Apache-2.0

public import Foundation
public import GatehouseWire
public import SaltEdgeCore

/// The bond between this app, a user and a bank, as it is kept on the device (specification §10.1): the ten fields of
/// the published record and what came later.
public struct Connection: Codable, Sendable, Equatable, Redacted {
  /// Whether it is good for anything.
  public enum Status: String, Codable, Sendable {
    case active
    /// The service does not know it any more: offer to reconnect (§10.7).
    case inactive

    /// Reads either case.
    public init(from decoder: any Decoder) throws {
      let word = try decoder.singleValueContainer().decode(String.self)
      self = word.lowercased() == Self.active.rawValue ? .active : .inactive
    }
  }

  /// The service's name for it.
  public internal(set) var id: String
  /// Ours: a UUID in capitals, and the alias of its keys.
  public let guid: String
  /// Of the bank, for people; unlike all others on this device.
  public internal(set) var name: String
  /// Of the bank; in v2 its provider id.
  public internal(set) var code: String
  /// As the configuration says: what links of v1 name the bank by, and the prefix of all calls unless `baseURL` is set.
  public internal(set) var connectURL: URL
  /// Of the bank.
  public internal(set) var logoURL: URL?
  /// Proves every call; never to be shown or logged.
  package internal(set) var accessToken: String
  /// Whether it is good for anything.
  public internal(set) var status: Status
  /// When it was first connected.
  public let createdAt: WireInstant
  /// When anything of it last changed.
  public internal(set) var updatedAt: WireInstant
  /// When the bank last said yes.
  let connectedAt: WireInstant

  /// 1 or 2.
  public let apiVersion: Int
  /// v2 only.
  public internal(set) var providerID: String?
  /// Of the bank.
  public internal(set) var supportEmail: String?
  /// Whether there are consents to list. v2 does not say: then there may be.
  public internal(set) var managesConsents: Bool
  /// True when a place must be sent with every decision, false when it may be, nil when it is of no use (§10.8). Ask
  /// for
  /// the permission unless it is nil.
  public internal(set) var requiresGeolocation: Bool?
  /// Where the bank describes itself.
  public let configurationURL: URL
  /// Called instead of `connectURL`.
  public let baseURL: URL?
  /// The push token that the service has.
  package internal(set) var pushToken: String?

  package var serviceURL: URL { baseURL ?? connectURL }

  enum CodingKeys: String, CodingKey {
    case id, guid, name, code, status
    case connectURL = "connect_url"
    case logoURL = "logo_url"
    case accessToken = "access_token"
    case createdAt = "created_at"
    case updatedAt = "updated_at"
    case connectedAt = "connected_at"
    case apiVersion = "api_version"
    case providerID = "provider_id"
    case supportEmail = "support_email"
    case managesConsents = "consent_management"
    case requiresGeolocation = "geolocation_required"
    case configurationURL = "configuration_url"
    case baseURL = "base_url"
    case pushToken = "push_token"
  }
}

extension Connection {
  /// One that no bank knows: for specimens of screens.
  package init(
    specimen guid: String, name: String, status: Status, at instant: WireInstant, bank: URL, supportEmail: String? = nil
  ) {
    self.init(
      id: guid, guid: guid, name: name, code: name, connectURL: bank, logoURL: nil, accessToken: "", status: status,
      createdAt: instant, updatedAt: instant, connectedAt: instant, apiVersion: 2, providerID: nil,
      supportEmail: supportEmail, managesConsents: true, requiresGeolocation: nil, configurationURL: bank, baseURL: nil,
      pushToken: nil)
  }
}
