import DocumentCore
import Evidence
import Foundation
import Kit
import PowerAuthCore

extension DocumentProvider {
  /// Our own reading and rules (identity-documents §8). No scanning library of ours needs anything from the server: it
  /// is told a word of chance.
  package static func evidence(_ evidence: EvidenceReader, world: World) -> DocumentProvider {
    DocumentProvider(
      prepareScanning: { _ in ["gatehouse-scan": .string(world.random(16).base64URL)] },
      take: { try await evidence.inspectDocument($0).image.bytes },
      read: { image, kind, day in
        let document = try await evidence.read(image, as: kind, on: day)
        if let failure = document.reading.failure { return .rejected(code: failure.code.rawValue) }
        return .read(try JSONEncoder().encode(document.reading), portrait: document.portrait)
      },
      verify: { documents, rules in
        var verdicts: [String: DocumentVerdict] = [:]
        for document in documents {
          let outcome = try Self.outcome([document], rules)
          // Who is too young does not become older by another picture: that is for the comparison.
          let failed = outcome.rules.first {
            Self.isAboutDocuments($0.code) && $0.code != .minimumAge && $0.result == .fail
          }
          verdicts[document.id] = failed.map { .rejected(code: $0.code.rawValue) } ?? .accepted
        }
        return verdicts
      },
      compare: { documents, rules in
        let rules = try Self.outcome(documents, rules).rules.filter { Self.isAboutDocuments($0.code) }
        let failed = rules.filter { $0.result == .fail }
        guard failed.isEmpty else { return .rejected(codes: failed.map(\.code.rawValue)) }
        // What reads badly in one document passed by itself; all of them together are for a person to look at.
        let doubtful = rules.filter { $0.result != .pass }
        return doubtful.isEmpty ? .accepted : .inconclusive(codes: doubtful.map(\.code.rawValue))
      })
  }

  private static func outcome(
    _ documents: [ReadDocumentSide], _ rules: VerificationPolicy
  ) throws -> VerificationOutcome {
    var readings: [DocumentKind: DocumentReading] = [:]
    // Of two pictures of one side the first counts: it was not replaced.
    for document in documents where readings[document.kind] == nil {
      readings[document.kind] = try JSONDecoder().decode(DocumentReading.self, from: document.reading)
    }
    return CrossDocumentRules(policy: rules).decide(VerificationEvidence(documents: readings))
  }

  /// Faces are the presence check's.
  private static func isAboutDocuments(_ code: VerificationOutcome.RuleCode) -> Bool {
    switch code {
    case .faceSelfieVsDocument, .faceSelfieVsLiveness, .faceAcrossDocuments, .liveness: false
    default: true
    }
  }
}
