// SPDX-License-Identifier: Apache-2.0

import Foundation
import Storage
import Testing
import TestSupport

@testable import Kit

@Suite("Kit: erasure reaches older copies")
struct SubjectKeyEpochTests {
  private static let (ann, bob) = (SubjectKeyTests.ann, SubjectKeyTests.bob)

  @Test(
    "an older copy of the key opens until its epoch's key is destroyed, and never after", arguments: Engine.available)
  func olderCopy(engine: Engine) async throws {
    let app = try await SubjectKeyTestApp(engine)
    let sealed = try await app.seal(Data("a".utf8), Self.ann)
    let backup = try await app.rows()
    let keyFile = try #require(FileManager.default.contents(atPath: app.file.path))
    _ = try await app.erase("ann")

    // The hard point: the copy holds the wrapped key, and key ring and epoch key are at hand.
    try await app.restore(backup)
    #expect(try await app.restarted().open(sealed, context: "t.c:1", in: app.database) == Data("a".utf8))
    _ = try await app.erase("ann")

    // At the latest after the rest of the epoch, and the time for which its key is kept.
    app.clock.advance(by: SubjectKeys.epochLength)
    #expect(try await app.epochs.run().epoch == 2)
    app.clock.advance(by: SubjectKeys.epochKept - .milliseconds(1))
    #expect(try await app.epochs.run().earliest == 1)
    app.clock.advance(by: .milliseconds(1))
    #expect(try await app.epochs.run().earliest == 2)
    try await app.restore(backup)
    let restarted = try await app.restarted()
    await #expect(throws: VaultError.erased) {
      try await restarted.open(sealed, context: "t.c:1", in: app.database)
    }
    await #expect(throws: VaultError.erased) { try await app.open(sealed) }
    // Keys that cannot be unwrapped hold up no others.
    #expect(try await app.epochs.run().rewrapped == 0)

    // What the guarantee rests on: a copy of the file that was not destroyed opens it.
    let kept = EpochKeyFile(app.folder.file("kept.json"))
    try DurableFile.write(keyFile, to: kept.path)
    #expect(try await app.restarted(kept).open(sealed, context: "t.c:1", in: app.database) == Data("a".utf8))
  }

  @Test("everybody else's data opens after any number of epochs, on every node", arguments: Engine.available)
  func others(engine: Engine) async throws {
    let app = try await SubjectKeyTestApp(engine)
    let node = try await app.restarted()
    var sealed = [try await app.seal(Data("0".utf8), Self.bob)]
    for _ in 1...6 {
      app.clock.advance(by: SubjectKeys.epochLength)
      #expect(try await app.epochs.run().rewrapped == 1)
      sealed.append(try await app.seal(Data("\(sealed.count)".utf8), Self.bob))
    }
    let restarted = try await app.restarted()
    for (index, value) in sealed.enumerated() {
      for vault in [app.vault, node, restarted] {
        #expect(try await vault.open(value, context: "t.c:1", in: app.database) == Data("\(index)".utf8))
      }
    }
    #expect(restarted.subjectKeys?.earliestEpoch == 4)
    // The node that did not run the job for so long catches up by itself.
    let late = try #require(SubjectKeyEpochs(app.database, vault: node, world: app.clock.world))
    #expect(try await late.run() == .init(epoch: 7, rewrapped: 0, earliest: 4))
  }

  @Test("a key that was wrapped late is wrapped anew before its epoch's key is destroyed", arguments: Engine.available)
  func late(engine: Engine) async throws {
    let app = try await SubjectKeyTestApp(engine)
    let sealed = try await app.seal(Data("a".utf8), Self.ann)
    let old = try await app.rows()
    app.clock.advance(by: SubjectKeys.epochLength)
    try await app.epochs.run()
    app.clock.advance(by: SubjectKeys.epochKept)
    // As a transaction that lasts for weeks would leave it.
    _ = try await app.erase("ann")
    try await app.restore(old)
    #expect(try await app.epochs.run() == .init(epoch: 3, rewrapped: 1, earliest: 2))
    #expect(try await app.restarted().open(sealed, context: "t.c:1", in: app.database) == Data("a".utf8))
  }

  @Test("an operator destroys what is settled at once", arguments: Engine.available)
  func atOnce(engine: Engine) async throws {
    let app = try await SubjectKeyTestApp(engine)
    let (ann, bob) = try await (app.seal(Data("a".utf8), Self.ann), app.seal(Data("b".utf8), Self.bob))
    let backup = try await app.rows()
    _ = try await app.erase("ann")
    #expect(try await app.epochs.run(advancing: true, destroying: true) == .init(epoch: 2, rewrapped: 1, earliest: 1))
    app.clock.advance(by: SubjectKeyEpochs.settled)
    #expect(try await app.epochs.run(destroying: true) == .init(epoch: 2, rewrapped: 0, earliest: 2))
    try await app.restore(backup)
    let restarted = try await app.restarted()
    await #expect(throws: VaultError.erased) { try await restarted.open(ann, context: "t.c:1", in: app.database) }
    #expect(try await restarted.open(bob, context: "t.c:1", in: app.database) == Data("b".utf8))
  }

  @Test("a database of a past epoch is gone on with in the present one", arguments: Engine.available)
  func restoredPast(engine: Engine) async throws {
    let app = try await SubjectKeyTestApp(engine)
    let ann = try await app.seal(Data("a".utf8), Self.ann)
    // Another node's file is further than this database.
    try app.file.replace(by: app.file.read().key(of: 5))
    let vault = try await app.restarted()
    await #expect(throws: VaultError.erased) { try await vault.open(ann, context: "t.c:1", in: app.database) }
    let bob = try await app.database.write { try vault.seal(Data("b".utf8), context: "t.c:1", of: Self.bob, in: $0) }
    let epochs = try #require(SubjectKeyEpochs(app.database, vault: vault, world: app.clock.world))
    #expect(try await epochs.run() == .init(epoch: 5, rewrapped: 0, earliest: 5))
    #expect(try await app.restarted().open(bob, context: "t.c:1", in: app.database) == Data("b".utf8))
  }

  /// The file of another node, with what the first one's holds now.
  private func copy(_ app: SubjectKeyTestApp, _ name: String) throws -> EpochKeyFile {
    let file = EpochKeyFile(app.folder.file(name))
    try DurableFile.write(try #require(FileManager.default.contents(atPath: app.file.path)), to: file.path)
    return file
  }

  @Test(
    "another epoch key takes over on every node, what was sealed opens, and the one that left opens nothing of after",
    arguments: Engine.available)
  func replaced(engine: Engine) async throws {
    let app = try await SubjectKeyTestApp(engine)
    let other = try copy(app, "other.json")
    let stolen = try copy(app, "stolen.json")
    let (node, stale) = try await (app.restarted(other), app.restarted(stolen))
    let ann = try await app.seal(Data("a".utf8), Self.ann)
    func begin() async throws -> SubjectKeyEpochs.Report { try await app.epochs.beginNext { _, _ in } }
    func refusals() async -> [String?] {
      let beginning = await #expect(throws: Problem.self) { try await begin() }
      let preparing = await #expect(throws: Problem.self) { try await app.epochs.prepareNext() }
      return [beginning?.code, preparing?.code]
    }
    let early = await #expect(throws: Problem.self) { try await begin() }
    #expect(early?.code == "no-key-prepared")
    try await app.epochs.prepareNext()
    let twice = await #expect(throws: Problem.self) { try await app.epochs.prepareNext() }
    #expect(twice?.code == "key-prepared")
    // The other node's file is written, and its process goes on.
    _ = try copy(app, "other.json")
    #expect(try await begin() == .init(epoch: 2, rewrapped: 1, earliest: 1))
    #expect(await refusals() == ["no-key-prepared", "former-key-kept"])

    #expect(try await node.open(ann, context: "t.c:1", in: app.database) == Data("a".utf8))
    let bob = try await app.database.write { try node.seal(Data("b".utf8), context: "t.c:1", of: Self.bob, in: $0) }
    #expect(try await app.open(bob) == Data("b".utf8))
    #expect(try await node.opensAll(in: app.database))
    // A node whose file was forgotten, and the thief, who has the database and the key ring of after as well.
    #expect(try await !stale.opensAll(in: app.database))
    await #expect(throws: VaultError.changed) { try await stale.open(bob, context: "t.c:1", in: app.database) }
    await #expect(throws: EpochKeyError.foreign(path: stolen.path)) { try await app.restarted(stolen) }

    app.clock.advance(by: SubjectKeys.epochLength)
    let late = try #require(SubjectKeyEpochs(app.database, vault: node, world: app.clock.world))
    #expect(try await late.run() == .init(epoch: 3, rewrapped: 2, earliest: 1))
    app.clock.advance(by: SubjectKeyEpochs.settled)
    for epochs in [app.epochs, late] { #expect(try await epochs.run(destroying: true).earliest == 3) }
    for file in [app.file, other] {
      #expect(try file.readNext() == nil)
      let vault = try await app.restarted(file)
      #expect(try await vault.open(ann, context: "t.c:1", in: app.database) == Data("a".utf8))
      #expect(try await vault.open(bob, context: "t.c:1", in: app.database) == Data("b".utf8))
    }
    #expect(try app.file.read() == other.read() && app.file.read() != stolen.read().key(of: 3))
    try await app.epochs.prepareNext()
  }

  @Test(
    "two processes of one machine have one file: the second learns that the first has destroyed",
    arguments: Engine.available)
  func sharedFile(engine: Engine) async throws {
    let app = try await SubjectKeyTestApp(engine)
    let worker = try await app.restarted()
    let ann = try await app.seal(Data("a".utf8), Self.ann)
    try await app.epochs.prepareNext()
    _ = try await app.epochs.beginNext { _, _ in }
    app.clock.advance(by: SubjectKeyEpochs.settled)
    #expect(try await app.epochs.run(destroying: true).earliest == 2)
    #expect(try await worker.open(ann, context: "t.c:1", in: app.database) == Data("a".utf8))
    #expect(worker.subjectKeys?.earliestEpoch == 2)
  }

  @Test("ended at any instant, the new key has taken over or it has not", arguments: Engine.available)
  func interrupted(engine: Engine) async throws {
    struct Ended: Error {}
    let app = try await SubjectKeyTestApp(engine)
    let ann = try await app.seal(Data("a".utf8), Self.ann)
    try await app.epochs.prepareNext()
    await #expect(throws: Ended.self) { try await app.epochs.beginNext { _, _ in throw Ended() } }
    #expect(try await app.epochs.run() == .init(epoch: 1, rewrapped: 0, earliest: 1))
    #expect(try await app.restarted().open(ann, context: "t.c:1", in: app.database) == Data("a".utf8))
    // Begun, and ended before a key was wrapped in it.
    let next = try #require(try app.file.readNext())
    let (now, fingerprint) = (app.clock.now, next.beginning(2).fingerprint)
    _ = try await app.database.write {
      try SubjectKeyStore($0).begin(.init(number: 2, beganAt: now, fingerprint: fingerprint))
    }
    let restarted = try await app.restarted()
    #expect(try await restarted.open(ann, context: "t.c:1", in: app.database) == Data("a".utf8))
    let epochs = try #require(SubjectKeyEpochs(app.database, vault: restarted, world: app.clock.world))
    #expect(try await epochs.run() == .init(epoch: 2, rewrapped: 1, earliest: 1))
    #expect(try await app.open(ann) == Data("a".utf8))
  }

  @Test("the epoch key of another installation, and none, are refused", arguments: Engine.available)
  func foreign(engine: Engine) async throws {
    let app = try await SubjectKeyTestApp(engine)
    let other = EpochKeyFile(app.folder.file("other.json"))
    await #expect(throws: EpochKeyError.missing(path: other.path)) { try await app.restarted(other) }
    _ = try other.readOrMake(world: TestWorld(seed: 7).world)
    await #expect(throws: EpochKeyError.foreign(path: other.path)) { try await app.restarted(other) }
  }

  @Test("a node with another epoch key, or none, is not ready once epochs have begun", arguments: Engine.available)
  func readiness(engine: Engine) async throws {
    let app = try await SubjectKeyTestApp(engine, begun: false)
    let other = EpochKeyFile(app.folder.file("other.json"))
    _ = try other.readOrMake(world: TestWorld(seed: 7).world)
    let (foreign, without) = try await (
      app.restarted(other), Vault.open(app.database, keyring: app.keyring, world: app.clock.world)
    )
    for vault in [app.vault, foreign, without] { #expect(try await vault.opensAll(in: app.database)) }
    try await app.begin()
    #expect(try await app.vault.opensAll(in: app.database))
    for vault in [foreign, without] { #expect(try await !vault.opensAll(in: app.database)) }
    await #expect(throws: EpochKeyError.foreign(path: other.path)) {
      try await app.database.write { try foreign.seal(Data(), context: "t.c:1", of: Self.ann, in: $0) }
    }
  }
}

@Suite("Kit: the epoch key", .storeless)
struct EpochKeyTests {
  @Test("each epoch's key is derived from the one before, and none from a later one")
  func chain() throws {
    let first = EpochKey(world: TestWorld().world)
    let third = try first.key(of: 3)
    #expect(try first.key(of: 2).key(of: 3) == third)
    #expect(throws: EpochKeyError.destroyed(epoch: 2)) { try third.key(of: 2) }
    #expect(Set([first.fingerprint, third.fingerprint, try first.key(of: 2).fingerprint]).count == 3)
  }

  @Test("the file is its owner's only, goes forward only, and is never written over by another one")
  func file() throws {
    let folder = try TestFolder()
    let file = EpochKeyFile(folder.file("deeper/epoch-key.json"))
    let key = try file.readOrMake(world: TestWorld(seed: 1).world)
    #expect(try file.readOrMake(world: TestWorld(seed: 2).world) == key)
    #expect(Keyring.openMode(of: file.path) == nil)
    try file.replace(by: key.key(of: 4))
    try file.replace(by: key.key(of: 2))
    #expect(try file.read() == key.key(of: 4))
    try FileManager.default.setAttributes([.posixPermissions: 0o640], ofItemAtPath: file.path)
    #expect(throws: EpochKeyError.exposed(path: file.path)) { try file.read() }
  }

  @Test("a prepared key stays in the file while epochs go on, also under a KMS, until the key is of its own chain")
  func prepared() throws {
    let folder = try TestFolder()
    let file = EpochKeyFile(folder.file("epoch-key.json"))
    let key = try file.readOrMake(world: TestWorld(seed: 1).world)
    #expect(try file.prepareNext(world: TestWorld(seed: 2).world))
    #expect(try !file.prepareNext(world: TestWorld(seed: 3).world))
    let next = try #require(try file.readNext())
    try file.replace(by: key.key(of: 2))
    #expect(try file.read() == key.key(of: 2) && file.readNext() == next)
    #expect(next.firstEpoch(through: 9, after: 2) { $0 == (try? next.beginning(4).key(of: 9)) } == 4)
    #expect(next.firstEpoch(through: 9, after: 4) { $0 == (try? next.beginning(4).key(of: 9)) } == nil)
    let kms = KeyManagement(
      name: "test", wrap: { key, context in Data(key.map { $0 ^ 0x5a }) + Data(context.utf8) },
      unwrap: { wrapped, context in
        guard wrapped.dropFirst(32) == Data(context.utf8) else { throw KeyManagementError.notWrapped }
        return Data(wrapped.prefix(32).map { $0 ^ 0x5a })
      })
    try file.wrap(by: kms)
    let wrapped = EpochKeyFile(file.path, kms: kms)
    #expect(try wrapped.readNext() == next)
    try wrapped.replace(by: next.beginning(3), spending: next)
    #expect(try wrapped.read() == next.beginning(3) && wrapped.readNext() == nil)
    #expect(Keyring.openMode(of: file.path) == nil)
  }

  @Test(
    "what is no epoch key is refused and stays",
    arguments: [
      "", "{}", #"{"epoch":1,"key":"AAAA"}"#,
      #"{"epoch":1,"key":"\#(Data(count: 32).base64EncodedString())","next":"AAAA"}"#,
      #"{"epoch":0,"key":"\#(Data(count: 32).base64EncodedString())"}"#,
    ])
  func unreadable(text: String) throws {
    let folder = try TestFolder()
    let file = EpochKeyFile(folder.file("epoch-key.json"))
    try DurableFile.write(Data(text.utf8), to: file.path)
    #expect(EpochKeyFile.fault(at: file.path, isWrapped: false) == .unreadable(path: file.path))
    #expect(throws: EpochKeyError.unreadable(path: file.path)) { try file.readOrMake(world: TestWorld().world) }
    #expect(FileManager.default.contents(atPath: file.path) == Data(text.utf8))
  }

  @Test("under a KMS the file holds the key wrapped, and opens with that KMS only")
  func wrapped() throws {
    let folder = try TestFolder()
    let plain = EpochKeyFile(folder.file("epoch-key.json"))
    let key = try plain.readOrMake(world: TestWorld().world)
    let kms = KeyManagement(
      name: "test", wrap: { key, context in Data(key.map { $0 ^ 0x5a }) + Data(context.utf8) },
      unwrap: { wrapped, context in
        guard wrapped.dropFirst(32) == Data(context.utf8) else { throw KeyManagementError.notWrapped }
        return Data(wrapped.prefix(32).map { $0 ^ 0x5a })
      })
    func faults() -> [EpochKeyError?] { [false, true].map { EpochKeyFile.fault(at: plain.path, isWrapped: $0) } }
    #expect(faults() == [nil, .otherKMS(path: plain.path)])
    try plain.wrap(by: kms)
    #expect(faults() == [.otherKMS(path: plain.path), nil])
    #expect(throws: EpochKeyError.otherKMS(path: plain.path)) { try plain.read() }
    let file = EpochKeyFile(plain.path, kms: kms)
    #expect(try file.read() == key)
    try file.replace(by: key.key(of: 2))
    #expect(try file.read() == key.key(of: 2))
  }
}
