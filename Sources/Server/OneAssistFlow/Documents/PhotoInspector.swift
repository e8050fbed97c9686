// SPDX-License-Identifier: Apache-2.0

import Evidence
import Foundation
import Kit

/// Takes a photo in: decodes it, measures it, encodes it anew so that nothing but pixels is kept.
package struct PhotoInspector: Sendable {
  package struct Photo: Sendable {
    /// JPEG.
    package let bytes: Data
    package let isBlank: Bool
    package let isBlurred: Bool

    package init(bytes: Data, isBlank: Bool = false, isBlurred: Bool = false) {
      (self.bytes, self.isBlank, self.isBlurred) = (bytes, isBlank, isBlurred)
    }
  }

  /// - Throws: `Problem` when it is no photo, or too large or too small.
  package let inspect: @Sendable (_ bytes: Data) async throws -> Photo

  package init(inspect: @escaping @Sendable (Data) async throws -> Photo) { self.inspect = inspect }
}

extension PhotoInspector {
  /// Decodes and measures photos in this process (§6.1).
  package static func evidence(_ reader: EvidenceReader) -> PhotoInspector {
    PhotoInspector { bytes in
      try await PictureProblem.translated {
        let (image, quality) = try await reader.inspectPhoto(bytes, limits: .oneAssist)
        guard max(image.width, image.height) >= OneAssistPolicy.photoSideMin else { throw Problem.photoTooSmall }
        return Photo(bytes: image.bytes, isBlank: quality.isBlank, isBlurred: quality.isBlurred)
      }
    }
  }
}

extension ImageLimits {
  /// Limits of the photos of this flow.
  static let oneAssist: ImageLimits = {
    var limits = ImageLimits()
    limits.bytesMax = OneAssistPolicy.photoMax
    // A screenshot may be slender; what counts is the longer side.
    limits.shortSideMin = 300
    return limits
  }()
}

/// Turns faults of pictures into problems of this flow.
enum PictureProblem {
  /// - Throws: `Problem` of the picture; 503 when too many are waiting.
  static func translated<Value: Sendable>(_ work: () async throws -> Value) async throws -> Value {
    do { return try await work() } catch let problem as ImageProblem {
      switch problem {
      case .empty, .notDecodable: throw Problem.photoUnreadable
      case .unsupportedMedia: throw Problem.photoUnsupported
      case .tooLarge, .dimensionsTooLarge: throw Problem.photoTooLarge
      case .tooSmall: throw Problem.photoTooSmall
      }
    } catch is EvidenceQueue.Busy {
      throw Problem.unavailable.with { $0.retryAfterSeconds = 5 }
    }
  }
}
