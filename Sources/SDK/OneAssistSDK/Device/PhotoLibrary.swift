#if canImport(UIKit)
  internal import Foundation
  internal import Photos
  internal import UIKit

  extension PhotoPermission {
    /// To read the photo library.
    static let library = PhotoPermission {
      switch await PHPhotoLibrary.requestAuthorization(for: .readWrite) {
      case .authorized: .full
      case .limited: .limited
      default: .denied
      }
    }
  }

  extension ScreenshotWatcher {
    /// Screenshots as they appear in the photo library.
    static let library = ScreenshotWatcher {
      let (stream, mouth) = AsyncStream.makeStream(of: Event.self)
      let observer = LibraryObserver { mouth.yield(.taken($0)) }
      PHPhotoLibrary.shared().register(observer)
      let moves: [(Notification.Name, Event)] = [
        (UIApplication.willResignActiveNotification, .left), (UIApplication.didBecomeActiveNotification, .returned),
      ]
      let tasks = moves.map { name, event in
        Task {
          for await _ in NotificationCenter.default.notifications(named: name) { mouth.yield(event) }
        }
      }
      mouth.onTermination = { _ in
        PHPhotoLibrary.shared().unregisterChangeObserver(observer)
        for task in tasks { task.cancel() }
      }
      return stream
    }
  }

  /// Tells of screenshots that the library did not have before.
  private final class LibraryObserver: NSObject, PHPhotoLibraryChangeObserver {
    private let tell: @Sendable (Screenshot) -> Void

    init(tell: @escaping @Sendable (Screenshot) -> Void) {
      self.tell = tell
      super.init()
    }

    func photoLibraryDidChange(_: PHChange) {
      guard let asset = Self.newest(), let created = asset.creationDate else { return }
      let name = asset.localIdentifier
      tell(Screenshot(takenAt: created.timeIntervalSince1970) { await Self.load(name) })
    }

    private static func newest() -> PHAsset? {
      let options = PHFetchOptions()
      options.predicate = NSPredicate(
        format: "(mediaSubtypes & %d) != 0", PHAssetMediaSubtype.photoScreenshot.rawValue)
      options.sortDescriptors = [NSSortDescriptor(key: "creationDate", ascending: false)]
      options.fetchLimit = 1
      return PHAsset.fetchAssets(with: .image, options: options).firstObject
    }

    /// Nil for what is only in the cloud.
    private static func load(_ name: String) async -> Data? {
      guard let asset = PHAsset.fetchAssets(withLocalIdentifiers: [name], options: nil).firstObject else { return nil }
      let options = PHImageRequestOptions()
      (options.isNetworkAccessAllowed, options.deliveryMode) = (false, .highQualityFormat)
      return await withCheckedContinuation { continuation in
        PHImageManager.default().requestImageDataAndOrientation(for: asset, options: options) { data, _, _, _ in
          continuation.resume(returning: data)
        }
      }
    }
  }
#endif
