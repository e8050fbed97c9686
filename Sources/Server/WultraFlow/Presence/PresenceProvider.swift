// SPDX-License-Identifier: Apache-2.0

import Evidence
import Foundation
import PowerAuthCore
import Storage
import WultraWire

/// The port to the provider of the presence check. Our own one is `evidence`.
package struct PresenceProvider: Sendable {
  /// What the app's library is told: whatever it needs to start.
  package var start: @Sendable (_ session: PresenceSession) async throws -> [String: JSONValue]
  /// Takes a picture of the session in.
  /// - Throws: `ImageProblem`, `EvidenceQueue.Busy`.
  package var take: @Sendable (_ image: Data, _ widthMin: Int) async throws -> Data
  package var judge: @Sendable (_ evidence: PresenceEvidence) async throws -> EvidenceVerdict

  package init(
    start: @escaping @Sendable (PresenceSession) async throws -> [String: JSONValue],
    take: @escaping @Sendable (Data, Int) async throws -> Data,
    judge: @escaping @Sendable (PresenceEvidence) async throws -> EvidenceVerdict
  ) {
    self.start = start
    self.take = take
    self.judge = judge
  }
}

/// Whose presence is checked, and which check it is.
package struct PresenceCheck: Sendable, Equatable {
  package let tenant: String
  package let processId: String
  /// As the institution calls the user.
  package let userId: String?
  package let verification: String
  /// Which of the verification's checks it is, from 1.
  package let number: Int

  /// Names the check to others.
  package var id: String { "\(verification)-\(number)" }
}

/// A presence check that is about to begin.
package struct PresenceSession: Sendable {
  package let check: PresenceCheck
  /// Opens the session's own call. A secret of the app.
  package let token: String
  package let lifetime: Duration
  /// How wide the session's pictures have to be, in pixels.
  package let widthMin: Int
  /// Loads the portraits that were cut out of the documents.
  package let portraits: @Sendable () async throws -> [Data]

  /// For apps without a library: how they send us pictures.
  package var captureAttributes: [String: JSONValue] {
    [
      "sessionToken": .string(token), "captureEndpoint": .string(Wultra.Endpoint.capturePresence.rawValue),
      "capturesMax": .integer(Int64(CaptureStore.capturesMax)), "widthMin": .integer(Int64(widthMin)),
    ]
  }
}

/// What a presence check left to judge.
package struct PresenceEvidence: Sendable {
  package let check: PresenceCheck
  /// Pictures of the session, in order.
  package let captures: [Data]
  /// Cut out of the documents.
  package let portraits: [Data]
}

/// What came of a presence check.
package enum PresenceResult: String, Sendable, CaseIterable, SQLConvertible {
  case accepted, rejected, failed
}

extension PresenceProvider {
  /// Pictures that the app takes, compared with the portraits of the documents and looked at for signs of life.
  ///
  /// 1. No picture: rejected.  2. A picture is a spoof, or shows another person than a portrait: rejected.
  /// 3. Every picture is live and shows the person of every portrait: accepted.  4. Anything else, a missing model
  /// among it: inconclusive.
  package static func evidence(
    _ evidence: EvidenceReader, faces: FaceComparison, liveness: Liveness
  ) -> PresenceProvider {
    PresenceProvider(
      start: { $0.captureAttributes },
      take: { bytes, widthMin in
        let (image, _, _) = try await evidence.inspectFace(bytes)
        guard image.width >= widthMin else { throw ImageProblem.tooSmall(sideMin: widthMin) }
        return image.bytes
      },
      judge: { evidence in
        guard !evidence.captures.isEmpty else { return .rejected(codes: ["no-capture"]) }
        var (rejections, doubts): ([String], [String]) = ([], [])
        var checks: [VerificationOutcome.Rule] = []
        if evidence.portraits.isEmpty { doubts.append("no-portrait") }
        for capture in evidence.captures {
          let life = try await liveness.check(capture)
          checks.append(.init(life))
          if life.result == .spoof { rejections.append("spoof") }
          if life.result == .undetermined { doubts.append("liveness-\(life.code?.rawValue ?? "undetermined")") }
          for portrait in evidence.portraits {
            let match = try await faces.compare(FaceImage(capture, .selfie), FaceImage(portrait, .portrait))
            checks.append(.init(match))
            if match.result == .noMatch { rejections.append("face-no-match") }
            if match.result == .undetermined { doubts.append("face-\(match.code?.rawValue ?? "undetermined")") }
          }
        }
        guard rejections.isEmpty else { return .rejected(codes: Set(rejections).sorted()) }
        return doubts.isEmpty ? .accepted : .inconclusive(codes: Set(doubts).sorted(), checks: checks)
      })
  }
}

extension VerificationOutcome.Rule {
  fileprivate init(_ life: LivenessResult) {
    let result: EvidenceCheck.Result =
      switch life.result {
      case .live: .pass
      case .spoof: .fail
      case .undetermined: .inconclusive
      }
    self.init(
      .liveness, result, score: life.score, threshold: life.threshold,
      reasons: [life.code?.rawValue].compactMap(\.self))
  }

  fileprivate init(_ match: FaceComparisonResult) {
    let result: EvidenceCheck.Result =
      switch match.result {
      case .match: .pass
      case .noMatch: .fail
      case .undetermined: .inconclusive
      }
    self.init(
      .faceSelfieVsDocument, result, score: match.score, threshold: match.threshold,
      reasons: [match.code?.rawValue].compactMap(\.self))
  }
}
