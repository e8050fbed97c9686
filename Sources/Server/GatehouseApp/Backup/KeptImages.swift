import FinapticFlow
import OneAssistFlow
import RubixFlow
import Storage
import WultraFlow

/// Which objects a room's rows name: what a backup takes along, and what a sweep must leave.
struct KeptImages: Sendable {
  /// Every room that stores objects.
  static let rooms = [
    KeptImages(
      page: { try ImageStore.kept(after: $0, limit: $1, in: $2) },
      keys: { CapturedImage.blobKeys(.init(rawValue: $0)) }, referenced: { try ImageStore.referenced($0, in: $1) }),
    KeptImages(
      page: { try WultraBlobStore.kept(after: $0, limit: $1, in: $2) }, keys: { WultraBlobStore.keys(of: $0) },
      referenced: { try WultraBlobStore.referenced($0, in: $1) }),
    KeptImages(
      page: { try OneAssistBlobStore.kept(after: $0, limit: $1, in: $2) }, keys: { [$0] },
      referenced: { try OneAssistBlobStore.referenced($0, in: $1) }),
    KeptImages(
      page: { try FinapticBlobStore.kept(after: $0, limit: $1, in: $2) }, keys: { [$0] },
      referenced: { try FinapticBlobStore.referenced($0, in: $1) }),
  ]

  /// Ids after one, ascending, at most so many.
  let page: @Sendable (_ after: String, _ limit: Int, any SQLTransaction) throws -> [String]
  /// The keys of an image: the picture itself first, which always is there and has the id for a key.
  let keys: @Sendable (_ id: String) -> [String]
  /// Of these keys, those whose object has to stay.
  let referenced: @Sendable (_ keys: [String], any SQLTransaction) throws -> Set<String>
}
