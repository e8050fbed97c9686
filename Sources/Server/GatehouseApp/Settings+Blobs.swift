// SPDX-License-Identifier: Apache-2.0

import Foundation
import Kit
import ServiceLifecycle

extension Settings {
  /// Where the objects are.
  /// - Returns: the store, and the service that has to run beside those who use it; a folder needs none.
  func blobStore(world: World) throws -> (blobs: Blobs, service: (any Service)?) {
    guard let blobsURL, !blobsURL.isEmpty else { return (.disk(blobFolder), nil) }
    guard blobsURL.hasPrefix("s3:") else {
      guard !blobsURL.contains("://") else { throw SettingsError("blobs.url is a folder, or begins with s3://") }
      return (.disk(blobsURL), nil)
    }
    let store = try bucket(blobsURL, named: "blobs.url", world: world)
    // An erasure has to delete images.
    guard !store.isLocked else { throw SettingsError("blobs.url has no lockDays: images have to be erasable") }
    return (store.blobs, store.service)
  }

  /// Where the checkpoints of the audit log are kept; nil when the settings name no place.
  /// - Parameter place: one in place of the settings' own.
  /// - Returns: the anchor, and the service that has to run beside those who use it; a folder needs none.
  package func auditAnchor(
    _ place: String? = nil, world: World
  ) throws -> (anchor: AuditAnchor, service: (any Service)?)? {
    guard let place = place ?? operations.auditAnchors, !place.isEmpty else { return nil }
    guard !sharesBlobs(place) else {
      throw SettingsError("audit.anchors and the blobs share a place, whose sweep would delete checkpoints")
    }
    guard place.hasPrefix("s3:") else {
      guard !place.contains("://") else { throw SettingsError("audit.anchors is a folder, or begins with s3://") }
      return (.folder(place), nil)
    }
    let store = try bucket(place, named: "audit.anchors", operations.anchorCredentials, world: world)
    return (.objects(store.blobs), store.service)
  }

  /// Where the time stamps of checkpoints are looked for: in a folder, which is the one of the checkpoints by default.
  /// - Parameters:
  ///   - place: of the checkpoints; nil for audit.anchors.
  ///   - authority: a file of certificates in PEM; nil when it is not looked who signed.
  /// - Returns: nil when the checkpoints are in a bucket and no folder is named.
  package func auditStamps(
    _ folder: String?, of place: String?, authority: String?
  ) throws -> AuditStamps? {
    if let folder {
      var isFolder: ObjCBool = false
      guard FileManager.default.fileExists(atPath: folder, isDirectory: &isFolder), isFolder.boolValue else {
        throw SettingsError("the folder of time stamps cannot be read: \(folder)")
      }
    }
    guard let folder = folder ?? place ?? operations.auditAnchors, !folder.isEmpty, !folder.hasPrefix("s3:") else {
      guard authority == nil else { throw SettingsError("the authority's stamps are in no folder that is named") }
      return nil
    }
    do {
      return AuditStamps(
        folder: folder,
        authority: try authority.map { try TimestampAuthority(pem: String(contentsOfFile: $0, encoding: .utf8)) })
    } catch { throw SettingsError("the authority's certificates cannot be read: \(authority ?? "")") }
  }

  /// Whether a place is the one of the blobs, or one of the two is within the other.
  private func sharesBlobs(_ place: String) -> Bool {
    let blobs = blobsURL.flatMap { $0.isEmpty ? nil : $0 } ?? blobFolder
    guard place.hasPrefix("s3:") == blobs.hasPrefix("s3:") else { return false }
    guard place.hasPrefix("s3:") else {
      let paths = [place, blobs].map {
        URL(fileURLWithPath: $0).standardizedFileURL.resolvingSymlinksInPath().path + "/"
      }
      return paths[0].hasPrefix(paths[1]) || paths[1].hasPrefix(paths[0])
    }
    guard let one = try? S3Settings(url: place), let other = try? S3Settings(url: blobs) else { return false }
    return one.bucket == other.bucket && one.authority == other.authority
      && (one.prefix.hasPrefix(other.prefix) || other.prefix.hasPrefix(one.prefix))
  }

  private func bucket(
    _ url: String, named setting: String, _ own: S3Credentials? = nil, world: World
  ) throws -> (blobs: Blobs, service: any Service, isLocked: Bool) {
    guard let s3Credentials = own ?? s3Credentials else {
      throw SettingsError("a bucket needs s3.accessKeyId and s3.secretAccessKey (GATEHOUSE_S3_ACCESS_KEY_ID, …)")
    }
    guard let bucket = links.bucket else {
      throw SettingsError("\(setting) names a bucket, which is for gatehouse: this program reaches none")
    }
    do {
      let place = try S3Settings(url: url)
      let store = try bucket(place, s3Credentials, s3AuthorityFile, world)
      return (store.blobs, store.service, place.lockDays != nil)
    } catch let malformed as S3Settings.Malformed {
      throw SettingsError("\(setting): \(malformed.description)")
    }
  }
}
