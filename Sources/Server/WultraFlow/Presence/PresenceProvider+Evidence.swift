import Evidence
import Foundation
import PowerAuthCore

extension PresenceProvider {
  /// Pictures that the app takes, compared with the portraits of the documents and looked at for signs of life.
  ///
  /// 1. No picture: rejected.  2. A picture is a spoof, or shows somebody else than a portrait: rejected.
  /// 3. Every picture is live and shows the person of every portrait: accepted.  4. Anything else, a missing model
  /// among it: inconclusive.
  package static func evidence(
    _ evidence: EvidenceReader, faces: FaceComparison, liveness: Liveness
  ) -> PresenceProvider {
    PresenceProvider(
      start: { _ in [:] },
      take: { bytes, widthMin in
        let (image, _, _) = try await evidence.inspectFace(bytes)
        guard image.width >= widthMin else { throw ImageProblem.tooSmall(sideMin: widthMin) }
        return image.bytes
      },
      judge: { evidence in
        guard !evidence.captures.isEmpty else { return .rejected(codes: ["no-capture"]) }
        var (rejections, doubts): ([String], [String]) = ([], [])
        if evidence.portraits.isEmpty { doubts.append("no-portrait") }
        for capture in evidence.captures {
          let life = try await liveness.check(capture)
          if life.result == .spoof { rejections.append("spoof") }
          if life.result == .undetermined { doubts.append("liveness-\(life.code?.rawValue ?? "undetermined")") }
          for portrait in evidence.portraits {
            let match = try await faces.compare(FaceImage(capture, .selfie), FaceImage(portrait, .portrait))
            if match.result == .noMatch { rejections.append("face-no-match") }
            if match.result == .undetermined { doubts.append("face-\(match.code?.rawValue ?? "undetermined")") }
          }
        }
        guard rejections.isEmpty else { return .rejected(codes: Set(rejections).sorted()) }
        return doubts.isEmpty ? .accepted : .inconclusive(codes: Set(doubts).sorted())
      })
  }
}
