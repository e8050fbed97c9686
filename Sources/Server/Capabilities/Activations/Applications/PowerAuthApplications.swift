// SPDX-License-Identifier: Apache-2.0

import Foundation
import Kit
import PowerAuthCore
import Storage

/// The apps that can be activated, and what they are built with (powerauth.md §2).
///
/// A released app holds the master key that it was built with for as long as it is installed, so a new master key takes
/// nothing away: each version stays with the key that its configuration named, and the server answers it under that
/// key. Versions that are added later get the newest key. A key ends when the last version that was built with it is
/// retired: then nothing is decrypted, signed or activated with it any more. Codes that are typed in are not signed
/// and fit every version; those that are scanned are made for each key that is still in use.
package struct PowerAuthApplications: Sendable {
  package static let nameMax = 100
  package static let listMax = 500

  let database: any SQLDatabase
  let vault: Vault
  let audit: Audit
  let world: World
  let keys: MasterKeys

  init(database: any SQLDatabase, vault: Vault, audit: Audit, world: World) {
    self.database = database
    self.vault = vault
    self.audit = audit
    self.world = world
    keys = MasterKeys(vault: vault)
  }

  /// Makes an application with its first master key and version.
  /// - Throws: `Problem` validation, or `application-exists`.
  package func add(
    _ name: String, tenant: String, issuesRecoveryCodes: Bool = false,
    protocolMin: ProtocolVersion = PowerAuthApplication.standardProtocolMin, by actor: ActivationActor
  ) async throws -> ReleasedApplicationVersion {
    try Self.check(name)
    let application = PowerAuthApplication(
      id: .init(world), tenant: tenant, name: name, issuesRecoveryCodes: issuesRecoveryCodes,
      protocolMin: protocolMin, createdAt: world.now())
    return try await database.write(.serializable) { [self] tx in
      let store = PowerAuthApplicationStore(tx)
      guard try store.find(name: name, tenant: tenant) == nil else {
        throw Problem(.conflict, "application-exists", "The tenant has an application of that name.")
      }
      try store.insert(application)
      try store.insert(try newMasterKey(of: application.id, generation: 1))
      try audit.append(
        "application.added", to: Self.chain(application.id), by: actor.text,
        facts: ["tenant": tenant, "protocolMin": protocolMin.rawValue], in: tx)
      return try release("1", of: application, generation: 1, by: actor, in: tx)
    }
  }

  /// - Parameter tenant: nil lists every tenant's.
  package func list(tenant: String?) async throws -> [PowerAuthApplication] {
    try await database.read { tx in
      let store = PowerAuthApplicationStore(tx)
      return try tenant.map { try store.list(tenant: $0, limit: Self.listMax) } ?? store.list(limit: Self.listMax)
    }
  }

  /// - Throws: `Problem` not found.
  package func find(_ id: PowerAuthApplication.ID) async throws -> PowerAuthApplication {
    try await database.look { try Self.require(id, in: $0) }
  }

  /// Oldest first.
  /// - Throws: `Problem` not found.
  package func versions(of id: PowerAuthApplication.ID) async throws -> [PowerAuthApplicationVersion] {
    try await database.read { tx in
      _ = try Self.require(id, in: tx)
      return try PowerAuthApplicationStore(tx).versions(of: id)
    }
  }

  /// A name for another release of the app, with a key and secret of its own and the newest master key.
  /// - Throws: `Problem` not found, validation, or `version-exists`.
  package func addVersion(
    _ name: String, to id: PowerAuthApplication.ID, by actor: ActivationActor
  ) async throws -> ReleasedApplicationVersion {
    try Self.check(name)
    return try await database.write(.serializable) { [self] tx in
      let (store, application) = (PowerAuthApplicationStore(tx), try Self.require(id, in: tx))
      guard try !store.versions(of: id).contains(where: { $0.name == name }) else {
        throw Problem(.conflict, "version-exists", "The application has a version of that name.")
      }
      let generation = try store.masterKeys(of: id).first?.generation ?? 0
      return try release(name, of: application, generation: generation, by: actor, in: tx)
    }
  }

  /// Whether the server talks to a version. Its activations stay; they work again when it is supported again.
  /// - Throws: `Problem` not found.
  package func setSupported(
    _ isSupported: Bool, version id: PowerAuthApplicationVersion.ID, by actor: ActivationActor
  ) async throws -> PowerAuthApplicationVersion {
    try await database.write { [audit] tx in
      let store = PowerAuthApplicationStore(tx)
      guard try store.setSupported(isSupported, of: id), let version = try store.version(id) else {
        throw Problem.notFound
      }
      try audit.append(
        isSupported ? "version.supported" : "version.retired", to: Self.chain(version.application), by: actor.text,
        facts: ["version": id.rawValue], in: tx)
      return version
    }
  }

  /// Which versions of the protocol the application's devices may speak: this one and later ones, from now on.
  /// - Throws: `Problem` not found.
  package func setProtocolMin(
    _ version: ProtocolVersion, of id: PowerAuthApplication.ID, by actor: ActivationActor
  ) async throws -> PowerAuthApplication {
    try await database.write { [audit] tx in
      guard try PowerAuthApplicationStore(tx).setProtocolMin(version, of: id) else { throw Problem.notFound }
      try audit.append(
        "application.protocolMinSet", to: Self.chain(id), by: actor.text, facts: ["protocolMin": version.rawValue],
        in: tx)
      return try Self.require(id, in: tx)
    }
  }

  /// Which versions of the protocol the devices of a released app may speak, lowest first.
  /// - Returns: nil when there is no such app, or it is not supported any more.
  package func protocolVersions(of key: ApplicationKey) async throws -> [ProtocolVersion]? {
    try await database.look { tx in
      guard let release = try PowerAuthApplicationStore(tx).release(key), release.version.isSupported else {
        return nil
      }
      return ProtocolVersion.allCases.filter { $0 >= release.application.protocolMin }.sorted()
    }
  }

  /// What a version's app is built with.
  /// - Throws: `Problem` not found.
  package func configuration(
    of id: PowerAuthApplicationVersion.ID
  ) async throws -> ReleasedApplicationVersion {
    try await database.read { [vault] tx in
      let store = PowerAuthApplicationStore(tx)
      guard let version = try store.version(id), let release = try store.release(version.applicationKey),
        let key = try store.masterKey(of: version.application, generation: version.masterKeyGeneration)
      else { throw Problem.notFound }
      return ReleasedApplicationVersion(
        application: release.application, version: version,
        configuration: SDKConfiguration(
          applicationKey: version.applicationKey, applicationSecret: try release.secret(vault),
          masterPublicKey: try ECPublicKey(key.publicKey)))
    }
  }

  /// Makes a new master key, for versions that are added from now on.
  /// - Returns: its generation.
  /// - Throws: `Problem` not found.
  package func rotateMasterKey(of id: PowerAuthApplication.ID, by actor: ActivationActor) async throws -> Int {
    try await database.write(.serializable) { [self] tx in
      let store = PowerAuthApplicationStore(tx)
      _ = try Self.require(id, in: tx)
      let generation = (try store.masterKeys(of: id).first?.generation ?? 0) + 1
      try store.insert(try newMasterKey(of: id, generation: generation))
      try audit.append(
        "application.masterKeyRotated", to: Self.chain(id), by: actor.text, facts: ["generation": "\(generation)"],
        in: tx)
      return generation
    }
  }

  static func chain(_ id: PowerAuthApplication.ID) -> String { "application:\(id)" }

  private static func require(_ id: PowerAuthApplication.ID, in tx: any SQLTransaction) throws -> PowerAuthApplication {
    guard let application = try PowerAuthApplicationStore(tx).find(id) else { throw Problem.notFound }
    return application
  }

  private static func check(_ name: String) throws {
    guard (1...nameMax).contains(name.utf8.count), name.unicodeScalars.allSatisfy({ $0.value >= 0x20 }) else {
      throw Problem.validation([.init("/name", "length", "A name has 1 to \(nameMax) bytes and no control characters.")]
      )
    }
  }

  private func newMasterKey(
    of id: PowerAuthApplication.ID, generation: Int
  ) throws -> PowerAuthApplicationStore.MasterKey {
    let key = ECPrivateKey(Randomness(world.random))
    return .init(
      application: id, generation: generation, publicKey: key.publicKey.uncompressed,
      sealedPrivateKey: try vault.seal(key.scalar, context: MasterKeys.context(id, generation: generation)),
      createdAt: world.now())
  }

  private func release(
    _ name: String, of application: PowerAuthApplication, generation: Int, by actor: ActivationActor,
    in tx: any SQLTransaction
  ) throws -> ReleasedApplicationVersion {
    let (store, randomness) = (PowerAuthApplicationStore(tx), Randomness(world.random))
    guard let masterKey = try store.masterKey(of: application.id, generation: generation) else {
      throw Problem.notFound
    }
    let version = PowerAuthApplicationVersion(
      id: .init(world), application: application.id, name: name, applicationKey: ApplicationKey(randomness),
      masterKeyGeneration: generation, isSupported: true, createdAt: world.now())
    let secret = ApplicationSecret(randomness)
    let sealed = try vault.seal(
      secret.key.bytes, context: PowerAuthApplicationStore.Release.context(version.id))
    try store.insert(version, sealedSecret: sealed)
    try audit.append(
      "version.added", to: Self.chain(application.id), by: actor.text,
      facts: ["version": version.id.rawValue, "generation": "\(generation)"], in: tx)
    return ReleasedApplicationVersion(
      application: application, version: version,
      configuration: SDKConfiguration(
        applicationKey: version.applicationKey, applicationSecret: secret,
        masterPublicKey: try ECPublicKey(masterKey.publicKey)))
  }
}

extension PowerAuthApplicationStore.Release {
  static func context(_ id: PowerAuthApplicationVersion.ID) -> String { "powerauth_version.sealed_secret:\(id)" }

  func secret(_ vault: Vault) throws -> ApplicationSecret {
    let bytes = try vault.open(sealedSecret, context: Self.context(version.id))
    return try ApplicationSecret(text: bytes.base64EncodedString())
  }
}
