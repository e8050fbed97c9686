// SPDX-License-Identifier: Apache-2.0

import Evidence
import FinapticFlow
import Foundation
import Kit
import Storage

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

extension Settings {
  /// Looks at everything and changes nothing: no migration is made, and no key ring.
  /// - Parameter file: the JSON file of the settings.
  package func diagnose(file: String?, environment: [String: String] = ProcessInfo.processInfo.environment) async
    -> Diagnosis
  {
    var diagnosis = Diagnosis()
    let environment = (try? SettingsVariables.merged(beside: file, into: environment)) ?? environment
    // Once: an HSM counts PINs that are wrong.
    let kmsFault = kmsFault
    tellMachine(&diagnosis)
    tellSettings(&diagnosis, file, environment, startFaults(kms: kmsFault))
    tellFiles(&diagnosis, file)
    tellLooks(&diagnosis)
    tellCertificate(&diagnosis)
    await tellStore(&diagnosis, kmsFault)
    await tellJobs(&diagnosis)
    await tellObjects(&diagnosis)
    return diagnosis
  }

  private func tellMachine(_ diagnosis: inout Diagnosis) {
    let process = ProcessInfo.processInfo
    diagnosis.note("program", "version", ProductVersion.current)
    diagnosis.note("program", "schema", Schema.migrations.last?.id ?? "none")
    diagnosis.note("machine", "system", Self.osName ?? process.operatingSystemVersionString)
    diagnosis.note("machine", "processors", "\(process.activeProcessorCount)")
    diagnosis.note("machine", "memory", "\(process.physicalMemory >> 20) MiB")
    diagnosis.note("machine", "time", world.now().rfc3339)
    let room = OpenFiles.roomForConnections()
    diagnosis.note(
      "machine", "room for connections", "\(room) of \(operations.connections.connectionsMax)",
      room < operations.connections.connectionsMax ? .warning : .ok)
    if let free = Self.freeMegabytes(of: dataFolder) {
      diagnosis.note("machine", "free beside the data", "\(free) MiB", free < 1024 ? .warning : .ok)
    }
  }

  private func tellSettings(
    _ diagnosis: inout Diagnosis, _ file: String?, _ environment: [String: String], _ faults: [StartFault]
  ) {
    diagnosis.note("settings", "kind", isSandbox ? "sandbox" : "with customers")
    let inFile =
      file.flatMap { FileManager.default.contents(atPath: $0) }
      .flatMap { try? JSONSerialization.jsonObject(with: $0) }.map { SettingsAccessReporter.names(in: $0) } ?? []
    diagnosis.note("settings", "named in the file", inFile.isEmpty ? "none" : inFile.joined(separator: " "))
    let variables = environment.keys.filter { $0.hasPrefix("GATEHOUSE_") }.sorted()
    diagnosis.note("settings", "in the environment", variables.isEmpty ? "none" : variables.joined(separator: " "))
    for variable in unreadVariables { diagnosis.note("settings", variable, "no setting reads this variable", .warning) }
    for waiver in waived.map(\.rawValue).sorted() { diagnosis.note("settings", "goes without", waiver, .warning) }
    if faults.isEmpty { diagnosis.note("settings", "start", "nothing is missing", .ok) }
    for fault in faults { diagnosis.note("settings", "start", "\(fault)", .fault) }
  }

  private func tellFiles(_ diagnosis: inout Diagnosis, _ file: String?) {
    let model = "Tesseract's model of Latin script"
    switch EvidenceReader.latinModel(evidence) {
    case .usable: diagnosis.note("files", model, "installed", .ok)
    case .missing: diagnosis.note("files", model, "missing", .warning)
    case .unusable(let reason): diagnosis.note("files", model, "unusable: \(reason)", .warning)
    }
    for (name, path) in [
      ("settings", file), ("tenants", tenantsFile), ("key ring", keyringPath), ("epoch key", epochKeyPath),
      ("data", dataFolder), ("face models", modelsFolder), ("lists", screeningFolder),
      ("authorities of the bucket", s3AuthorityFile), ("DKIM key", smtp?.dkimKeyFile),
      ("certificate", tls?.certificate), ("key of the certificate", tls?.key), ("message templates", templatesFolder),
      ("document templates", documentTemplatesFolder),
      ("screening policy", screeningPolicyFile), ("blobs", folder(blobsURL)),
      ("checkpoints of the audit log", folder(operations.auditAnchors)),
    ] {
      guard let path else { continue }
      var entry = stat()
      guard stat(path, &entry) == 0 else {
        diagnosis.note("files", name, "\(path) is missing or hidden from this user", .warning)
        continue
      }
      let mode = String(entry.st_mode & 0o7777, radix: 8)
      let owner = getpwuid(entry.st_uid).map { String(cString: $0.pointee.pw_name) } ?? "\(entry.st_uid)"
      diagnosis.note("files", name, "\(path), mode \(mode), of \(owner)")
    }
  }

  private func tellStore(_ diagnosis: inout Diagnosis, _ kmsFault: String?) async {
    diagnosis.note("store", "engine", databaseURL == nil ? "SQLite" : "PostgreSQL")
    let unmade = "not made yet: gatehouse migrate makes it"
    guard databaseURL != nil || FileManager.default.fileExists(atPath: databasePath) else {
      return diagnosis.note("store", "database", unmade, .warning)
    }
    do {
      // Of PostgreSQL the engine is told also where its tables are not made yet.
      let database = databaseURL == nil ? try await existingDatabase() : try database()
      defer { try? database.close() }
      try await tellEngine(&diagnosis, database)
      if databaseURL != nil, try await !database.read({ try SchemaStore($0).isBegun() }) {
        return diagnosis.note("store", "database", unmade, .warning)
      }
      let start = world.ticks()
      guard try await database.read({ try SchemaStore($0).holds(Schema.migrations) }) else {
        return diagnosis.note("store", "schema", "behind this program: gatehouse migrate", .fault)
      }
      diagnosis.note("store", "schema", "current, answered in \((world.ticks() - start).milliseconds) ms", .ok)
      let now = try await world(of: database).now()
      let gauge = try await database.read { try OutboxStore($0).gauge(now: now) }
      for state in OutboxGauge.State.allCases {
        let count = gauge.groups.filter { $0.state == state }.map(\.count).reduce(0, +)
        let isWorse = state == .deadLettered || state == .failing
        diagnosis.note("work", "effects \(state.rawValue)", "\(count)", count > 0 && isWorse ? .warning : .ok)
      }
      for (topic, count) in gauge.deadLetters.sorted(by: { $0.key < $1.key }) {
        diagnosis.note("work", "dead letters of \(topic)", "\(count)", .warning)
      }
      diagnosis.note(
        "work", "longest wait", "\(gauge.lag.wholeSeconds) s", gauge.lag > operations.outboxLagMax ? .fault : .ok)
      let deadLettered = try await database.read { try OutgoingMessageStore($0).deadLetteredCount() }
      diagnosis.note(
        "work", "messages to other banks dead-lettered", "\(deadLettered)", deadLettered > 0 ? .warning : .ok)
      try await tellUpkeep(&diagnosis, database, now: now)
      try await tellKeys(&diagnosis, database, kmsFault)
    } catch let missing as MissingStore {
      diagnosis.note(
        "store", "database", missing.isAnothers ? "another program's: it has tables, and not Gatehouse's" : unmade,
        missing.isAnothers ? .fault : .warning)
    } catch SQLError.unreachable {
      diagnosis.note("store", "database", "does not answer", .fault)
    } catch let error as SQLError {
      // Its text may quote an address or a value.
      diagnosis.note("store", "database", "failed: \(error.name)", .fault)
    } catch let error as KeyringError {
      diagnosis.note("keys", "key ring", "\(error)", .fault)
    } catch {
      diagnosis.note("keys", "key ring", "\(type(of: error)): it does not open this store", .fault)
    }
  }

  private func tellKeys(
    _ diagnosis: inout Diagnosis, _ database: any SQLDatabase, _ kmsFault: String?
  ) async throws {
    let keys = try await Vault.dataKeys(in: database)
    diagnosis.note("keys", "data keys", "\(keys.count)")
    diagnosis.note("keys", "wrapped by a KMS", kms.token == nil ? "no" : "yes")
    guard !keys.isEmpty else { return }
    let haveBegun = try await database.read { try SubjectKeyStore($0).haveBegun() }
    diagnosis.note(
      "keys", "keys of persons", haveBegun ? "begun" : "not begun, so that no erasure reaches a backup: keys subjects",
      haveBegun ? .ok : .warning)
    if let kmsFault { return diagnosis.note("keys", "key ring", kmsFault, .fault) }
    try Keyring(at: keyringPath, kms: keyManagement()).check(keys)
    diagnosis.note("keys", "key ring", "opens every data key", .ok)
  }

  private func tellObjects(_ diagnosis: inout Diagnosis) async {
    diagnosis.note("objects", "place", isInBucket ? "a bucket" : "a folder")
    let place = folder(blobsURL) ?? (isInBucket ? nil : blobFolder)
    // The check would make it.
    if let place, !FileManager.default.fileExists(atPath: place) {
      return diagnosis.note("objects", "folder", "not made yet", blobsURL == nil ? .fact : .warning)
    }
    do {
      let store = try blobStore(world: world)
      try await store.blobs.check()
      diagnosis.note("objects", "check", "answers", .ok)
    } catch let error as BlobError {
      diagnosis.note("objects", "check", "failed: \(error.caseName)", .fault)
    } catch { diagnosis.note("objects", "check", "failed: \(type(of: error))", .fault) }
  }

  private var isInBucket: Bool { blobsURL?.hasPrefix("s3:") == true }

  /// The place, when one is named and it is no bucket.
  private func folder(_ place: String?) -> String? {
    place.flatMap { $0.isEmpty || $0.hasPrefix("s3:") ? nil : $0 }
  }

  private static var osName: String? {
    let text = try? String(contentsOfFile: "/etc/os-release", encoding: .utf8)
    return text?.firstMatch(of: /(?m)^PRETTY_NAME="?([^"\n]+)/).map { String($0.output.1) }
  }

  private static func freeMegabytes(of path: String) -> Int? {
    var system = statvfs()
    guard statvfs(path, &system) == 0 else { return nil }
    return Int(clamping: (UInt64(system.f_bavail) * UInt64(system.f_frsize)) >> 20)
  }
}
