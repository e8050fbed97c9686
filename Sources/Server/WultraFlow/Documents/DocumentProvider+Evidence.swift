// SPDX-License-Identifier: Apache-2.0

import DocumentCore
import Evidence
import Foundation
import Kit
import PowerAuthCore

extension DocumentProvider {
  /// Our own reading and rules (identity-documents §8). No scanning library of ours needs anything from the server,
  /// so its initialization answers a random word.
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
        let rules = try Self.outcomes(documents, rules).flatMap(\.rules).filter { Self.isAboutDocuments($0.code) }
        let failed = Set(rules.filter { $0.result == .fail }.map(\.code.rawValue))
        guard failed.isEmpty else { return .rejected(codes: failed.sorted()) }
        // What reads badly in one document passed by itself; all of them together are for a person to look at.
        let doubtful = Set(rules.filter { $0.result != .pass }.map(\.code.rawValue))
        return doubtful.isEmpty ? .accepted : .inconclusive(codes: doubtful.sorted(), checks: rules)
      })
  }

  /// The rules over one picture of each side; where a side came twice, once more with each further picture in its
  /// place:
  /// none that counts goes by unseen.
  private static func outcomes(
    _ documents: [ReadDocumentSide], _ rules: VerificationPolicy
  ) throws -> [VerificationOutcome] {
    var (first, further): ([ReadDocumentSide], [ReadDocumentSide]) = ([], [])
    for document in documents {
      if first.contains(where: { $0.kind == document.kind }) {
        further.append(document)
      } else {
        first.append(document)
      }
    }
    return try [outcome(first, rules)]
      + further.map { other in try outcome(first.filter { $0.kind != other.kind } + [other], rules) }
  }

  /// - Precondition: of each side one picture.
  private static func outcome(
    _ documents: [ReadDocumentSide], _ rules: VerificationPolicy
  ) throws -> VerificationOutcome {
    var readings: [DocumentKind: DocumentReading] = [:]
    for document in documents {
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
