import Foundation
import Kit
import RubixWire
import Storage

/// One stored image of an application: a selfie, a liveness capture or a document side.
package struct CapturedImage: Sendable {
  package typealias ID = Identifier<CapturedImage>

  package let id: ID
  let application: Application.ID
  let session: CaptureSession.ID
  package let type: DocumentType
  /// Only selfies have one.
  package let subType: SelfieSubType?
  package internal(set) var state: ImageState
  let width: Int
  let height: Int
  let sha256: String
  let quality: ImageQuality
  let liveness: LivenessOutcome?
  /// True once the worker has read it, whatever came out.
  let isRead: Bool
  /// Its portrait was cropped and stored.
  let hasPortrait: Bool
  package let createdAt: Instant

  var blobKey: String { id.rawValue }
  var portraitKey: String { Self.portraitKey(id) }
  static func portraitKey(_ id: ID) -> String { "\(id.rawValue)-portrait" }
  /// The uncropped frame, where the app sent one.
  static func originalKey(_ id: ID) -> String { "\(id.rawValue)-original" }

  /// What a blob is sealed for, so that it opens nowhere else.
  static func context(_ key: String) -> String { "rubix_image:\(key)" }
}

/// A biometric session: the selfies, liveness and documents that belong together.
package struct CaptureSession: Sendable {
  package typealias ID = Identifier<CaptureSession>

  package let id: ID
  let application: Application.ID
  let createdAt: Instant
}
