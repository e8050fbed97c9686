import Configuration
import Foundation

/// Where an institution's staff finds the pages of the console.
struct ConsoleSettings: Sendable {
  /// Where browsers reach this server; nil is where one of its other parts is reached.
  var publicURL: String?

  init() {}

  init(_ config: ConfigReader) throws {
    publicURL = config.string(forKey: "console.publicUrl")
    guard let publicURL else { return }
    guard let url = URL(string: publicURL), ["http", "https"].contains(url.scheme), url.host()?.isEmpty == false,
      url.query() == nil, url.fragment() == nil, !publicURL.hasSuffix("/")
    else {
      throw SettingsError(
        "console.publicUrl is an address such as https://console.bank.example, without a slash at its end")
    }
  }
}

extension Settings {
  /// Whether browsers come over TLS only, so that cookies are never sent without it.
  var consoleIsSecure: Bool {
    if let own = console.publicURL { return own.hasPrefix("https:") }
    // One listener serves all parts: where one is behind TLS, all are. And whoever has customers is.
    return !isSandbox
      || [finaptic.publicURL, oneAssist.publicURL, saltEdge.publicURL].contains { $0?.hasPrefix("https:") == true }
  }
}
