// SPDX-License-Identifier: Apache-2.0

#if !canImport(Security)
  internal import Foundation

  extension SealedFileStore {
    /// A sealed file in the user's folder for application data, with its key beside it: for apps that have no better
    /// place for the key. A store that cannot be opened refuses every call, and says why then.
    /// - Parameters:
    ///   - application: names a folder.
    ///   - instance: sets files of one application apart; any text.
    public static func ofApplication(_ application: String, instance: String) -> any DirectSecureStore {
      // A name of a folder whatever the instance is called.
      let name = instance.utf8.map { String($0, radix: 16) }.joined()
      do {
        let folder = try FileManager.default.url(
          for: .applicationSupportDirectory, in: .userDomainMask, appropriateFor: nil, create: true
        ).appendingPathComponent(application, isDirectory: true).appendingPathComponent(name, isDirectory: true)
        try FileManager.default.createDirectory(
          at: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        return try SealedFileStore(
          file: folder.appendingPathComponent("state"), keyFile: folder.appendingPathComponent("key"))
      } catch {
        return RefusingStore(error: error as? SecureStoreError ?? SecureStoreError(.unavailable))
      }
    }
  }

  /// Stands in for a store that could not be opened.
  private struct RefusingStore: DirectSecureStore {
    let error: SecureStoreError

    var place: String { "nowhere" }

    func read(_ name: String) throws(SecureStoreError) -> Data? { throw error }
    func write(_ secret: Data, as name: String) throws(SecureStoreError) { throw error }
    func remove(_ name: String) throws(SecureStoreError) { throw error }
  }
#endif
