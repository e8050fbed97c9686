// SPDX-License-Identifier: Apache-2.0

public import Foundation
internal import Locks

#if canImport(CryptoKit)
  internal import CryptoKit
#else
  internal import Crypto
#endif

/// Secrets in one file, sealed with AES-256-GCM, for platforms without a keychain.
///
/// Layout: the text `GHSF1`, a nonce of 12 bytes, the ciphertext of a JSON object of name → base64, a tag of 16 bytes.
/// The first five bytes are authenticated too. The key lies in a file of its own, which belongs on another volume or
/// in the system's credential folder, or is handed in by an app that has a better place for it.
/// A process may open a file several times; two processes must not share one.
public final class SealedFileStore: DirectSecureStore {
  /// Bytes of the key.
  public static let keyBytes = 32

  private static let header = Data("GHSF1".utf8)
  private let file: PrivateFile
  private let key: SymmetricKey
  private let randomness: ClientRandomness
  /// One change at a time in the whole process: another store may be of the same file.
  private static let turn = Guarded<Void>(())

  /// The file, however it was reached.
  public let place: String

  /// Opens or prepares the file under a key that the app keeps.
  /// - Throws: `keyUnusable` unless the key has 32 bytes.
  public init(
    file: URL, key: Data, randomness: ClientRandomness = .live
  ) throws(SecureStoreError) {
    guard key.count == Self.keyBytes else { throw SecureStoreError(.keyUnusable) }
    self.file = PrivateFile(path: file.path)
    // The file itself may not be there yet.
    let folder = file.deletingLastPathComponent().standardizedFileURL.resolvingSymlinksInPath()
    place = "file \(folder.appendingPathComponent(file.lastPathComponent).path)"
    self.key = SymmetricKey(data: key)
    self.randomness = randomness
  }

  /// Opens or prepares the file under the key in a second file, which is made when neither exists.
  /// - Throws: `keyMissing` when there is a sealed file but no key; `keyUnusable` when others can read the key.
  public convenience init(
    file: URL, keyFile: URL, randomness: ClientRandomness = .live
  ) throws(SecureStoreError) {
    let keyFile = PrivateFile(path: keyFile.path)
    if let key = try keyFile.read() {
      guard !keyFile.isExposed() else { throw SecureStoreError(.keyUnusable) }
      try self.init(file: file, key: key, randomness: randomness)
      return
    }
    guard try PrivateFile(path: file.path).read() == nil else { throw SecureStoreError(.keyMissing) }
    let key = SymmetricKey(size: .bits256).withUnsafeBytes { Data($0) }
    try keyFile.replace(with: key, suffix: randomness.uuid().uuidString)
    try self.init(file: file, key: key, randomness: randomness)
  }

  /// - Returns: nil when nothing is kept under the name.
  /// - Throws: `tampered` when a single bit is not as it was written.
  public func read(_ name: String) throws(SecureStoreError) -> Data? { try open()[name] }

  /// Keeps the secret under the name, in place of an earlier one.
  public func write(_ secret: Data, as name: String) throws(SecureStoreError) {
    try alone { () throws(SecureStoreError) in
      var secrets = try open()
      secrets[name] = secret
      try seal(secrets)
    }
  }

  /// Forgets what is kept under the name; the file goes with the last secret. Works on a damaged file, too, or no app
  /// could ever start again; not on one that could not be read now.
  public func remove(_ name: String) throws(SecureStoreError) {
    try alone { () throws(SecureStoreError) in
      var secrets: [String: Data]
      do throws(SecureStoreError) { secrets = try open() } catch {
        // A file is only deleted when it can never be read again.
        guard error.code == .tampered else { throw error }
        return try file.remove()
      }
      guard secrets.removeValue(forKey: name) != nil else { return }
      if secrets.isEmpty { try file.remove() } else { try seal(secrets) }
    }
  }

  private func alone(_ change: @Sendable () throws(SecureStoreError) -> Void) throws(SecureStoreError) {
    let outcome: Result<Void, SecureStoreError> = Self.turn.withLock { _ in
      do throws(SecureStoreError) { return .success(try change()) } catch { return .failure(error) }
    }
    try outcome.get()
  }

  private func open() throws(SecureStoreError) -> [String: Data] {
    guard let content = try file.read() else { return [:] }
    guard content.prefix(Self.header.count) == Self.header,
      let box = try? AES.GCM.SealedBox(combined: content.dropFirst(Self.header.count)),
      let plain = try? AES.GCM.open(box, using: key, authenticating: Self.header),
      let secrets = try? JSONDecoder().decode([String: Data].self, from: plain)
    else { throw SecureStoreError(.tampered) }
    return secrets
  }

  private func seal(_ secrets: [String: Data]) throws(SecureStoreError) {
    guard let plain = try? JSONEncoder().encode(secrets),
      let sealed = try? AES.GCM.seal(plain, using: key, authenticating: Self.header).combined
    else { throw SecureStoreError(.unavailable) }
    try file.replace(with: Self.header + sealed, suffix: randomness.uuid().uuidString)
  }
}
