import DocumentCore

/// What the documents say, against the application and the institution's minimum age.
struct ApplicantRules {
  let policy: VerificationPolicy

  func findings(_ evidence: VerificationEvidence) -> [RuleFinding] {
    let people = DocumentKind.allCases.compactMap { kind in
      evidence.documents[kind]?.person.map { (image: CapturedImage(kind), person: $0) }
    }
    var found: [RuleFinding] = []
    if let minimum = policy.minimumAge { found.append(age(people, minimum: minimum)) }
    guard let application = evidence.application else { return found }
    for (image, person) in people {
      let declared = person.compare(with: application)
      found.append(
        RuleFinding(
          code: .applicationVsDocument, result: .init(declared.verdict), images: [image], reasons: declared.fields))
    }
    return found
  }

  private func age(_ people: [(image: CapturedImage, person: PrintedPerson)], minimum: Int) -> RuleFinding {
    let known = people.filter { $0.person.birthDate != nil }
    guard !known.isEmpty else {
      return RuleFinding(
        code: .minimumAge, result: .review, images: people.map(\.image), reasons: ["birth_date"])
    }
    let verdict = Verdict.worst(
      of: known.map { FieldComparison.age($0.person.birthDate ?? .unknown, atLeast: minimum, on: policy.today) })
    return RuleFinding(code: .minimumAge, result: .init(verdict), images: known.map(\.image))
  }
}

extension PrintedPerson {
  /// Name and birth date against what was declared (identity-documents §8.3).
  func compare(with application: ApplicationData) -> (verdict: Verdict, fields: [String]) {
    var fields: [(String, Verdict)] = []
    if let declared = application.name {
      fields.append(("name", name.map { NameComparison.compare($0, declared).verdict } ?? .review))
    }
    if let declared = application.birthDate {
      let verdict = birthDate.map { FieldComparison.birthDate($0, PartialDate(declared)) } ?? .review
      fields.append(("birth_date", verdict))
    }
    let weighed = fields.map { field, verdict -> (String, Verdict) in
      let sure = (confidence[field] ?? 1) >= Self.confidenceMin
      return (field, verdict == .fail && !sure ? .review : verdict)
    }
    return (Verdict.worst(of: weighed.map(\.1)), weighed.filter { $0.1 != .pass }.map(\.0))
  }
}
