// SPDX-License-Identifier: Apache-2.0

import Foundation
import Kit
import Testing
import TestSupport

@Suite("Kit: objects on disk", .storeless)
struct BlobsTests {
  private static let key = "0195a1b2-0000-7000-8000-0000000000ab"

  @Test("an object comes back whole, is replaced whole, and is gone once deleted")
  func roundTrip() async throws {
    let folder = try TestFolder()
    let blobs = Blobs.disk(folder.path)
    #expect(try await blobs.get(Self.key) == nil)
    for bytes in [Data(), Data([1]), Data(repeating: 5, count: 3_000_000)] {
      try await blobs.put(Self.key, bytes)
      #expect(try await blobs.get(Self.key) == bytes)
    }
    try await blobs.delete(Self.key)
    #expect(try await blobs.get(Self.key) == nil)
    try await blobs.delete(Self.key)
  }

  @Test("an object lies in its own file for its owner only, and nothing is left beside it")
  func file() async throws {
    let folder = try TestFolder()
    try await Blobs.disk(folder.path).put(Self.key, Data("x".utf8))
    let names = try FileManager.default.subpathsOfDirectory(atPath: folder.path)
    #expect(names.sorted() == ["ab", "ab/\(Self.key)"])
    let attributes = try FileManager.default.attributesOfItem(atPath: folder.file("ab/\(Self.key)"))
    #expect((attributes[.posixPermissions] as? NSNumber)?.intValue == 0o600)
  }

  @Test("a disk without room is told as a store that may take it later, and other refusals as they are")
  func noRoom() {
    for error in [POSIXError(.ENOSPC), POSIXError(.EDQUOT), CocoaError(.fileWriteOutOfSpace)] as [any Error] {
      #expect(BlobError(noRoom: error) == .unavailable)
    }
    for error in [POSIXError(.EACCES), CocoaError(.fileWriteNoPermission), BlobError.badKey] as [any Error] {
      #expect(BlobError(noRoom: error) == nil)
    }
  }

  @Test(
    "a key that could leave the folder is refused by every verb",
    arguments: [
      "", "short", "../../etc/passwd", "/etc/passwd", "aaaaaaaa/b", "aaaaaaa..", "AAAAAAAA", "aaaaaaaä", "aaaaaaa\u{0}",
    ])
  func badKeys(key: String) async throws {
    let folder = try TestFolder()
    let blobs = Blobs.disk(folder.path)
    await #expect(throws: BlobError.badKey) { try await blobs.put(key, Data()) }
    await #expect(throws: BlobError.badKey) { try await blobs.get(key) }
    await #expect(throws: BlobError.badKey) { try await blobs.delete(key) }
    #expect(try FileManager.default.subpathsOfDirectory(atPath: folder.path).isEmpty)
  }

  @Test("readers that race a writer see one whole object or the other, never a piece")
  func racing() async throws {
    let folder = try TestFolder()
    let blobs = Blobs.disk(folder.path)
    let (one, two) = (Data(repeating: 1, count: 200_000), Data(repeating: 2, count: 300_000))
    try await blobs.put(Self.key, one)
    try await withThrowingTaskGroup(of: Void.self) { group in
      for index in 0..<10 { group.addTask { try await blobs.put(Self.key, index.isMultiple(of: 2) ? one : two) } }
      for _ in 0..<30 {
        group.addTask {
          let found = try await blobs.get(Self.key)
          #expect(found == one || found == two)
        }
      }
      try await group.waitForAll()
    }
  }
}

@Suite("Kit: files that are whole or not there", .storeless)
struct DurableFileTests {
  @Test("a write makes its folders, keeps the file to its owner and leaves nothing beside it")
  func written() throws {
    let folder = try TestFolder()
    let path = folder.file("a/b/file")
    try DurableFile.write(Data("one".utf8), to: path)
    try DurableFile.write(Data("two".utf8), to: path)
    #expect(FileManager.default.contents(atPath: path) == Data("two".utf8))
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.file("a/b")) == ["file"])
    let attributes = try FileManager.default.attributesOfItem(atPath: path)
    #expect((attributes[.posixPermissions] as? NSNumber)?.intValue == 0o600)
  }

  @Test("a write that fails leaves the old content and no other file")
  func failed() throws {
    let folder = try TestFolder()
    let path = folder.file("target")
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    try Data("inside".utf8).write(to: URL(fileURLWithPath: path + "/kept"))
    #expect(throws: (any Error).self) { try DurableFile.write(Data("x".utf8), to: path) }
    #expect(try FileManager.default.subpathsOfDirectory(atPath: folder.path).sorted() == ["target", "target/kept"])
  }

  @Test("writers that race leave one whole content")
  func racing() async throws {
    let folder = try TestFolder()
    let path = folder.file("file")
    try await withThrowingTaskGroup(of: Void.self) { group in
      for byte in UInt8(1)...8 {
        group.addTask { try DurableFile.write(Data(repeating: byte, count: 50_000), to: path) }
      }
      try await group.waitForAll()
    }
    let found = try #require(FileManager.default.contents(atPath: path))
    #expect(found.count == 50_000 && Set(found).count == 1)
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == ["file"])
  }
}
