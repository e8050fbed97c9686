// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestSupport
import Testing

@testable import GatehouseTransport

@Suite("Transport: secrets in a sealed file")
struct SealedFileStoreTests {
  private let secret = Data("rbxr_a-secret-that-must-not-be-seen".utf8)
  private let key = Data(repeating: 7, count: 32)

  /// Runs in a folder of its own, which is gone afterwards.
  private func inFolder(_ body: (URL) async throws -> Void) async throws {
    let folder = try TestFolder()
    try await body(folder.url("secrets"))
  }

  @Test("what is written survives a reopening, under its name")
  func reopen() async throws {
    try await inFolder { file in
      try SealedFileStore(file: file, key: key).write(secret, as: "tokens")
      let reopened = try SealedFileStore(file: file, key: key)
      #expect(try reopened.read("tokens") == secret)
      #expect(try reopened.read("other") == nil)
    }
  }

  @Test("a file that does not answer is not removed with all that is in it")
  func unreadable() async throws {
    try await inFolder { file in
      let store = try SealedFileStore(file: file, key: key)
      try store.write(secret, as: "a")
      try store.write(secret, as: "b")
      // A link is not followed: that is no damage, nothing can be told of the content.
      let elsewhere = file.appendingPathExtension("elsewhere")
      try FileManager.default.moveItem(at: file, to: elsewhere)
      try FileManager.default.createSymbolicLink(at: file, withDestinationURL: elsewhere)
      #expect {
        try store.remove("a")
      } throws: { ($0 as? SecureStoreError)?.code == .unavailable }
      #expect(try FileManager.default.destinationOfSymbolicLink(atPath: file.path) == elsewhere.path)
      try FileManager.default.removeItem(at: file)
      try FileManager.default.moveItem(at: elsewhere, to: file)
      #expect(try store.read("a") == secret && store.read("b") == secret)
    }
  }

  @Test("a file that one process opened twice loses no write")
  func openedTwice() async throws {
    try await inFolder { file in
      let stores = try [SealedFileStore(file: file, key: key), SealedFileStore(file: file, key: key)]
      await withTaskGroup { group in
        for index in 0..<40 {
          group.addTask { [secret] in
            #expect(throws: Never.self) { try stores[index % 2].write(secret, as: "\(index)") }
          }
        }
      }
      for index in 0..<40 { #expect(try stores[0].read("\(index)") == secret, "\(index)") }
    }
  }

  @Test("neither the secret nor its name can be seen in the file, and only the owner may read it")
  func sealed() async throws {
    try await inFolder { file in
      try SealedFileStore(file: file, key: key).write(secret, as: "tokens")
      let content = try Data(contentsOf: file)
      for plain in [secret, secret.base64EncodedData(), Data("tokens".utf8)] {
        #expect(content.range(of: plain) == nil)
      }
      let mode = try FileManager.default.attributesOfItem(atPath: file.path)[.posixPermissions] as? NSNumber
      #expect(mode?.intValue == 0o600)
      #expect(try FileManager.default.contentsOfDirectory(atPath: file.deletingLastPathComponent().path) == ["secrets"])
    }
  }

  @Test("the same secret is never sealed the same way twice")
  func nonces() async throws {
    try await inFolder { file in
      let store = try SealedFileStore(file: file, key: key)
      try store.write(secret, as: "tokens")
      let first = try Data(contentsOf: file)
      try store.write(secret, as: "tokens")
      #expect(try Data(contentsOf: file) != first)
    }
  }

  @Test("a change of any byte is found")
  func tampered() async throws {
    try await inFolder { file in
      try SealedFileStore(file: file, key: key).write(secret, as: "tokens")
      let content = try Data(contentsOf: file)
      for index in content.indices {
        var changed = content
        changed[index] ^= 1
        try changed.write(to: file)
        let store = try SealedFileStore(file: file, key: key)
        #expect(throws: SecureStoreError(.tampered)) { try store.read("tokens") }
      }
      try content.dropLast().write(to: file)
      let store = try SealedFileStore(file: file, key: key)
      #expect(throws: SecureStoreError(.tampered)) { try store.write(secret, as: "other") }
    }
  }

  @Test("another key opens nothing")
  func wrongKey() async throws {
    try await inFolder { file in
      try SealedFileStore(file: file, key: key).write(secret, as: "tokens")
      let store = try SealedFileStore(file: file, key: Data(repeating: 8, count: 32))
      #expect(throws: SecureStoreError(.tampered)) { try store.read("tokens") }
    }
  }

  @Test("forgetting works on a damaged file, too, and the last secret takes the file with it")
  func remove() async throws {
    try await inFolder { file in
      let store = try SealedFileStore(file: file, key: key)
      try store.write(secret, as: "a")
      try store.write(secret, as: "b")
      try store.remove("a")
      #expect(try store.read("a") == nil)
      #expect(try store.read("b") == secret)
      try store.remove("b")
      #expect(!FileManager.default.fileExists(atPath: file.path))
      try Data("damaged".utf8).write(to: file)
      try store.remove("b")
      #expect(try store.read("b") == nil)
    }
  }

  @Test("a key file is made once, for the owner alone, and must not be lost or exposed")
  func keyFile() async throws {
    try await inFolder { file in
      let keyFile = file.deletingLastPathComponent().appendingPathComponent("key")
      try SealedFileStore(file: file, keyFile: keyFile).write(secret, as: "tokens")
      #expect(try SealedFileStore(file: file, keyFile: keyFile).read("tokens") == secret)
      #expect(!PrivateFile(path: keyFile.path).isExposed())

      try FileManager.default.setAttributes([.posixPermissions: 0o644], ofItemAtPath: keyFile.path)
      #expect(throws: SecureStoreError(.keyUnusable)) { try SealedFileStore(file: file, keyFile: keyFile) }
      try FileManager.default.removeItem(at: keyFile)
      #expect(throws: SecureStoreError(.keyMissing)) { try SealedFileStore(file: file, keyFile: keyFile) }
      #expect(throws: SecureStoreError(.keyUnusable)) { try SealedFileStore(file: file, key: Data([1])) }
    }
  }
}
