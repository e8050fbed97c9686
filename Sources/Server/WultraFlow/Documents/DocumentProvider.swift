// SPDX-License-Identifier: Apache-2.0

import DocumentCore
import Evidence
import Foundation
import Kit
import PowerAuthCore

/// The port to the provider that reads and checks documents. Our own one is `evidence`.
package struct DocumentProvider: Sendable {
  /// What the scanning library of the app is told before it scans; at least one text.
  package var prepareScanning: @Sendable (_ query: ScanningQuery) async throws -> [String: JSONValue]
  /// Takes a picture in: decodes all of it and gives back what is stored.
  /// - Throws: `ImageProblem`, `EvidenceQueue.Busy`.
  package var take: @Sendable (_ image: Data) async throws -> Data
  package var read: @Sendable (_ image: Data, _ kind: DocumentKind, _ day: CalendarDate) async throws -> PictureFinding
  /// Judges each document by itself, by id.
  package var verify:
    @Sendable (_ documents: [ReadDocumentSide], _ rules: VerificationPolicy) async throws -> [String: DocumentVerdict]
  /// Judges whether all documents are one person's.
  package var compare:
    @Sendable (_ documents: [ReadDocumentSide], _ rules: VerificationPolicy) async throws -> EvidenceVerdict

  package init(
    prepareScanning: @escaping @Sendable (ScanningQuery) async throws -> [String: JSONValue],
    take: @escaping @Sendable (Data) async throws -> Data,
    read: @escaping @Sendable (Data, DocumentKind, CalendarDate) async throws -> PictureFinding,
    verify: @escaping @Sendable ([ReadDocumentSide], VerificationPolicy) async throws -> [String: DocumentVerdict],
    compare: @escaping @Sendable ([ReadDocumentSide], VerificationPolicy) async throws -> EvidenceVerdict
  ) {
    self.prepareScanning = prepareScanning
    self.take = take
    self.read = read
    self.verify = verify
    self.compare = compare
  }
}

/// What a scanning library asks of the server before it scans.
package struct ScanningQuery: Sendable, Encodable {
  package let tenant: String
  package let processId: String
  /// As the institution calls the user.
  package let userId: String?
  /// The library's own; published apps send `sdk-init-token`.
  package let attributes: [String: JSONValue]
}

/// What reading one picture gave.
package enum PictureFinding: Sendable {
  /// - Parameters:
  ///   - reading: the provider's own record, opaque to the flow; sealed when it is kept.
  ///   - portrait: the face cut out of it.
  case read(_ reading: Data, portrait: Data?)
  /// It is not what was asked for, or cannot be read: another picture is needed.
  case rejected(code: String)
}

/// A document's side with what was read of it.
package struct ReadDocumentSide: Sendable {
  package let id: String
  package let kind: DocumentKind
  package let reading: Data

  package init(id: String, kind: DocumentKind, reading: Data) {
    self.id = id
    self.kind = kind
    self.reading = reading
  }
}

package enum DocumentVerdict: Sendable, Equatable {
  case accepted
  case rejected(code: String)
}

/// What evidence says as a whole.
package enum EvidenceVerdict: Sendable, Equatable {
  case accepted
  case rejected(codes: [String])
  /// Neither for nor against: a person decides.
  /// - Parameter checks: the measurements, for the reviewer.
  case inconclusive(codes: [String], checks: [VerificationOutcome.Rule] = [])
}
