// SPDX-License-Identifier: Apache-2.0

import Evidence
import Foundation
import Kit

/// Reads pictures in this process.
package enum PictureReading {
  /// The text of a screenshot of a phone's identifiers (§5.2, §8). A number that was not read for certain is not in it.
  package static func text(_ reader: EvidenceReader) -> @Sendable (Data) async throws -> String {
    { picture in
      try await PictureProblem.translated {
        do { return try await reader.readIdentifiers(picture, limits: .screenshot).text } catch is CVisionFailure {
          throw Problem.oneAssist(.unavailable, "RECOGNITION_UNAVAILABLE", "No text can be read here.")
        }
      }
    }
  }
}

/// Reads eleven digits from a photo of the secure screen.
package struct ScreenCodeReader: Sendable {
  /// Nil when they cannot be read for certain: a person looks.
  package let read: @Sendable (_ jpeg: Data) async throws -> String?

  package init(read: @escaping @Sendable (Data) async throws -> String?) { self.read = read }

  /// Reads nothing: every photo goes to a person.
  package static let absent = ScreenCodeReader { _ in nil }
}

extension ScreenCodeReader {
  /// Reads photos in this process (§7.4). Where no engine is installed, every photo goes to a person.
  package static func evidence(_ reader: EvidenceReader) -> ScreenCodeReader {
    ScreenCodeReader { jpeg in
      try await PictureProblem.translated {
        do { return try await reader.readSecureScreen(jpeg, limits: .oneAssist) } catch is CVisionFailure { return nil }
      }
    }
  }
}
