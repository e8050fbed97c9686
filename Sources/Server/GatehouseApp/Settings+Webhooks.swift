// SPDX-License-Identifier: Apache-2.0

import Configuration
import Delivery
import Foundation
import HTTP
import Kit
import Storage

/// How banks and partners are told what happened.
package struct WebhookSettings: Sendable {
  /// Whether addresses of this machine and of private networks are called, too, and without TLS: for development.
  package var allowsPrivate = false
  /// Networks of the institution's own in which receivers may be.
  package var networks: [PeerNetwork] = []
  /// PEM file of the only trusted certificates; nil is those of the machine.
  var authorityFile: String?
  /// Seconds that a receiver may take for a whole call.
  var timeout = 15

  init() {}

  // What docs/reference/settings.md tells of them.
  // webhooks.allowPrivate (default: false; true with a demo bank): whether addresses of this machine and of private
  //   networks are called, too, and without TLS: for development
  // webhooks.networks: networks of the institution's own in which receivers may be, as 10.20.0.0/16 or one address:
  //   they are called over HTTPS, and neither this machine nor what clouds answer metadata by

  init(_ config: ConfigReader) throws {
    allowsPrivate = config.bool(forKey: "webhooks.allowPrivate", default: allowsPrivate)
    networks = try config.stringArray(forKey: "webhooks.networks", default: []).map(Self.network)
    authorityFile = config.string(forKey: "webhooks.ca")
    timeout = try config.int(forKey: "webhooks.timeout", default: timeout, in: 1...60)
  }

  private static func network(_ text: String) throws -> PeerNetwork {
    let text = text.trimmingCharacters(in: .whitespaces)
    let parts = text.split(separator: "/", omittingEmptySubsequences: false).map(String.init)
    guard IPNetwork(text) != nil, parts.count <= 2 else {
      throw SettingsError("webhooks.networks is networks such as 10.20.0.0/16, without bits behind their length")
    }
    let all = parts[0].contains(":") ? 128 : 32
    let network = PeerNetwork(address: parts[0], bits: parts.count == 2 ? Int(parts[1]) ?? all : all)
    guard network.isUsable else {
      throw SettingsError("webhooks.networks names what is never called: this machine, a link, or a cloud's metadata")
    }
    return network
  }

  /// - Parameters:
  ///   - hasDemoBank: it takes webhooks on this machine, and is of sandboxes only.
  ///   - ownAuthorityFile: PEM file of the only certificates that the institution's own server is trusted by; nil for
  ///     those of the machine.
  func capability(
    database: any SQLDatabase, vault: Vault, world: World, hasDemoBank: Bool, ownAuthorityFile: String?
  ) -> Webhooks {
    var policy = WebhookPolicy()
    let allowsPrivate = allowsPrivate || hasDemoBank
    policy.allowsPrivate = allowsPrivate
    policy.networks = networks
    let threads = BlockingThreadPool("webhooks", width: 8)
    func http(_ authorityFile: String?, isPublicOnly: Bool) -> PeerHTTP {
      .curl(
        threads: threads, caFile: authorityFile, timeout: .seconds(timeout), isPublicOnly: isPublicOnly,
        networks: networks, answerMax: nil)
    }
    return Webhooks(
      database: database, vault: vault, world: world, http: http(authorityFile, isPublicOnly: !allowsPrivate),
      ownHTTP: http(ownAuthorityFile, isPublicOnly: false), policy: policy)
  }
}
