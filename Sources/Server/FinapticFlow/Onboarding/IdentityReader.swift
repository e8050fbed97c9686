// SPDX-License-Identifier: Apache-2.0

import DocumentCore
import Evidence
import Foundation
import Kit

/// The port to the service that reads pictures of documents and faces.
package struct IdentityReader: Sendable {
  /// The pictures cannot be read now; the same request may be sent again (finaptic §5.8, second level).
  package struct Unavailable: Error, Sendable {
    package init() {}
  }

  package struct Read: Sendable {
    /// Nil when the picture could not be decoded.
    package let reading: DocumentReading?
    /// JPEG; nil when the document has no portrait.
    package let portrait: Data?

    package init(reading: DocumentReading?, portrait: Data?) { (self.reading, self.portrait) = (reading, portrait) }
  }

  /// - Throws: `Unavailable`, and so do the others; never for what a picture shows.
  package var read:
    @Sendable (_ picture: Data, _ kind: Evidence.DocumentKind, _ today: CalendarDate) async throws -> Read
  package var liveness: @Sendable (_ selfie: Data) async throws -> LivenessResult
  package var compare: @Sendable (_ selfie: Data, _ portrait: Data) async throws -> FaceComparisonResult

  package init(
    read: @escaping @Sendable (Data, DocumentKind, CalendarDate) async throws -> Read,
    liveness: @escaping @Sendable (Data) async throws -> LivenessResult,
    compare: @escaping @Sendable (Data, Data) async throws -> FaceComparisonResult
  ) {
    (self.read, self.liveness, self.compare) = (read, liveness, compare)
  }

  /// No reader: no applicant passes.
  package static let absent = IdentityReader(
    read: { _, _, _ in throw Unavailable() }, liveness: { _ in throw Unavailable() },
    compare: { _, _ in throw Unavailable() })
}

extension IdentityReader {
  /// Our own reading and models. What is busy, not installed or failing is unavailable; without a model for faces
  /// no applicant passes. Models run in the server, and see selfies only as a worker has encoded them anew.
  package static func evidence(
    _ evidence: EvidenceReader, faces: FaceComparison, liveness: Liveness
  ) -> IdentityReader {
    IdentityReader(
      read: { picture, kind, today in
        try await looking {
          let read = try await evidence.read(picture, as: kind, on: today)
          return Read(reading: read.reading, portrait: read.portrait)
        } undecodable: {
          Read(reading: nil, portrait: nil)
        }
      },
      liveness: { selfie in
        let result = try await looking {
          try await liveness.check(evidence.inspectPhoto(selfie, limits: .faces).image.bytes)
        } undecodable: {
          LivenessResult(result: .undetermined, code: .noFace)
        }
        return try result.result == .undetermined && isOurs(result.code) ? { throw Unavailable() }() : result
      },
      compare: { selfie, portrait in
        let result = try await looking {
          let taken = try await evidence.inspectPhoto(selfie, limits: .faces).image.bytes
          return try await faces.compare(FaceImage(taken, .selfie), FaceImage(portrait, .portrait))
        } undecodable: {
          FaceComparisonResult(result: .undetermined, code: .noFace)
        }
        return try result.result == .undetermined && isOurs(result.code) ? { throw Unavailable() }() : result
      })
  }

  /// A doubt that comes from this installation, not from the picture.
  private static func isOurs(_ doubt: InconclusiveCode?) -> Bool {
    doubt == .noModel || doubt == .providerError || doubt == nil
  }

  private static func looking<Value>(
    _ work: () async throws -> Value, undecodable: () -> Value
  ) async throws -> Value {
    do { return try await work() } catch is ImageProblem {
      return undecodable()
    } catch is CancellationError {
      throw CancellationError()
    } catch {
      throw Unavailable()
    }
  }
}
