import Foundation
import Kit

/// Name and password of the provider that calls back (RFC 7617).
package struct PartnerCredentials: Sendable {
  let name: String
  let password: String

  package init(name: String, password: String) {
    self.name = name
    self.password = password
  }

  /// Reads an `Authorization` field; nil when it is no well-formed Basic one.
  package init?(authorization: String?) {
    let parts = (authorization ?? "").split(separator: " ", omittingEmptySubsequences: true)
    guard parts.count == 2, parts[0].lowercased() == "basic", parts[1].utf8.count <= 1024,
      let bytes = Data(base64Encoded: String(parts[1])), let text = String(data: bytes, encoding: .utf8),
      let colon = text.firstIndex(of: ":")
    else { return nil }
    name = String(text[..<colon])
    password = String(text[text.index(after: colon)...])
  }

  /// Compares keyed digests, so that time tells neither a character nor a length.
  func matches(_ other: PartnerCredentials, _ vault: Vault) -> Bool {
    let (one, two) = (digest(vault), other.digest(vault))
    return one.utf8.isEqualInConstantTime(to: two.utf8)
  }

  private func digest(_ vault: Vault) -> String { vault.digest("\(name)\u{0}\(password)", for: "rubix partner") }
}
