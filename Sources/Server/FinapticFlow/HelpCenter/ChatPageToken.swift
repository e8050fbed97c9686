import Foundation
import GatehouseWire
import Kit

/// Where a page ended, as apps carry it to the next call: opaque, and good for that call of that user only (finaptic
/// §10.4). Nothing is stored, so it does not age.
struct ChatPageToken {
  private static let macLength = 32

  let vault: Vault
  /// The call, whose it is and what it asks about.
  let scope: String

  init(_ vault: Vault, _ call: String, _ caller: String, _ filter: String = "") {
    self.vault = vault
    scope = [call, caller, filter].joined(separator: "\u{0}")
  }

  func seal(_ place: String) -> String { "\(Data(place.utf8).base64URL).\(mac(place))" }

  /// - Parameter token: absent or empty for the first page.
  /// - Throws: `Problem` invalid argument for one that is none of this call.
  func open(_ token: String?) throws -> String? {
    guard let token, !token.isEmpty else { return nil }
    let parts = token.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
    guard parts.count == 2, token.utf8.count <= 512, let bytes = Data(base64URL: parts[0]),
      let place = String(data: bytes, encoding: .utf8), mac(place) == parts[1]
    else { throw Self.invalid }
    return place
  }

  private func mac(_ place: String) -> String {
    String(vault.digest("\(scope)\u{0}\(place)", for: "finaptic chat page").prefix(Self.macLength))
  }

  static let invalid = Problem.finapticFields([.init("/nextToken", "malformed", "Not a token of this list.")])
}
