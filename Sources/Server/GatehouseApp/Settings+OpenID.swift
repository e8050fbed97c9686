// SPDX-License-Identifier: Apache-2.0

import Delivery
import Foundation
import Identity
import Kit

/// The identity providers by which staff sign in, as the operator's file names them: a JSON array.
struct OpenIDSettings: Sendable {
  var file: String?

  private struct Entry: Decodable {
    let tenant: String
    let name: String
    let issuer: String
    let clientID: String
    let clientSecretFile: String?
    let rolesClaim: String?
    let roles: [String: [String]]
    let scopes: [String]?
    let secondFactor: String?
    let secondFactorMethods: [String]?
    let gender: String?
    let passwordSignIn: Bool?
    let untypedLogout: Bool?
    let privateNetwork: Bool?
    let authorityFile: String?

    enum CodingKeys: String, CodingKey {
      case tenant, name, issuer, roles, scopes, gender
      case clientID = "client_id"
      case clientSecretFile = "client_secret_file"
      case rolesClaim = "roles_claim"
      case secondFactor = "second_factor"
      case secondFactorMethods = "second_factor_methods"
      case passwordSignIn = "password_sign_in"
      case untypedLogout = "untyped_logout"
      case privateNetwork = "private_network"
      case authorityFile = "ca_file"
    }
  }

  /// A provider, and how it is called.
  struct Registration: Sendable {
    let provider: OpenIDProvider
    /// Whether addresses of private networks are called, too.
    let isPrivate: Bool
    /// PEM file of the only authorities that vouch for it; nil is those of the machine.
    let authorityFile: String?
  }

  /// Reads the file and the secrets that it names, as they are now.
  /// - Parameter isSandbox: a provider may be on this machine, and without TLS.
  /// - Throws: `SettingsError`.
  func registrations(tenants: Set<String>, isSandbox: Bool) throws -> [Registration] {
    guard let file else { return [] }
    guard let data = FileManager.default.contents(atPath: file) else {
      throw SettingsError("console.openid names a file that \(SettingsError.unread)")
    }
    let entries: [Entry]
    do { entries = try JSONDecoder().decode([Entry].self, from: data) } catch let error as DecodingError {
      throw SettingsError("console.openid is not an array of providers: \(error.fault)")
    }
    guard Set(entries.map(\.tenant)).count == entries.count else {
      throw SettingsError("console.openid names two providers for one tenant")
    }
    return try entries.map { try registration($0, tenants: tenants, isSandbox: isSandbox) }
  }

  private func registration(_ entry: Entry, tenants: Set<String>, isSandbox: Bool) throws -> Registration {
    func fail(_ sentence: String) -> SettingsError { SettingsError("console.openid, \(entry.tenant): \(sentence)") }
    guard tenants.contains(entry.tenant), entry.tenant.wholeMatch(of: /[A-Za-z0-9_-]{1,64}/) != nil else {
      throw fail("there is no such tenant, or its id does not fit into a path")
    }
    guard !entry.name.isEmpty, entry.name.count <= 60, !entry.clientID.isEmpty else {
      throw fail("name and client_id are not empty, and a name has 60 characters at most")
    }
    let roles = try entry.roles.mapValues { names in
      Set(
        try names.map { name in
          guard let role = StaffRole(rawValue: name) else {
            throw fail("\(name) is not one of \(StaffRole.allCases.map(\.rawValue).joined(separator: ", "))")
          }
          return role
        })
    }
    guard roles.contains(where: { !$0.value.isEmpty }) else { throw fail("roles gives no value of the claim a role") }
    var provider = OpenIDProvider(
      tenant: entry.tenant, name: entry.name, issuer: entry.issuer, clientID: entry.clientID,
      clientSecret: try entry.clientSecretFile.map { try secret($0, fail) }, roles: roles)
    provider.allowsLoopback = isSandbox
    guard provider.allows(entry.issuer), WebAddress(entry.issuer)?.hasQuery == false else {
      throw fail("issuer is an https address without a query; on this machine in a sandbox only")
    }
    if let claim = entry.rolesClaim { provider.rolesClaim = claim }
    if let scopes = entry.scopes {
      guard scopes.contains("openid") else { throw fail("scopes has openid in it") }
      provider.scopes = scopes.joined(separator: " ")
    }
    switch (entry.secondFactor ?? "own", entry.secondFactorMethods) {
    case ("own", nil): provider.secondFactor = .own
    case ("provider", let methods): provider.secondFactor = .provider(methods: Set(methods ?? []))
    default: throw fail("second_factor is own, or provider with or without second_factor_methods")
    }
    if let gender = entry.gender {
      guard let value = StaffMember.Gender(rawValue: gender) else { throw fail("gender is F or M") }
      provider.genderOtherwise = value
    }
    provider.allowsPasswords = entry.passwordSignIn ?? true
    provider.allowsUntypedLogout = entry.untypedLogout ?? false
    return Registration(
      provider: provider, isPrivate: isSandbox || entry.privateNetwork ?? false, authorityFile: entry.authorityFile)
  }

  private func secret(_ file: String, _ fail: (String) -> SettingsError) throws -> String {
    guard let data = FileManager.default.contents(atPath: file), let text = String(bytes: data, encoding: .utf8) else {
      throw fail("client_secret_file cannot be read")
    }
    let secret = text.trimmingCharacters(in: .whitespacesAndNewlines)
    guard !secret.isEmpty, secret.utf8.count <= 4096 else { throw fail("client_secret_file is empty or too long") }
    return secret
  }
}

extension Settings {
  /// - Throws: `SettingsError`.
  func openIDRegistrations() throws -> [OpenIDSettings.Registration] {
    guard console.openID.file != nil else { return [] }
    return try console.openID.registrations(tenants: Set(try tenants().all.map(\.id)), isSandbox: isSandbox)
  }

  /// What asks the providers: each with the address guard of the one outbound stack (decision 58).
  func openIDClients(_ registrations: [OpenIDSettings.Registration], world: World) -> [OpenIDClient] {
    registrations.map { registration in
      // Of its own, so that a provider that hangs holds up no other.
      let threads = BlockingThreadPool("identity provider", width: 4)
      let http = PeerHTTP.curl(
        threads: threads, caFile: registration.authorityFile, connectTimeout: .seconds(5), timeout: .seconds(10),
        isPublicOnly: !registration.isPrivate, answerMax: 256 * 1024)
      return OpenIDClient(registration.provider, http: http, world: world)
    }
  }
}
