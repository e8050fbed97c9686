import Configuration
import Console
import Kit

/// Servers that help the browsers of a call find each other.
struct CallSettings: Sendable {
  /// Browsers ask each of them.
  static let serversMax = 4

  var ice = ICEServers.none

  init() {}

  init(_ config: ConfigReader) throws {
    let stun = try Self.addresses(config, "calls.stun", ["stun", "stuns"], "stun:stun.bank.example:3478")
    let turn = try Self.addresses(config, "calls.turn", ["turn", "turns"], "turns:turn.bank.example:5349?transport=tcp")
    let secret = config.string(forKey: "calls.turnSecret", isSecret: true)
    guard turn.isEmpty == (secret ?? "").isEmpty else {
      throw SettingsError("calls.turn and calls.turnSecret are set together")
    }
    let isRelayOnly = config.bool(forKey: "calls.relayOnly", default: false)
    guard !isRelayOnly || !turn.isEmpty else { throw SettingsError("calls.relayOnly needs calls.turn") }
    ice = ICEServers(stun: stun, turn: turn, secret: secret, isRelayOnly: isRelayOnly)
  }

  private static func addresses(
    _ config: ConfigReader, _ key: ConfigKey, _ schemes: [String], _ example: String
  ) throws -> [String] {
    let texts = (config.string(forKey: key) ?? "").split(separator: " ").map(String.init)
    guard texts.count <= serversMax, texts.allSatisfy({ ICEServers.isAddress($0, schemes) }) else {
      throw SettingsError("\(key) is up to \(serversMax) addresses such as \(example), with spaces between")
    }
    return texts
  }
}
