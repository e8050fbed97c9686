// SPDX-License-Identifier: Apache-2.0

import DocumentCore

/// Each two documents must be one person's (identity-documents §8.3); the sides of one card must be one card's.
struct PairRules {
  func findings(_ evidence: VerificationEvidence) -> [RuleFinding] {
    let documents = evidence.documents
    var found: [RuleFinding] = []
    let kinds = DocumentKind.allCases.filter { documents[$0]?.person != nil }
    for (index, left) in kinds.enumerated() {
      for right in kinds.dropFirst(index + 1) {
        guard let a = documents[left]?.person, let b = documents[right]?.person else { continue }
        found += findings(a, b, images: [CapturedImage(left), CapturedImage(right)])
      }
    }
    if let front = documents[.nationalIDFront]?.person, let back = documents[.nationalIDBack]?.person {
      found += frontAndBack(front, back)
    }
    for kind in kinds {
      // The best source that was read here: what the app says confirms nothing, on either side.
      guard let person = documents[kind]?.person, !person.isClaimed else { continue }
      for side in evidence.otherSides[kind, default: []] where side.failure == nil {
        guard let other = side.person, !other.isClaimed else { continue }
        found += furtherPicture(person, other, image: CapturedImage(kind))
      }
    }
    return found
  }

  private func findings(_ a: PrintedPerson, _ b: PrintedPerson, images: [CapturedImage]) -> [RuleFinding] {
    var found = [
      RuleFinding(
        code: .nameAcrossDocuments, result: .init(a.verdict(.name, b)), images: images,
        reasons: a.name == nil || b.name == nil ? ["name"] : []),
      RuleFinding(code: .birthDateAcrossDocuments, result: .init(a.verdict(.birthDate, b)), images: images),
      RuleFinding(code: .sex, result: .init(a.verdict(.sex, b)), images: images),
    ]
    if a.nationalityCode != nil, b.nationalityCode != nil {
      found.append(RuleFinding(code: .nationality, result: .init(a.verdict(.nationality, b)), images: images))
    }
    return found
  }

  /// A further picture of one document, such as the back of a licence, must be of the same document and person. Only
  /// what both have is compared, and only a difference that was read with certainty counts: the picture is not judged
  /// by itself.
  private func furtherPicture(_ person: PrintedPerson, _ other: PrintedPerson, image: CapturedImage) -> [RuleFinding] {
    let rules: [(PrintedPerson.Field, VerificationOutcome.RuleCode)] = [
      (.documentNumber, .documentNumberFrontBack), (.name, .nameAcrossDocuments),
      (.birthDate, .birthDateAcrossDocuments), (.expiryDate, .expiry),
    ]
    return rules.compactMap { field, code in
      guard person.has(field), other.has(field) else { return nil }
      let verdict = person.verdict(field, other)
      guard verdict != .review else { return nil }
      // As on the sides of a card: a document that is over is so on each side by itself.
      let result: Verdict = field == .expiryDate && verdict == .fail ? .review : verdict
      return RuleFinding(
        code: code, result: .init(result), images: [image], reasons: result == .pass ? [] : [field.rawValue])
    }
  }

  /// Number, expiry and personal number of one card. Personal numbers of two documents may be those of two States.
  private func frontAndBack(_ front: PrintedPerson, _ back: PrintedPerson) -> [RuleFinding] {
    let rules: [(PrintedPerson.Field, VerificationOutcome.RuleCode)] = [
      (.documentNumber, .documentNumberFrontBack), (.expiryDate, .expiry), (.personalNumber, .personalNumber),
    ]
    return rules.compactMap { field, code in
      guard field == .documentNumber || front.has(field) && back.has(field) else { return nil }
      let plain = front.verdict(field, back)
      // A misread print date must not refuse an honest holder; a document that is over is so on each side by itself.
      let verdict: Verdict = field == .expiryDate && plain == .fail ? .review : plain
      return RuleFinding(
        code: code, result: .init(verdict), images: [.nationalIDFront, .nationalIDBack],
        reasons: field == .documentNumber || verdict == .pass ? [] : [field.rawValue])
    }
  }
}
