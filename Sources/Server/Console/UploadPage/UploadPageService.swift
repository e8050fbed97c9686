// SPDX-License-Identifier: Apache-2.0

import Foundation
import Kit

/// What the upload page shows, and where its photos go. A module provides both; the page knows nothing else.
package struct UploadPageService: Sendable {
  package struct View: Sendable {
    /// Make and model of the phone in the photos.
    package var device: String
    package var photos: [Photo]
    /// Whether all photos are there.
    package var isDone: Bool
    /// Whether a reviewer looked at the photos, and took them.
    package var isAccepted: Bool
    /// Whether the activation ended without success.
    package var isOver: Bool

    package init(device: String, photos: [Photo], isDone: Bool, isAccepted: Bool, isOver: Bool) {
      (self.device, self.photos, self.isDone) = (device, photos, isDone)
      (self.isAccepted, self.isOver) = (isAccepted, isOver)
    }
  }

  package struct Photo: Sendable {
    package enum State: Sendable, Equatable { case missing, uploaded, accepted, refused }

    package var name: String
    package var title: String
    package var guide: String
    package var isMandatory: Bool
    package var state: State
    /// Of a refused photo.
    package var reason: String?
    /// Whether it may be taken now.
    package var isOpen: Bool

    package init(
      name: String, title: String, guide: String, isMandatory: Bool, state: State, reason: String?, isOpen: Bool
    ) {
      (self.name, self.title, self.guide, self.isMandatory) = (name, title, guide, isMandatory)
      (self.state, self.reason, self.isOpen) = (state, reason, isOpen)
    }
  }

  /// - Throws: `Problem`.
  package let look: @Sendable (_ token: String, _ address: String?) async throws -> View
  /// What is refused whatever the photo is: a link that is over, or a photo that is not to be taken now.
  /// - Throws: `Problem`, whose detail is shown beside the photo.
  package let admit: @Sendable (_ token: String, _ name: String, _ address: String?) async throws -> Void
  /// - Throws: `Problem`, whose detail is shown beside the photo.
  package let take: @Sendable (_ token: String, _ name: String, _ photo: Data, _ address: String?) async throws -> Void
  /// Bytes of a photo.
  package let photoMax: Int

  package init(
    photoMax: Int, look: @escaping @Sendable (String, String?) async throws -> View,
    admit: @escaping @Sendable (String, String, String?) async throws -> Void,
    take: @escaping @Sendable (String, String, Data, String?) async throws -> Void
  ) {
    (self.photoMax, self.look, self.admit, self.take) = (photoMax, look, admit, take)
  }
}
