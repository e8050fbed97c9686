// SPDX-License-Identifier: Apache-2.0

import Foundation
import Kit
import Storage

/// A place for one picture of an application (finaptic §6.1): made empty, filled once, gone within a day.
package struct UploadedFile: Sendable {
  package typealias ID = Identifier<UploadedFile>

  /// What the app names it by; unguessable.
  package let id: ID
  package let application: OnboardingApplication.ID
  /// Until then it can be filled.
  let expiresAt: Instant
  /// Nil while it is empty, and again once its picture is gone.
  let blob: String?

  /// What its blob is sealed for, so that it opens nowhere else.
  static func context(_ id: ID) -> String { "finaptic_file:\(id)" }
}

/// What a picture may be: told by its first bytes, whatever the app says.
enum PictureFormat {
  /// Less than 4 MB (finaptic §6.1).
  static let bytesMax = 4 * 1024 * 1024 - 1
  static let mediaTypes = ["image/jpeg", "image/png"]

  static func fits(_ bytes: Data) -> Bool {
    bytes.starts(with: [0xFF, 0xD8, 0xFF])
      || bytes.starts(with: [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A])
  }
}
