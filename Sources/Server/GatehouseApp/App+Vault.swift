// SPDX-License-Identifier: Apache-2.0

import Foundation
import Kit
import Storage

/// Keys of an installation, which its first start makes.
extension App {
  /// Makes folder and key ring of a new installation, and neither beside data that another one opens: a second machine
  /// that the ring was not copied to, or a wrong folder, would keep a stray one.
  static func openVault(_ database: any SQLDatabase, _ settings: Settings, _ world: World) async throws -> Vault {
    let (path, kms) = (settings.keyringPath, try settings.keyManagement())
    let isThere = FileManager.default.fileExists(atPath: path)
    let isFirst = try await !Vault.hasKeys(in: database)
    let isBegun = isFirst ? false : try await hasBegun(database)
    if isFirst { try settings.makeDataFolder() }
    let keyring = try isFirst ? Keyring(path: path, world: world, kms: kms) : Keyring(at: path, kms: kms)
    do {
      // Whose data keys are the first ones is settled before the first epoch begins.
      if !isBegun { _ = try await Vault.open(database, keyring: keyring, world: world) }
      let file = EpochKeyFile(settings.epochKeyPath, kms: kms)
      let subjectKeys = try await subjectKeys(database, file, isFirst: !isBegun, world)
      return try await Vault.open(database, keyring: keyring, subjectKeys: subjectKeys, world: world)
    } catch KeyringError.unknownKey where isFirst && !isThere {
      // Another machine was first by a moment.
      try FileManager.default.removeItem(atPath: path)
      throw KeyringError.missing(path: path)
    }
  }

  /// Whether a start came as far as to the audit log. Where one was killed after it had made the data keys, the next
  /// one begins the keys of persons: no server of the release before was ever there.
  private static func hasBegun(_ database: any SQLDatabase) async throws -> Bool {
    try await database.read { try SubjectKeyStore($0).haveBegun() || AuditStore($0).hasLines() }
  }

  /// A new installation begins with keys of persons. An older one begins by hand, for servers of the release before
  /// cannot open what they seal.
  private static func subjectKeys(
    _ database: any SQLDatabase, _ file: EpochKeyFile, isFirst: Bool, _ world: World
  ) async throws -> SubjectKeys? {
    let isThere = file.isThere
    do {
      let keys = try await SubjectKeys.open(database, file: file, making: isFirst, world: world)
      guard isFirst, let keys else { return keys }
      try await keys.begin(in: database, at: world.now())
      return try await SubjectKeys.open(database, file: file, world: world)
    } catch EpochKeyError.foreign where isFirst && !isThere {
      // Another machine was first by a moment.
      try FileManager.default.removeItem(atPath: file.path)
      throw EpochKeyError.missing(path: file.path)
    }
  }
}
