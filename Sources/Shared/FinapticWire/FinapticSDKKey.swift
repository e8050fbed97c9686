// SPDX-License-Identifier: Apache-2.0

public import Foundation
import GatehouseWire

/// What an app is given to reach its tenant: base64 of a JSON object (finaptic §2.2). Nothing in it is secret.
public struct FinapticSDKKey: Sendable, Hashable {
  /// Where the tenant's data is real, and where not.
  public enum Environment: String, Codable, Sendable {
    case sandbox, production
  }

  /// What is wrong with a key.
  public enum Fault: String, Error, Sendable, Hashable {
    case empty, notBase64, notJSON
    /// A member is missing or not of its kind; unknown versions are, too.
    case incomplete
    /// Clear text to another host than this one, or no address at all.
    case address
    /// Not `sha256/` and the base64 of 32 bytes.
    case pin
  }

  /// The form of the key.
  public static let version = 1

  public var environment: Environment
  /// 1…9999.
  public var tenantID: Int
  /// In front of `/finaptic/v1`.
  public var baseURL: URL
  /// Instead of `baseURL` for authentication.
  public var authURL: URL?
  /// Where conversations are.
  public var chatURL: URL?
  /// Goes into `X-Client-Key`.
  public var clientKey: String
  /// SHA-256 digests of the public keys (SubjectPublicKeyInfo, DER) one of which the server's chain must hold; empty
  /// for any chain that the system trusts.
  public var pins: Set<Data>

  /// Creates a key; `text` is what an app is given.
  public init(
    environment: Environment, tenantID: Int, baseURL: URL, authURL: URL? = nil, chatURL: URL? = nil, clientKey: String,
    pins: Set<Data> = []
  ) {
    (self.environment, self.tenantID, self.baseURL) = (environment, tenantID, baseURL)
    (self.authURL, self.chatURL, self.clientKey, self.pins) = (authURL, chatURL, clientKey, pins)
  }

  /// Reads a key.
  public init(_ text: String) throws(Fault) {
    let text = text.trimmingCharacters(in: .whitespacesAndNewlines)
    guard !text.isEmpty else { throw .empty }
    guard let data = Data(base64Encoded: text) else { throw .notBase64 }
    guard (try? JSONSerialization.jsonObject(with: data)) is [String: Any] else { throw .notJSON }
    guard let members = try? WireJSON.decode(Members.self, from: data), members.v == Self.version,
      (1...9999).contains(members.tenantId), !members.clientKey.isEmpty,
      members.clientKey.utf8.allSatisfy({ (0x21...0x7E).contains($0) })
    else { throw .incomplete }
    environment = members.env
    tenantID = members.tenantId
    clientKey = members.clientKey
    baseURL = try Self.address(members.baseUrl, secure: "https", clear: "http")
    authURL = try members.authUrl.map { text throws(Fault) in try Self.address(text, secure: "https", clear: "http") }
    chatURL = try members.chatUrl.map { text throws(Fault) in try Self.address(text, secure: "wss", clear: "ws") }
    pins = try Self.digests(members.pins ?? [])
  }

  /// The key as apps are given it.
  public var text: String {
    let members = Members(
      v: Self.version, env: environment, tenantId: tenantID, baseUrl: baseURL.absoluteString,
      authUrl: authURL?.absoluteString, chatUrl: chatURL?.absoluteString, clientKey: clientKey,
      pins: pins.isEmpty ? nil : pins.map { "sha256/\($0.base64EncodedString())" }.sorted())
    return (try? WireJSON.encode(members))?.base64EncodedString() ?? ""
  }

  private struct Members: Codable {
    var v: Int
    var env: Environment
    var tenantId: Int
    var baseUrl: String
    var authUrl: String?
    var chatUrl: String?
    var clientKey: String
    var pins: [String]?
  }

  private static func address(_ text: String, secure: String, clear: String) throws(Fault) -> URL {
    guard let url = URL(string: text), let scheme = url.scheme?.lowercased(), let host = url.host, !host.isEmpty,
      url.user == nil, url.password == nil, url.query == nil, url.fragment == nil
    else { throw .address }
    let isHere = ["localhost", "127.0.0.1", "::1", "[::1]"].contains(host)
    guard scheme == secure || (scheme == clear && isHere) else { throw .address }
    return url
  }

  private static func digests(_ pins: [String]) throws(Fault) -> Set<Data> {
    var digests: Set<Data> = []
    for pin in pins {
      guard pin.hasPrefix("sha256/"), let digest = Data(base64Encoded: String(pin.dropFirst(7))), digest.count == 32
      else { throw .pin }
      digests.insert(digest)
    }
    return digests
  }
}
