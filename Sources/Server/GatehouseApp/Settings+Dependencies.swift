// SPDX-License-Identifier: Apache-2.0

import Delivery
import Foundation
import Kit
import Logging
import ReferenceData
import RubixFlow
import Screening
import Storage

/// What the settings say of the parts of the application.
extension Settings {
  /// The machine's clock and randomness, unless a fault test sets the clock wrong.
  var world: World {
    guard clockSkew != 0 else { return .live }
    return World(now: { [clockSkew] in World.live.now() + .seconds(clockSkew) }, random: World.live.random)
  }

  /// Opens the store: PostgreSQL when a URL names one, else the embedded file, whose folder is made.
  /// - Parameter statementTimeout: how long one statement may take on PostgreSQL; zero for as long as it takes, nil for
  ///   what serves customers.
  /// - Throws: `MissingStore` for another program's file, which is left as it is. One that only a writer can read,
  ///   after a crash, is repaired for that.
  package func database(statementTimeout: Duration? = nil) throws -> any SQLDatabase {
    if let databaseURL {
      var settings = PostgresSettings(url: databaseURL, connectionsMax: databaseConnections)
      if let statementTimeout { settings.statementTimeout = statementTimeout }
      return Postgres(settings)
    }
    try refuseAnothersFile()
    try makeDataFolder()
    let file = try SQLite(path: databasePath, durability: databaseSync)
    // What had to be repaired first can be told now: it gets no table.
    do { try refuseAnothersFile() } catch {
      try? file.close()
      throw error
    }
    return file
  }

  /// - Throws: `SettingsError` that names the folder.
  package func makeDataFolder() throws {
    do {
      try FileManager.default.createDirectory(
        atPath: dataFolder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
    } catch {
      let isThere = FileManager.default.fileExists(atPath: dataFolder)
      throw SettingsError(
        isThere
          ? "data: \(dataFolder) is a file, and the data is kept in a folder"
          : "data: the folder \(dataFolder) cannot be made: see whether this user may write where it is to be")
    }
  }

  /// Where the data is, for people: no host, user or password.
  package var databaseName: String { databaseURL == nil ? databasePath : "the PostgreSQL database" }

  func tenants() throws -> Tenants {
    guard let tenantsFile else { return Tenants([.default]) }
    guard let data = FileManager.default.contents(atPath: tenantsFile) else {
      throw SettingsError("the tenants file \(tenantsFile) \(SettingsError.unread)")
    }
    let tenants: [Tenant]
    do { tenants = try JSONDecoder().decode([Tenant].self, from: data) } catch let error as DecodingError {
      throw SettingsError("the tenants file \(tenantsFile) is not an array of tenants: \(error.fault)")
    }
    guard !tenants.isEmpty else { throw SettingsError("the tenants file \(tenantsFile) has no tenant") }
    let counts = Dictionary(grouping: tenants, by: \.id).mapValues(\.count)
    if let twice = counts.filter({ $0.value > 1 }).keys.min() {
      throw SettingsError("the tenants file \(tenantsFile) has \(twice) more than once")
    }
    for tenant in tenants {
      try SMSBudgetSettings.check(tenant.servedPrefixes ?? [], "served_prefixes of the tenant \(tenant.id)")
    }
    // Beside customers only countries are served that the operator names.
    return Tenants(
      tenants.map { tenant in
        var tenant = tenant
        tenant.servedPrefixes = tenant.servedPrefixes ?? smsBudget.prefixes ?? []
        return tenant
      })
  }

  /// A sandbox that never had a list screens against invented people. Elsewhere, and where a person removed the last
  /// list, no list at all is an error on every search.
  func screeningSource(_ stored: ScreeningLists, _ logger: Logger) throws -> ScreeningSource {
    let policy = try screeningPolicy()
    let lists = ScreeningSource(
      folder: screeningFolder, stored: stored, countries: .iso, required: screeningRequired, policy: policy,
      world: world,
      hides: { files in
        for file in files {
          logger.warning(
            "a list's file is not searched: the store has a list with its code", metadata: ["file": "\(file)"])
        }
      },
      broken: { file in
        logger.error(
          "a list's file is not taken, and its former version is searched: gatehouse lists status tells why",
          metadata: ["file": "\(file)"])
      },
      warns: { file in
        logger.warning(
          "a list's file is searched and lacks something: gatehouse lists status tells what",
          metadata: ["file": "\(file)"])
      })
    guard isSandbox, screeningFolder == nil else { return lists }
    let demo = ScreeningIndex([try DemoScreeningList.list(countries: .iso)], countries: .iso, world: world)
    return ScreeningSource(policy: policy) { waits in
      try await stored.isNew() ? demo : await waits ? lists.arranged() : lists.index()
    }
  }

  /// - Throws: `SettingsError` that names the member which breaks a rule.
  func screeningPolicy() throws -> MatchingPolicy {
    guard let screeningPolicyFile else { return .standard }
    guard let data = FileManager.default.contents(atPath: screeningPolicyFile) else {
      throw SettingsError("screening.policy names a file that \(SettingsError.unread)")
    }
    do {
      let policy = try MatchingPolicy(data)
      if let contradiction = policy.contradiction { throw contradiction }
      return policy
    } catch { throw SettingsError("screening.policy: \(error)") }
  }

  /// The words of messages.
  /// - Throws: `SettingsError` that names the text which breaks a rule.
  package func messageTexts() throws -> MessageTexts {
    guard let templatesFolder else { return .standardTexts }
    do { return try MessageTexts(folder: templatesFolder) } catch let fault as MessageTextsError {
      throw SettingsError("messages.templates: \(fault)")
    }
  }
}

extension Settings.SMTP {
  func settings() throws -> SMTPSettings {
    guard let security = SMTPSettings.Security(rawValue: security) else {
      throw SettingsError("smtp.security is one of implicit, starttls, opportunistic, off")
    }
    guard !senderAddress.isEmpty else { throw SettingsError("smtp.sender.address is missing: mail has no sender") }
    guard let address = EmailAddress(senderAddress) else {
      throw SettingsError("smtp.sender.address is not an e-mail address")
    }
    var settings = try submission(from: MailSender(name: senderName, address: address), security)
    settings.signer = try signer(of: address)
    return settings
  }

  private func submission(from sender: MailSender, _ security: SMTPSettings.Security) throws -> SMTPSettings {
    do {
      return try SMTPSettings(
        host: host, port: port, security: security, credentials: user.map { .init(user: $0, password: password ?? "") },
        sender: sender)
    } catch let wrong as SMTPSettingsError {
      switch wrong {
      case .host: throw SettingsError("smtp.host is the name or the address of a mail server")
      case .port: throw SettingsError("smtp.port is between 1 and 65535")
      case .credentialsWithoutTLS:
        throw SettingsError("smtp.password would cross the network in clear: set smtp.security to implicit or starttls")
      }
    }
  }

  /// - Throws: `SettingsError` that names the setting, never the key.
  private func signer(of sender: EmailAddress) throws -> DKIMSigner? {
    guard let dkimKeyFile else { return nil }
    guard let selector = dkimSelector else { throw SettingsError("smtp.dkim.keyFile needs smtp.dkim.selector") }
    guard let pem = FileManager.default.contents(atPath: dkimKeyFile) else {
      throw SettingsError("smtp.dkim.keyFile names a file that \(SettingsError.unread)")
    }
    do {
      return try DKIMSigner(
        domain: dkimDomain ?? sender.domain, selector: selector, pem: String(decoding: pem, as: UTF8.self),
        sender: sender)
    } catch let wrong as DKIMError {
      switch wrong {
      case .domain: throw SettingsError("smtp.dkim.domain is that of smtp.sender.address, or one above it")
      case .selector: throw SettingsError("smtp.dkim.selector is one label of a host name")
      case .key: throw SettingsError("smtp.dkim.keyFile holds no private key in PEM: RSA of 2048 bits, or Ed25519")
      }
    }
  }
}

extension CountryNames {
  /// The countries of ISO 3166-1 by their codes, names and adjectives.
  package static let iso = CountryNames(
    Country.all.map { ($0.alpha2, $0.alpha3, [$0.name, $0.nationality]) })
}
