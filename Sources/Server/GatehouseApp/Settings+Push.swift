// SPDX-License-Identifier: Apache-2.0

import Configuration
import Delivery
import Foundation
import Kit

/// How notifications reach devices.
struct PushSettings: Sendable {
  var apns: APNsSettings?
  var fcm: FCMSettings?
  /// PEM file of the only trusted certificates, where a relay stands in between.
  var authorityFile: String?

  init() {}

  // What docs/reference/settings.md tells of them.
  // push.apns.keyFile: PEM file of Apple's key for notifications (P-256); without it none go to Apple's devices
  // push.apns.sandbox: whether Apple's servers for development are used
  // push.apns.keyId: id of the key
  // push.apns.teamId: id of the team
  // push.apns.topic: bundle id of the app
  // push.apns.url (default: Apple's address, by push.apns.sandbox): address of a relay in between, https
  // push.fcm.accountFile: JSON file of the service account for Firebase Cloud Messaging; without it none go to
  //   Google's devices
  // push.fcm.url (default: Google's address): address of a relay in between, https

  init(_ config: ConfigReader) throws {
    authorityFile = config.string(forKey: "push.ca")
    do {
      if let file = config.string(forKey: "push.apns.keyFile") {
        let isSandbox = config.bool(forKey: "push.apns.sandbox", default: false)
        apns = try APNsSettings(
          key: String(decoding: Self.read(file, "push.apns.keyFile"), as: UTF8.self),
          keyID: config.requiredString(forKey: "push.apns.keyId"),
          teamID: config.requiredString(forKey: "push.apns.teamId"),
          topic: config.requiredString(forKey: "push.apns.topic"),
          base: config.string(
            forKey: "push.apns.url", default: isSandbox ? APNsSettings.sandbox : APNsSettings.production))
      }
      if let file = config.string(forKey: "push.fcm.accountFile") {
        fcm = try FCMSettings(
          account: Self.read(file, "push.fcm.accountFile"),
          base: config.string(forKey: "push.fcm.url", default: FCMSettings.production))
      }
    } catch let wrong as PushSettingsError {
      throw SettingsError(Self.sentence(wrong))
    }
  }

  /// - Parameter otherwise: for platforms whose service was not named.
  func gateway(world: World, otherwise: PushGateway) -> PushGateway {
    let http = PeerHTTP.curl(
      threads: BlockingThreadPool("push", width: 8, pendingMax: 1024), caFile: authorityFile, keepsConnections: true)
    return .platforms(
      apple: apns.map { .apns($0, http: http, world: world) } ?? otherwise,
      google: fcm.map { .fcm($0, http: http, world: world) } ?? otherwise)
  }

  private static func read(_ file: String, _ key: String) throws -> Data {
    guard let data = FileManager.default.contents(atPath: file) else {
      throw SettingsError("\(key) names a file that \(SettingsError.unread)")
    }
    return data
  }

  private static func sentence(_ wrong: PushSettingsError) -> String {
    switch wrong {
    case .key: "push: the file holds no private key of the right kind in PEM (APNs: P-256; FCM: RSA)"
    case .value(let name): "push: \(name) is not of its form"
    case .url: "push: addresses begin with https:// and have no slash at their end"
    case .account: "push.fcm.accountFile is the JSON file of a service account"
    }
  }
}
