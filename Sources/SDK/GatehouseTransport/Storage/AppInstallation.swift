// SPDX-License-Identifier: Apache-2.0

public import Foundation

/// What a system keeps when it removes an app: the Keychain is, files of the app are not.
package protocol PersistentSecureStore: DirectSecureStore {
  /// When anything in it was last written; nil when it is empty or does not tell.
  func lastChange() throws(SecureStoreError) -> Date?

  /// Whether another app may have written any of it.
  func mayBeShared() throws(SecureStoreError) -> Bool

  /// Forgets everything but what is kept under the name.
  func removeAll(except name: String) throws(SecureStoreError)
}

/// One installation of the app, told by a file in the app's own folder: the system removes it with the app.
///
/// The same mark lies beside the secrets. They belong to another installation, and are wiped, when their mark is
/// another one. Secrets without a mark are from a version that made none: they are kept, unless all of them were last
/// written before anything in the app's folders was (docs/decisions/0066).
public struct AppInstallation: Sendable {
  /// Where the mark lies in the secrets.
  package static let markName = "gatehouse.installation"
  /// Folders and files that are asked for their dates.
  private static let (depthMax, datesMax) = (3, 5000)

  private let folder: URL
  private let data: URL
  private let isGroup: Bool
  private let randomness: ClientRandomness

  /// - Parameters:
  ///   - folder: for the mark; made when it is needed. It has to go with the app.
  ///   - data: what the system makes when it installs the app, and removes with it.
  ///   - isGroup: whether both belong to all apps that share the secrets. Else shared secrets are never wiped.
  public init(folder: URL, data: URL, isGroup: Bool = false, randomness: ClientRandomness = .live) {
    (self.folder, self.data, self.isGroup, self.randomness) = (folder, data, isGroup, randomness)
  }

  /// This app's; nil in an extension, whose folders do not tell about the app, and where there is no folder.
  public static var current: AppInstallation? {
    let bundle = Bundle.main
    let support = FileManager.default.urls(for: .applicationSupportDirectory, in: .userDomainMask).first
    guard bundle.bundleURL.pathExtension != "appex", let support else { return nil }
    let name = bundle.bundleIdentifier ?? ProcessInfo.processInfo.processName
    return AppInstallation(
      folder: support.appendingPathComponent("\(name).gatehouse"), data: URL(fileURLWithPath: NSHomeDirectory()))
  }

  /// Makes the secrets this installation's: wipes what another one left, and marks both places.
  ///
  /// 1. Secrets go first, their mark stays, so that an interrupted wipe is begun again.
  /// 2. Then the folder is marked, once in an installation's life.
  /// 3. Then the secrets, which nothing was written into before.
  ///
  /// - Throws: when either place cannot be read now. Nothing was wiped then.
  func claim(_ secrets: any PersistentSecureStore) throws(SecureStoreError) {
    let (mine, theirs) = (try mark(), try secrets.read(Self.markName))
    if let theirs, theirs == mine { return }
    var isForeign = theirs != nil
    if !isForeign, let last = try secrets.lastChange(), let begin = oldestDate { isForeign = last < begin }
    if isForeign {
      if !isGroup, try secrets.mayBeShared() { return }
      try secrets.removeAll(except: Self.markName)
    }
    let mark = if let mine { mine } else { try makeMark() }
    try secrets.write(mark, as: Self.markName)
  }

  private var file: PrivateFile { PrivateFile(path: folder.appendingPathComponent("installation").path) }

  private func mark() throws(SecureStoreError) -> Data? {
    guard let mark = try file.read() else { return nil }
    guard !mark.isEmpty else { throw SecureStoreError(.tampered) }
    return mark
  }

  private func makeMark() throws(SecureStoreError) -> Data {
    // Readable as soon as the Keychain is, whatever the app chose for its other files.
    #if os(iOS)
      let attributes: [FileAttributeKey: Any] = [
        .protectionKey: FileProtectionType.completeUntilFirstUserAuthentication
      ]
    #else
      let attributes: [FileAttributeKey: Any] = [.posixPermissions: 0o700]
    #endif
    do {
      try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true, attributes: attributes)
    } catch { throw SecureStoreError(.unavailable) }
    try file.replace(with: Data(randomness.uuid().uuidString.utf8), suffix: randomness.uuid().uuidString)
    // Another app of the same group may have made it at the same time.
    guard let mark = try mark() else { throw SecureStoreError(.unavailable) }
    return mark
  }

  /// The oldest date of anything in the first folders of the app's data: files that were restored from a backup are
  /// older than the folders they lie in. Nil when no date can be read.
  private var oldestDate: Date? {
    let manager = FileManager.default
    var (level, oldest, left) = ([data], Date?.none, Self.datesMax)
    for _ in 0...Self.depthMax {
      var next: [URL] = []
      for url in level.prefix(left) {
        let attributes = try? manager.attributesOfItem(atPath: url.path)
        for key in [FileAttributeKey.creationDate, .modificationDate] {
          if let date = attributes?[key] as? Date { oldest = min(oldest ?? date, date) }
        }
        if attributes?[.type] as? FileAttributeType == .typeDirectory {
          next += (try? manager.contentsOfDirectory(at: url, includingPropertiesForKeys: nil)) ?? []
        }
      }
      left -= min(left, level.count)
      level = next
    }
    return oldest
  }
}
