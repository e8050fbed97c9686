// SPDX-License-Identifier: Apache-2.0

import Foundation
import Synchronization
import TestSupport
import Testing

@testable import GatehouseTransport

@Suite("Transport: secrets that outlive the app belong to one installation of it")
struct InstallationTests {
  private static let secrets = ["activation": Data([1]), "tokens": Data([2]), "key": Data([3])]

  @Test("a first installation marks both places, and finds its secrets again")
  func first() throws {
    let device = try LastingDevice()
    #expect(try device.start().read("activation") == nil)
    try device.start().write(Data([1]), as: "activation")
    try device.start().remove("tokens")
    #expect(try device.start().read("activation") == Data([1]) && device.keychain.wipes == 0)
  }

  @Test("after a re-installation nothing is left, whatever is asked first")
  func reinstalled() throws {
    for first in 0..<3 {
      let device = try LastingDevice()
      for (name, secret) in Self.secrets { try device.start().write(secret, as: name) }
      try device.reinstall()
      switch first {
      case 0: #expect(try device.start().read("activation") == nil)
      case 1: try device.start().write(Data([9]), as: "activation")
      default: try device.start().remove("nothing")
      }
      #expect(device.keychain.secrets == (first == 1 ? ["activation": Data([9])] : [:]) && device.keychain.wipes == 1)
      // Once, and not again.
      try device.start().write(Data([4]), as: "tokens")
      #expect(try device.start().read("tokens") == Data([4]) && device.keychain.wipes == 1)
    }
  }

  @Test("every service of an installation is wiped, also one that is used later")
  func services() throws {
    let device = try LastingDevice()
    let other = LastingKeychain()
    try device.start().write(Data([1]), as: "a")
    try device.start(other).write(Data([2]), as: "b")
    try device.reinstall()
    #expect(try device.start().read("a") == nil && other.secrets == ["b": Data([2])])
    #expect(try device.start(other).read("b") == nil)
  }

  @Test("an update from a version that made no mark keeps everything, and the next re-installation wipes it")
  func updated() throws {
    // The app's folders are older than the last signature.
    let device = try LastingDevice(Self.secrets, changedAt: .now + 60)
    for (name, secret) in Self.secrets { #expect(try device.start().read(name) == secret) }
    try device.reinstall()
    #expect(try device.start().read("key") == nil && device.keychain.secrets.isEmpty)
  }

  @Test("secrets without a mark that are all older than the app's folders are from an earlier installation")
  func unmarkedLeftovers() throws {
    let device = try LastingDevice(Self.secrets, changedAt: .now - 60)
    #expect(try device.start().read("activation") == nil && device.keychain.secrets.isEmpty)
  }

  @Test("an app that was restored has older files in newer folders: its secrets are kept")
  func restored() throws {
    let device = try LastingDevice(Self.secrets, changedAt: .now - 60)
    let preferences = try device.file("Library/Preferences/app.plist")
    try FileManager.default.setAttributes([.modificationDate: Date.now - 3600], ofItemAtPath: preferences.path)
    #expect(try device.start().read("activation") == Data([1]) && device.keychain.wipes == 0)
  }

  @Test("in doubt secrets are kept: no date of them, or no folder to compare them with")
  func doubt() throws {
    #expect(try LastingDevice(Self.secrets, changedAt: nil).start().read("key") == Data([3]))
    let device = try LastingDevice(Self.secrets, changedAt: .now - 60)
    device.data = device.folder.url("absent")
    #expect(try device.start().read("key") == Data([3]))
  }

  @Test("a backup that brings the app's mark and no secrets begins anew without a wipe")
  func newDevice() throws {
    let device = try LastingDevice()
    try device.start().write(Data([1]), as: "a")
    let empty = LastingKeychain()
    #expect(try device.start(empty).read("a") == nil && empty.wipes == 0)
    try device.start(empty).write(Data([2]), as: "a")
    #expect(try device.start(empty).read("a") == Data([2]))
  }

  @Test("the app may be killed before any change of the Keychain or after it: the next start ends the same way")
  func killed() throws {
    for change in 0..<5 {
      let left = try LastingDevice()
      for (name, secret) in Self.secrets { try left.start().write(secret, as: name) }
      try left.reinstall()
      left.keychain.kill(after: change)
      _ = try? left.start().read("activation")
      left.keychain.kill(after: nil)
      #expect(try left.start().read("activation") == nil && left.keychain.secrets.isEmpty, "re-installed, \(change)")
      try left.start().write(Data([7]), as: "activation")
      #expect(try left.start().read("activation") == Data([7]), "re-installed, \(change)")

      let unmarked = try LastingDevice(Self.secrets, changedAt: .now - 60)
      unmarked.keychain.kill(after: change)
      _ = try? unmarked.start().read("activation")
      unmarked.keychain.kill(after: nil)
      #expect(try unmarked.start().read("key") == nil && unmarked.keychain.secrets.isEmpty, "unmarked, \(change)")

      let updated = try LastingDevice(Self.secrets, changedAt: .now + 60)
      updated.keychain.kill(after: change)
      _ = try? updated.start().read("activation")
      updated.keychain.kill(after: nil)
      #expect(try updated.start().read("key") == Data([3]) && updated.keychain.secrets == Self.secrets, "\(change)")
    }
  }

  @Test("a killed start that had marked the folder only is ended by the next one")
  func markedOnly() throws {
    let device = try LastingDevice(Self.secrets, changedAt: .now + 60)
    device.keychain.kill(after: 0)
    #expect(throws: SecureStoreError.self) { try device.start().read("key") }
    #expect(FileManager.default.fileExists(atPath: device.markFile) && device.keychain.mark == nil)
    device.keychain.kill(after: nil)
    #expect(try device.start().read("key") == Data([3]) && device.keychain.mark != nil)
  }

  @Test("nothing is decided while the device is locked or the mark cannot be read")
  func locked() throws {
    let device = try LastingDevice()
    let store = device.start()
    try store.write(Data([1]), as: "a")
    try device.reinstall()
    let begun = device.start()
    device.keychain.lock(true)
    #expect(throws: SecureStoreError(.locked)) { try begun.read("a") }
    #expect(!FileManager.default.fileExists(atPath: device.markFile))
    device.keychain.lock(false)
    #expect(device.keychain.secrets == ["a": Data([1])])
    // In the same process, once it is unlocked.
    #expect(try begun.read("a") == nil)
    try begun.write(Data([2]), as: "a")
    // A folder cannot be read as a file, as a file cannot before the first unlock.
    try FileManager.default.removeItem(atPath: device.markFile)
    try FileManager.default.createDirectory(atPath: device.markFile, withIntermediateDirectories: false)
    #expect(throws: SecureStoreError.self) { try device.start().read("a") }
    #expect(device.keychain.secrets == ["a": Data([2])])
  }

  @Test("secrets of no installation are never wiped and never marked")
  func shared() throws {
    let device = try LastingDevice(Self.secrets, changedAt: .now - 60)
    let store = InstallationStore(device.keychain, of: nil, claims: .init())
    #expect(try store.read("key") == Data([3]) && device.keychain.mark == nil)
  }

  @Test("what another app may have written is neither wiped nor marked, unless the installation is of their group")
  func otherApps() throws {
    for isMarked in [false, true] {
      let device = try LastingDevice(Self.secrets, changedAt: .now - 60)
      device.keychain.share(true)
      if isMarked { try device.keychain.write(Data("another app".utf8), as: AppInstallation.markName) }
      let mark = device.keychain.mark
      #expect(try device.start().read("key") == Data([3]) && device.keychain.mark == mark)
      let folder = device.folder.url("app")
      let group = AppInstallation(folder: folder.appendingPathComponent("gatehouse"), data: folder, isGroup: true)
      let store = InstallationStore(device.keychain, of: group, claims: .init())
      #expect(try store.read("key") == nil && device.keychain.secrets.isEmpty)
    }
  }

  @Test("threads that begin at the same time wipe once, and lose nothing that was written since")
  func threads() async throws {
    let device = try LastingDevice()
    try device.start().write(Data([1]), as: "old")
    try device.reinstall()
    let claims = InstallationStore.Claims()
    try await withThrowingTaskGroup(of: Void.self) { group in
      for number in 0..<32 {
        let store = InstallationStore(device.keychain, of: device.installation, claims: claims)
        group.addTask { try store.write(Data([UInt8(number)]), as: "\(number)") }
      }
      try await group.waitForAll()
    }
    #expect(device.keychain.wipes == 1 && device.keychain.secrets.count == 32)
  }
}

/// An app's folders and its Keychain: the one goes with the app, the other does not.
private final class LastingDevice {
  let folder: TestFolder
  let keychain: LastingKeychain
  var data: URL

  init(_ secrets: [String: Data] = [:], changedAt: Date? = .now) throws {
    folder = try TestFolder()
    keychain = LastingKeychain(secrets, changedAt: changedAt)
    data = folder.url("app")
    try install()
  }

  var installation: AppInstallation {
    AppInstallation(folder: folder.url("app/Library/Application Support/app.gatehouse"), data: data)
  }
  var markFile: String { folder.file("app/Library/Application Support/app.gatehouse/installation") }

  /// A process of its own.
  func start(_ keychain: LastingKeychain? = nil) -> InstallationStore {
    InstallationStore(keychain ?? self.keychain, of: installation, claims: .init())
  }

  func reinstall() throws {
    try FileManager.default.removeItem(at: folder.url("app"))
    try install()
  }

  func file(_ path: String) throws -> URL {
    let file = folder.url("app/\(path)")
    try FileManager.default.createDirectory(at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
    try Data().write(to: file)
    return file
  }

  private func install() throws {
    for name in ["Documents", "Library/Application Support", "tmp"] {
      try FileManager.default.createDirectory(at: folder.url("app/\(name)"), withIntermediateDirectories: true)
    }
  }
}

/// A Keychain that may be locked, and whose app may be killed: every change from then on is lost.
private final class LastingKeychain: PersistentSecureStore {
  private struct State {
    var items: [String: Data]
    var changesLeft: Int?
    var isLocked = false
    var isShared = false
    var wipes = 0
  }

  private let state: Mutex<State>
  private let changedAt: Date?

  init(_ secrets: [String: Data] = [:], changedAt: Date? = .now) {
    state = Mutex(State(items: secrets))
    self.changedAt = changedAt
  }

  var secrets: [String: Data] { state.withLock { $0.items.filter { $0.key != AppInstallation.markName } } }
  var mark: Data? { state.withLock { $0.items[AppInstallation.markName] } }
  var wipes: Int { state.withLock { $0.wipes } }
  func kill(after changes: Int?) { state.withLock { $0.changesLeft = changes } }
  func share(_ isShared: Bool) { state.withLock { $0.isShared = isShared } }
  func mayBeShared() -> Bool { state.withLock { $0.isShared } }
  func lock(_ isLocked: Bool) { state.withLock { $0.isLocked = isLocked } }

  func read(_ name: String) throws(SecureStoreError) -> Data? {
    let (item, isLocked) = state.withLock { ($0.items[name], $0.isLocked) }
    if isLocked { throw SecureStoreError(.locked) }
    return item
  }

  func lastChange() -> Date? { secrets.isEmpty ? nil : changedAt }

  func write(_ secret: Data, as name: String) throws(SecureStoreError) { try change { $0[name] = secret } }
  func remove(_ name: String) throws(SecureStoreError) { try change { $0[name] = nil } }

  /// One item after the other, so that a kill leaves a part.
  func removeAll(except name: String) throws(SecureStoreError) {
    state.withLock { $0.wipes += 1 }
    for item in state.withLock({ $0.items.keys.sorted() }) where item != name { try remove(item) }
  }

  private func change(_ edit: (inout [String: Data]) -> Void) throws(SecureStoreError) {
    let isDone = state.withLock { state in
      guard !state.isLocked, state.changesLeft != 0 else { return false }
      state.changesLeft = state.changesLeft.map { $0 - 1 }
      edit(&state.items)
      return true
    }
    if !isDone { throw SecureStoreError(.unavailable) }
  }
}
