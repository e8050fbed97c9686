// SPDX-License-Identifier: Apache-2.0

internal import Foundation
internal import SaltEdgeCore
internal import SaltEdgeWire

/// What a configuration of either version says about a bank (specification §4.1, §5.1), checked.
struct BankDescription: Sendable, Equatable {
  private static let nameCharactersMax = 256

  let apiVersion: Int
  let connectURL: URL
  let code, name: String
  let logoURL: URL?
  let supportEmail: String?
  let managesConsents: Bool
  let requiresGeolocation: Bool?
  /// v2 only: what the bank alone shall read is encrypted for it.
  let providerKey: RSAPublicKey?

  /// - Returns: nil when something is missing without which nothing can be called.
  init?(_ configuration: SaltEdgeV1.Configuration) {
    guard configuration.version == "1", let connectURL = Self.webURL(configuration.connectURL),
      let name = Self.text(configuration.name), let code = Self.text(configuration.code)
    else { return nil }
    apiVersion = 1
    (self.connectURL, self.name, self.code) = (connectURL, name, code)
    logoURL = configuration.logoURL.flatMap(Self.webURL)
    supportEmail = configuration.supportEmail.flatMap(Self.text)
    managesConsents = configuration.managesConsents ?? false
    requiresGeolocation = configuration.requiresGeolocation
    providerKey = nil
  }

  /// - Returns: nil when something is missing without which nothing can be called.
  init?(_ configuration: SaltEdgeV2.Configuration) {
    guard configuration.apiVersion == "2", let connectURL = Self.webURL(configuration.serviceURL),
      let name = Self.text(configuration.providerName), let code = Self.text(configuration.providerID.text),
      let key = try? RSAPublicKey(pem: configuration.providerPublicKey)
    else { return nil }
    apiVersion = 2
    (self.connectURL, self.name, self.code) = (connectURL, name, code)
    logoURL = configuration.providerLogoURL.flatMap(Self.webURL)
    supportEmail = Self.text(configuration.providerSupportEmail)
    managesConsents = true
    requiresGeolocation = configuration.requiresGeolocation
    providerKey = key
  }

  private static func text(_ text: String) -> String? {
    let plain = PlainText.line(text)
    return plain.isEmpty ? nil : String(plain.prefix(nameCharactersMax))
  }

  private static func webURL(_ text: String) -> URL? {
    guard let url = URL(string: text), let scheme = url.scheme?.lowercased(), ["http", "https"].contains(scheme),
      url.host()?.isEmpty == false, url.user() == nil
    else { return nil }
    return url
  }
}
