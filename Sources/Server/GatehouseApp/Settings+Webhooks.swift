// SPDX-License-Identifier: Apache-2.0

import Configuration
import Delivery
import Kit
import Storage

/// How banks and partners are told what happened.
package struct WebhookSettings: Sendable {
  /// Whether addresses of this machine and of private networks are called, too, and without TLS: for development.
  package var allowsPrivate = false
  /// PEM file of the only trusted certificates; nil is those of the machine.
  var authorityFile: String?
  /// Seconds that a receiver may take for a whole call.
  var timeout = 15

  init() {}

  // What docs/reference/settings.md tells of them.
  // webhooks.allowPrivate (default: false; true with a demo bank): whether addresses of this machine and of private
  //   networks are called, too, and without TLS: for development

  init(_ config: ConfigReader) throws {
    allowsPrivate = config.bool(forKey: "webhooks.allowPrivate", default: allowsPrivate)
    authorityFile = config.string(forKey: "webhooks.ca")
    timeout = try config.int(forKey: "webhooks.timeout", default: timeout, in: 1...60)
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
    let threads = BlockingThreadPool("webhooks", width: 8)
    func http(_ authorityFile: String?, isPublicOnly: Bool) -> PeerHTTP {
      .curl(
        threads: threads, caFile: authorityFile, timeout: .seconds(timeout), isPublicOnly: isPublicOnly,
        answerMax: nil)
    }
    return Webhooks(
      database: database, vault: vault, world: world, http: http(authorityFile, isPublicOnly: !allowsPrivate),
      ownHTTP: http(ownAuthorityFile, isPublicOnly: false), policy: policy)
  }
}
