// SPDX-License-Identifier: Apache-2.0

import Foundation

/// The query of a link: items as they are sent, each percent-decoded once. `+` is a plus, as iOS reads it; a URL
/// within that was not encoded reaches to the next `&` (specification §3).
package struct LinkQuery {
  /// A QR code holds 4,296 letters at most (ISO/IEC 18004), a redirect an encrypted token beside an address.
  static let bytesMax = 8192
  /// What stays as it is when it is encoded: the unreserved characters of RFC 3986 §2.3.
  private static let unreserved = CharacterSet(
    charactersIn: "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~")

  private var items: [Substring: String] = [:]

  /// - Returns: nil when the link is too long.
  package init?(of link: String) {
    guard link.utf8.count <= Self.bytesMax else { return nil }
    let beforeFragment = link.unicodeScalars.prefix { $0 != "#" }
    let query = Substring(beforeFragment.drop { $0 != "?" }.dropFirst())
    for item in query.unicodeScalars.split(separator: "&") {
      let name = item.prefix { $0 != "=" }
      guard name.endIndex < item.endIndex,
        let value = String(item[name.endIndex...].dropFirst()).removingPercentEncoding
      else { continue }
      // The first of a name counts.
      if items[Substring(name)] == nil { items[Substring(name)] = value }
    }
  }

  /// What a name stands for; nil when it is not there, without a value, or not to be decoded.
  package subscript(name: String) -> String? {
    guard let value = items[Substring(name)], !value.isEmpty else { return nil }
    return value
  }

  /// Items in the order given, everything percent-encoded, `+` and space too; those without a value are left out.
  static func text(_ items: [(name: String, value: String?)]) -> String {
    items.compactMap { item in
      item.value.flatMap { $0.addingPercentEncoding(withAllowedCharacters: unreserved) }.map { "\(item.name)=\($0)" }
    }.joined(separator: "&")
  }

  /// An address of the web with a host and without a user before it, which would only be there to deceive.
  package static func webURL(_ text: String?) -> URL? {
    guard let url = url(text), let scheme = url.scheme?.lowercased(), ["http", "https"].contains(scheme),
      let host = url.host(), !host.isEmpty, url.user() == nil, url.password() == nil
    else { return nil }
    return url
  }

  /// An address that an app may open: a page of the web, or another app by one of the schemes that it names. Whatever
  /// else a link may hold is left out, because there are more schemes that run or read something than a list can hold.
  /// - Parameter schemes: in lower case.
  package static func openableURL(_ text: String?, schemes: Set<String>) -> URL? {
    guard let url = url(text), let scheme = url.scheme?.lowercased() else { return nil }
    return schemes.contains(scheme) && isAppScheme(scheme) ? url : webURL(text)
  }

  /// Schemes that would run something, read something, or leave the device; also those of browsers whose name other
  /// apps' schemes may begin with, such as `kiwibank`.
  private static let systemSchemes: Set<String> = [
    "http", "https", "javascript", "vbscript", "data", "file", "blob", "about", "ftp", "ws", "wss", "mailto", "tel",
    "telprompt", "callto", "sip", "sips", "sms", "smsto", "mms", "mmsto", "intent", "content", "chrome", "view-source",
    "shortcuts", "market", "android-app", "app-settings", "prefs", "app-prefs", "filesystem", "search-ms", "geo",
    "maps", "webcal", "feed", "rtsp", "jar", "res", "resource", "smb", "afp", "nfs", "sftp", "ssh", "telnet", "ldap",
    "ldaps", "vnc", "rdp", "package", "calshow", "help", "x-man-page", "x-help-action", "android.resource", "kiwi",
    "dolphin", "puffin", "puffins", "arc", "edge",
  ]
  /// Of browsers, which open the page that follows the scheme, and of families of the system's.
  private static let familySchemes = [
    "x-safari", "safari", "googlechrome", "microsoft-edge", "firefox", "opera", "touch-http", "brave", "ddg",
    "duckduckgo", "samsunginternet", "vivaldi", "yandex", "x-web-search", "x-apple", "itms", "ms-", "chrome-",
    "moz-extension", "ucbrowser", "mibrowser", "onionbrowser", "samsungbrowser", "org.mozilla", "facetime",
  ]

  /// Whether a scheme may be an app's own, and nothing of the system's or of a browser's.
  /// - Parameter scheme: in lower case.
  package static func isAppScheme(_ scheme: String) -> Bool {
    scheme.wholeMatch(of: #/[a-z][a-z0-9+.\-]{1,62}/#) != nil && !systemSchemes.contains(scheme)
      && !familySchemes.contains { scheme.hasPrefix($0) }
  }

  private static func url(_ text: String?) -> URL? {
    guard let text, text.utf8.allSatisfy({ (0x21...0x7e).contains($0) }) else { return nil }
    // From iOS 17 on the system encodes what is invalid, and before refuses it: here it is refused always.
    guard let url = URL(string: text), url.absoluteString == text else { return nil }
    return url
  }
}
