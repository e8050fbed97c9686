import DocumentCore

/// Each two documents must be one person's (identity-documents §8.3); the sides of one card must be one card's.
struct PairRules {
  func findings(_ documents: [DocumentKind: DocumentReading]) -> [RuleFinding] {
    var found: [RuleFinding] = []
    let kinds = DocumentKind.allCases.filter { documents[$0]?.person != nil }
    for (index, left) in kinds.enumerated() {
      for right in kinds.dropFirst(index + 1) {
        guard let a = documents[left]?.person, let b = documents[right]?.person else { continue }
        found += findings(a, b, images: [CapturedImage(left), CapturedImage(right)])
      }
    }
    if let front = documents[.nationalIDFront]?.person, let back = documents[.nationalIDBack]?.person {
      found.append(frontAndBack(front, back))
    }
    return found
  }

  private func findings(_ a: PrintedPerson, _ b: PrintedPerson, images: [CapturedImage]) -> [RuleFinding] {
    var found = [
      RuleFinding(
        code: .nameAcrossDocuments, result: weighed(a.nameVerdict(b), a, b, "name"), images: images,
        reasons: a.name == nil || b.name == nil ? ["name"] : []),
      RuleFinding(
        code: .birthDateAcrossDocuments, result: weighed(a.birthDateVerdict(b), a, b, "birth_date"), images: images),
      RuleFinding(code: .sex, result: weighed(FieldComparison.sex(a.sex, b.sex), a, b, "sex"), images: images),
    ]
    if let mine = a.nationalityCode, let theirs = b.nationalityCode {
      found.append(
        RuleFinding(
          code: .nationality, result: weighed(FieldComparison.state(mine, theirs), a, b, "nationality"),
          images: images))
    }
    return found
  }

  private func frontAndBack(_ front: PrintedPerson, _ back: PrintedPerson) -> RuleFinding {
    RuleFinding(
      code: .documentNumberFrontBack, result: weighed(front.numberVerdict(back), front, back, "document_number"),
      images: [.nationalIDFront, .nationalIDBack])
  }

  /// A difference in a field that was hardly legible is for review.
  private func weighed(
    _ verdict: Verdict, _ a: PrintedPerson, _ b: PrintedPerson, _ field: String
  ) -> EvidenceCheck.Result {
    let sure = min(a.confidence[field] ?? 1, b.confidence[field] ?? 1) >= PrintedPerson.confidenceMin
    return verdict == .fail && !sure ? .review : .init(verdict)
  }
}

extension PrintedPerson {
  /// The nationality when it is written as a code; a word such as UTOPIAN cannot be compared with one.
  var nationalityCode: String? { nationality.flatMap { $0.count <= 3 ? $0 : nil } }
}
