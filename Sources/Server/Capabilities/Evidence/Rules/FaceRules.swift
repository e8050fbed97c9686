// SPDX-License-Identifier: Apache-2.0

/// What the face and liveness ports said, as rules (identity-documents §8.4, §8.5).
struct FaceRules {
  func findings(_ evidence: VerificationEvidence) -> [RuleFinding] {
    var found: [RuleFinding] = []
    for kind in DocumentKind.allCases {
      guard let comparison = evidence.selfieVsPortrait[kind] else { continue }
      found.append(finding(.faceSelfieVsDocument, comparison, images: [.selfie, CapturedImage(kind)]))
    }
    let portraits = evidence.documents.keys.contains(where: \.carriesPortrait)
    if found.isEmpty, portraits {
      // A document with a portrait was sent and nothing was compared with it.
      found.append(RuleFinding(code: .faceSelfieVsDocument, result: .review, images: [.selfie], reasons: ["missing"]))
    }
    if let comparison = evidence.selfieVsLiveness {
      found.append(finding(.faceSelfieVsLiveness, comparison, images: [.selfie, .liveness]))
    }
    if let comparison = evidence.portraitVsPortrait {
      let images = evidence.documents.keys.filter(\.carriesPortrait).sorted { $0.rawValue < $1.rawValue }
      found.append(finding(.faceAcrossDocuments, comparison, images: images.map { CapturedImage($0) }))
    }
    found.append(liveness(evidence.liveness))
    if let looks = evidence.looks { found.append(sequence(looks)) }
    return found
  }

  /// A look that cannot be told does not stand in the way, and an agent must look: how often honest people are not
  /// understood was not measured. Another look than was asked for is for review.
  private func sequence(_ looks: SelfieLooks) -> RuleFinding {
    let doubts = zip(looks.asked, looks.seen).filter { $0.0 != $0.1.look }
    let last = looks.liveness.flatMap { $0.look == .straight ? nil : $0 }
    guard !doubts.isEmpty || last != nil || looks.asked.count != looks.seen.count else {
      return RuleFinding(code: .selfieLooks, result: .pass)
    }
    var reasons = doubts.map { asked, seen in
      seen.code?.rawValue ?? "\(asked.rawValue)-\(seen.look?.rawValue ?? "unclear")"
    }
    if let last { reasons.append("liveness-\(last.code?.rawValue ?? last.look?.rawValue ?? "unclear")") }
    var images: [CapturedImage] = []
    if doubts.contains(where: { $0.1.look != nil }) { images.append(.selfie) }
    if last?.look != nil { images.append(.liveness) }
    return RuleFinding(
      code: .selfieLooks, result: images.isEmpty ? .inconclusive : .review, images: images, reasons: reasons)
  }

  private func finding(
    _ code: VerificationOutcome.RuleCode, _ comparison: FaceComparisonResult, images: [CapturedImage]
  ) -> RuleFinding {
    let result: EvidenceCheck.Result =
      switch comparison.result {
      case .match: .pass
      case .noMatch: .fail
      case .undetermined: comparison.code == .noModel ? .inconclusive : .review
      }
    return RuleFinding(
      code: code, result: result, images: images, reasons: [comparison.code?.rawValue].compactMap(\.self),
      score: comparison.score, threshold: comparison.threshold)
  }

  private func liveness(_ liveness: LivenessResult?) -> RuleFinding {
    guard let liveness else {
      return RuleFinding(code: .liveness, result: .review, images: [.liveness], reasons: ["missing"])
    }
    let result: EvidenceCheck.Result =
      switch liveness.result {
      case .live: .pass
      case .spoof: .fail
      case .undetermined: liveness.code == .noModel ? .inconclusive : .review
      }
    return RuleFinding(
      code: .liveness, result: result, images: [.liveness], reasons: [liveness.code?.rawValue].compactMap(\.self),
      score: liveness.score, threshold: liveness.threshold)
  }
}
