import Foundation
import Kit
import ObjectStorage
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
    guard let s3Credentials else {
      throw SettingsError("a bucket needs s3.accessKeyId and s3.secretAccessKey (GATEHOUSE_S3_ACCESS_KEY_ID, …)")
    }
    do {
      let store = Blobs.s3(
        try S3Settings(url: blobsURL), s3Credentials, trust: try s3AuthorityFile.map(S3Trust.authorities) ?? .system,
        world: world)
      return (store.blobs, store.service)
    } catch let malformed as S3Settings.Malformed {
      throw SettingsError("blobs.url: \(malformed.description)")
    } catch is S3Trust.Malformed {
      throw SettingsError("s3.ca names a file that cannot be read or holds no certificate in PEM form")
    }
  }
}
