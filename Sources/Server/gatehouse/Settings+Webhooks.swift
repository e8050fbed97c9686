import Capabilities
import Configuration
import Kit
import Storage

/// How banks and partners are told what happened.
struct WebhookSettings: Sendable {
  /// Whether addresses of this machine and of private networks are called, too, and without TLS: for development.
  var allowsPrivate = false
  /// PEM file of the only trusted certificates; nil is those of the machine.
  var authorityFile: String?
  /// Seconds that a receiver may take for a whole call.
  var timeout = 15

  init() {}

  init(_ config: ConfigReader) throws {
    allowsPrivate = config.bool(forKey: "webhooks.allowPrivate", default: allowsPrivate)
    authorityFile = config.string(forKey: "webhooks.ca")
    timeout = config.int(forKey: "webhooks.timeout", default: timeout)
    guard (1...60).contains(timeout) else { throw SettingsError("webhooks.timeout is between 1 and 60 seconds") }
  }

  func capability(database: any SQLDatabase, vault: Vault, world: World) -> Webhooks {
    var policy = WebhookPolicy()
    policy.allowsPrivate = allowsPrivate
    let http = PeerHTTP.curl(
      lanes: BlockingLanes("webhooks", width: 8), caFile: authorityFile, timeout: .seconds(timeout),
      isPublicOnly: !allowsPrivate)
    return Webhooks(database: database, vault: vault, world: world, http: http, policy: policy)
  }
}
