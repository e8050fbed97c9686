import Evidence
import Kit

extension PhotoInspector {
  /// Decodes and measures photos in this process (§6.1).
  package static func evidence(_ reader: EvidenceReader) -> PhotoInspector {
    var limits = ImageLimits()
    limits.bytesMax = OneAssistPolicy.photoMax
    // A screenshot may be slender; what counts is the longer side.
    limits.shortSideMin = 300
    return PhotoInspector { [limits] bytes in
      do {
        let (image, quality) = try await reader.inspectPhoto(bytes, limits: limits)
        guard max(image.width, image.height) >= OneAssistPolicy.photoSideMin else { throw Problem.photoTooSmall }
        return Photo(bytes: image.bytes, isBlank: quality.isBlank, isBlurred: quality.isBlurred)
      } catch let problem as ImageProblem {
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
}
