// SPDX-License-Identifier: Apache-2.0

import Crypto
import Foundation
import Kit

/// A file that pages load from this server, under a name that changes with its content.
package struct Asset: Sendable {
  package static let stylesheet = Asset(
    "gatehouse", "css", "text/css; charset=utf-8", PackageResources.gatehouse_css)
  static let icon = Asset("icon", "svg", "image/svg+xml", PackageResources.icon_svg)
  static let again = script("again", PackageResources.again_js)
  static let api = script("api", PackageResources.api_js)
  static let call = script("call", PackageResources.call_js)
  static let chat = script("chat", PackageResources.chat_js)
  static let idle = script("idle", PackageResources.idle_js)
  static let keys = script("keys", PackageResources.keys_js)
  static let passkey = script("passkey", PackageResources.passkey_js)
  static let queue = script("queue", PackageResources.queue_js)
  static let upload = script("upload", PackageResources.upload_js)
  static let viewer = script("viewer", PackageResources.viewer_js)

  static let all = [stylesheet, icon, again, api, call, chat, idle, keys, passkey, queue, upload, viewer]

  /// The last piece of its path.
  let name: String
  let type: String
  package let bytes: [UInt8]

  package var path: String { "/assets/\(name)" }

  private init(_ stem: String, _ ending: String, _ type: String, _ bytes: [UInt8]) {
    name = "\(stem)-\(SHA256.hash(data: bytes).hex.prefix(16)).\(ending)"
    (self.type, self.bytes) = (type, bytes)
  }

  private static func script(_ stem: String, _ bytes: [UInt8]) -> Asset {
    Asset(stem, "js", "text/javascript; charset=utf-8", bytes)
  }
}
