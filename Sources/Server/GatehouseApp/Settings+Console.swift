// SPDX-License-Identifier: Apache-2.0

import Configuration
import Foundation
import Identity
import Kit

/// Where an institution's staff finds the pages of the console.
struct ConsoleSettings: Sendable {
  /// Where browsers reach this server; nil is where one of its other parts is reached.
  var publicURL: String?
  /// By which identity providers staff sign in.
  var openID = OpenIDSettings()

  init() {}

  // What docs/reference/settings.md tells of them.
  // console.openid: JSON file of the identity providers that staff sign in by

  init(_ config: ConfigReader) throws {
    publicURL = try config.publicURL(
      forKey: "console.publicUrl",
      rule: "an address such as https://console.bank.example, without a slash at its end")
    openID.file = config.string(forKey: "console.openid")
  }
}

extension Settings {
  /// Whether browsers come over TLS only, so that cookies are never sent without it.
  var consoleIsSecure: Bool {
    if let own = console.publicURL { return own.hasPrefix("https:") }
    // One listener serves all parts: where one is behind TLS, all are. And an installation with customers is.
    return !isSandbox || ofModules.values.contains { $0.publicURL?.hasPrefix("https:") == true }
  }

  /// Where browsers reach the console; without a setting on this machine only.
  var consoleAddress: String { console.publicURL ?? "http://localhost:\(port)" }

  /// Security keys are bound to the host of the console's own address; without one they work on this machine only.
  var consoleWebAuthn: WebAuthn {
    console.publicURL.flatMap(URL.init(string:)).flatMap(WebAuthn.init(address:))
      ?? WebAuthn(relyingParty: "localhost", origin: "http://localhost:\(port)")
  }
}
