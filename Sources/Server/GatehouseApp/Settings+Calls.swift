// SPDX-License-Identifier: Apache-2.0

import Configuration
import Console
import Delivery
import Kit

/// Servers that help the browsers of a call find each other.
struct CallSettings: Sendable {
  /// Browsers ask each of them.
  static let serversMax = 4

  /// The institution's recorder.
  struct Recording: Sendable {
    let url: String
    let secret: WebhookSecret
    /// How long it may keep a call.
    let keepDays: Int
    /// Whether it is told of calls that begin. That a call ended which it records, it is told in any case.
    let isOn: Bool
  }

  var ice = ICEServers.none
  /// Nil unless there is a recorder.
  var recording: Recording?

  init() {}

  // What docs/reference/settings.md tells of them.
  // calls.stun: up to four addresses of STUN servers, with spaces between, for calls on our pages across networks
  // calls.turn: up to four addresses of TURN servers, with spaces between; set together with calls.turnSecret
  // calls.turnSecret: the secret that the TURN servers share with this one (coturn's static-auth-secret)
  // calls.relayOnly: whether calls on our pages go by the TURN servers only, so that neither browser learns the
  //   address of the other
  // calls.record: whether the institution's own recorder is told of calls on our pages
  // calls.recorder: https address where the recorder is told
  // calls.recorderSecret: the secret, whsec_ and base64, that webhooks to the recorder are signed with
  // calls.recordingDays: days after which the recorder deletes a call, 1 to 3650

  init(_ config: ConfigReader) throws {
    let stun = try Self.addresses(config, "calls.stun", ["stun", "stuns"], "stun:stun.bank.example:3478")
    let turn = try Self.addresses(
      config, "calls.turn", ["turn", "turns"], "turns:turn.bank.example:5349?transport=tcp")
    let secret = config.string(forKey: "calls.turnSecret", isSecret: true)
    guard turn.isEmpty == (secret ?? "").isEmpty else {
      throw SettingsError("calls.turn and calls.turnSecret are set together")
    }
    let isRelayOnly = config.bool(forKey: "calls.relayOnly", default: false)
    guard !isRelayOnly || !turn.isEmpty else { throw SettingsError("calls.relayOnly needs calls.turn") }
    ice = ICEServers(stun: stun, turn: turn, secret: secret, isRelayOnly: isRelayOnly)
    recording = try Self.recording(config)
  }

  private static func recording(_ config: ConfigReader) throws -> Recording? {
    let isOn = config.bool(forKey: "calls.record", default: false)
    let secret = config.string(forKey: "calls.recorderSecret", isSecret: true).flatMap { WebhookSecret($0) }
    let address = config.string(forKey: "calls.recorder")
    let days = config.int(forKey: "calls.recordingDays")
    guard let address, WebAddress(address)?.isSecure == true, let secret, let days, (1...3650).contains(days)
    else {
      // A part of it would not be told that a call ended which it records.
      guard isOn || address != nil || secret != nil || days != nil else { return nil }
      throw SettingsError(
        "the recorder of calls needs an https address in calls.recorder, a secret such as whsec_… in "
          + "calls.recorderSecret, and 1 to 3650 in calls.recordingDays")
    }
    return Recording(url: address, secret: secret, keepDays: days, isOn: isOn)
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
