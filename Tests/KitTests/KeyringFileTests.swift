// SPDX-License-Identifier: Apache-2.0

import Foundation
import Kit
import Testing
import TestSupport

@Suite("Kit: the key ring's file", .storeless)
struct KeyringFileTests {
  @Test("it is made once, readable by its owner only, and read again")
  func createdOnce() throws {
    let folder = try TestFolder()
    let path = folder.file("deeper/keyring.json")
    let one = try Keyring(path: path, world: TestWorld(seed: 1).world)
    let two = try Keyring(path: path, world: TestWorld(seed: 2).world)
    #expect(one.current == two.current)
    let attributes = try FileManager.default.attributesOfItem(atPath: path)
    #expect((attributes[.posixPermissions] as? NSNumber)?.intValue == 0o600)
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.file("deeper")) == ["keyring.json"])
  }

  @Test(
    "a file that is no key ring is refused and stays as it is",
    arguments: [
      "", "{}", "nonsense", #"{"current":"a","keys":{}}"#, #"{"current":"a","keys":{"b":"AAAA"}}"#,
      #"{"current":"a","keys":{"a":"AAAA"}}"#,
      #"{"current":"a","next":"b","keys":{"a":"AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA="}}"#,
    ])
  func unreadable(text: String) throws {
    let folder = try TestFolder()
    let path = folder.file("keyring.json")
    try Data(text.utf8).write(to: URL(fileURLWithPath: path))
    #expect(throws: KeyringError.unreadable(path: path)) { try Keyring(path: path, world: TestWorld().world) }
    #expect(FileManager.default.contents(atPath: path) == Data(text.utf8))
  }

  @Test("what is there but cannot be read is refused, never taken for absent")
  func notAFile() throws {
    let folder = try TestFolder()
    let path = folder.file("keyring.json")
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    #expect(throws: KeyringError.unreadable(path: path)) { try Keyring(path: path, world: TestWorld().world) }
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == ["keyring.json"])
  }

  @Test("a link whose target is away is refused, not replaced by a new ring")
  func danglingLink() throws {
    let folder = try TestFolder()
    let path = folder.file("keyring.json")
    try FileManager.default.createSymbolicLink(atPath: path, withDestinationPath: folder.file("unmounted/keyring.json"))
    #expect(throws: KeyringError.unreadable(path: path)) { try Keyring(path: path, world: TestWorld().world) }
    #expect(try FileManager.default.destinationOfSymbolicLink(atPath: path) == folder.file("unmounted/keyring.json"))
  }

  @Test(
    "a ring that its group or others may use is refused, also behind a link (issue 24)",
    arguments: [0o644, 0o640, 0o604, 0o620, 0o601])
  func exposed(mode: Int) throws {
    let folder = try TestFolder()
    let (path, link) = (folder.file("keyring.json"), folder.file("link.json"))
    let ring = try Keyring(path: path, world: TestWorld().world)
    try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: path)
    try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: path)
    for name in [path, link] {
      #expect(throws: KeyringError.exposed(path: name)) { try Keyring(at: name) }
      #expect(throws: KeyringError.exposed(path: name)) { try Keyring(path: name, world: TestWorld().world) }
    }
    try FileManager.default.setAttributes([.posixPermissions: 0o400], ofItemAtPath: path)
    #expect(try Keyring(at: link).current == ring.current)
  }

  @Test("programs that start at once on an empty machine share one ring")
  func racing() async throws {
    let folder = try TestFolder()
    let path = folder.file("keyring.json")
    let currents = try await withThrowingTaskGroup(of: String.self) { group in
      for seed in 1...16 {
        group.addTask { try Keyring(path: path, world: TestWorld(seed: UInt64(seed)).world).current }
      }
      return try await group.reduce(into: Set()) { $0.insert($1) }
    }
    #expect(currents == [try Keyring(path: path, world: TestWorld().world).current])
  }

  @Test("where one is expected, none is made")
  func missing() throws {
    let folder = try TestFolder()
    let path = folder.file("keyring.json")
    #expect(throws: KeyringError.missing(path: path)) { try Keyring(at: path) }
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path).isEmpty)
  }

  @Test("what keeps a file from being used is seen without a KMS, and no file is no fault")
  func faults() throws {
    let folder = try TestFolder()
    let path = folder.file("keyring.json")
    #expect(Keyring.fault(at: path, isWrapped: false) == nil)
    _ = try Keyring(path: path, world: TestWorld().world)
    #expect(Keyring.fault(at: path, isWrapped: false) == nil)
    #expect(Keyring.fault(at: path, isWrapped: true) == .plain(path: path))
    let key = Data(count: 32).base64EncodedString()
    let strangers = [
      #"{"current":"a","keys":{"b":"\#(key)"}}"#, #"{"current":"a","keys":{"a":"\#(key)"},"next":"b"}"#,
      #"{"current":"a","keys":{"a":"AA=="}}"#,
    ]
    for content in ["", "{}"] + strangers {
      try Data(content.utf8).write(to: URL(fileURLWithPath: path))
      #expect(Keyring.fault(at: path, isWrapped: false) == .unreadable(path: path), "\(content)")
    }
    try Data(#"{"current":"a","keys":{"a":"AA=="},"wrappedBy":"token"}"#.utf8).write(to: URL(fileURLWithPath: path))
    #expect(Keyring.fault(at: path, isWrapped: false) == .wrapped(path: path, by: "token"))
    #expect(Keyring.fault(at: path, isWrapped: true) == nil)
  }

  @Test("a folder, and a link that leads to nothing, is a file that cannot be used", arguments: [false, true])
  func noFile(isLink: Bool) throws {
    let folder = try TestFolder()
    let (ring, key) = (folder.file("keyring.json"), folder.file("epoch-key.json"))
    for path in [ring, key] {
      if isLink {
        try FileManager.default.createSymbolicLink(atPath: path, withDestinationPath: folder.file("away"))
      } else {
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false)
      }
    }
    #expect(Keyring.fault(at: ring, isWrapped: false) == .unreadable(path: ring))
    #expect(throws: KeyringError.unreadable(path: ring)) { try Keyring(at: ring) }
    #expect(EpochKeyFile.fault(at: key, isWrapped: false) == .unreadable(path: key))
    #expect(throws: EpochKeyError.unreadable(path: key)) { try EpochKeyFile(key).read() }
    #expect(throws: EpochKeyError.unreadable(path: key)) { try EpochKeyFile(key).readOrMake(world: TestWorld().world) }
  }

  @Test("a prepared key is kept with the ring, and so is that it was turned over")
  func rotated() throws {
    let folder = try TestFolder()
    let path = folder.file("keyring.json")
    let world = TestWorld().world
    var ring = try Keyring(path: path, world: world)
    let first = ring.current
    let prepared = ring.prepare(world: world)
    try ring.save(to: path)
    var again = try Keyring(at: path)
    #expect(again.current == first && again.next == prepared)
    _ = again.turnOver()
    try again.save(to: path)
    again = try Keyring(at: path)
    #expect(again.current == prepared && again.next == nil)
    #expect(try JSONEncoder().encode(again).range(of: Data(first.utf8)) != nil)
  }

  @Test("programs that change a ring at once lose no change")
  func changed() async throws {
    let folder = try TestFolder()
    let path = folder.file("keyring.json")
    let world = TestWorld().world
    let first = try Keyring(path: path, world: world)
    #expect(first.isAuditSealed)
    try await withThrowingTaskGroup(of: Void.self) { group in
      for _ in 0..<16 {
        group.addTask {
          try Keyring.change(at: path) {
            $0.prepare(world: world)
            return $0.turnOver()
          }
        }
      }
      try await group.waitForAll()
    }
    let keys = try JSONSerialization.jsonObject(with: Data(contentsOf: URL(fileURLWithPath: path))) as? [String: Any]
    #expect((keys?["keys"] as? [String: String])?.count == 17)
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == ["keyring.json"])
  }

  @Test("a ring that is not there is told as missing, also without its folder, and is not made by a change")
  func changedNone() throws {
    let folder = try TestFolder()
    for path in [folder.file("keyring.json"), folder.file("keys/keyring.json")] {
      #expect(throws: KeyringError.missing(path: path)) { try Keyring.change(at: path) { _ in true } }
    }
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == [])
  }
}
