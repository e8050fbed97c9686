import HTTP
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
    guard let credentials = BasicCredentials(authorization: authorization) else { return nil }
    self.init(name: credentials.name, password: credentials.password)
  }

  /// Compares keyed digests, so that time tells neither a character nor a length.
  func matches(_ other: PartnerCredentials, _ vault: Vault) -> Bool {
    let (one, two) = (digest(vault), other.digest(vault))
    return one.utf8.isEqualInConstantTime(to: two.utf8)
  }

  private func digest(_ vault: Vault) -> String { vault.digest("\(name)\u{0}\(password)", for: "rubix partner") }
}
