// SPDX-License-Identifier: Apache-2.0

import DocumentCore

/// What the documents say, against the application and the institution's minimum age.
struct ApplicantRules {
  let policy: VerificationPolicy

  func findings(_ evidence: VerificationEvidence) -> [RuleFinding] {
    let people = DocumentKind.allCases.compactMap { kind in
      evidence.documents[kind]?.person.map { (image: CapturedImage(kind), person: $0) }
    }
    var found: [RuleFinding] = []
    if let minimum = policy.minimumAge {
      let readable = evidence.documents.values.filter { $0.failure == nil }
      found.append(age(people, by: readable.flatMap(\.people), minimum: minimum))
    }
    guard let application = evidence.application else { return found }
    for (image, person) in people {
      let declared = person.compare(with: application)
      found.append(
        RuleFinding(
          code: .applicationVsDocument, result: .init(declared.verdict), images: [image], reasons: declared.fields))
    }
    return found
  }

  /// A date that may be misread makes a person neither old enough nor too young (decision 75).
  /// - Parameter sources: every source of every document that can be used.
  private func age(
    _ people: [(image: CapturedImage, person: PrintedPerson)], by sources: [PrintedPerson], minimum: Int
  ) -> RuleFinding {
    let known = people.filter { $0.person.birthDate != nil }
    guard !known.isEmpty else {
      return RuleFinding(
        code: .minimumAge, result: .review, images: people.map(\.image), reasons: ["birth_date"])
    }
    let verdicts = known.map { person -> Verdict in
      let verdict = FieldComparison.age(person.person.birthDate ?? .unknown, atLeast: minimum, on: policy.today)
      return person.person.isSettled(.birthDate, by: sources) ? verdict : .review
    }
    let worst = Verdict.worst(of: verdicts)
    return RuleFinding(
      code: .minimumAge, result: .init(worst), images: known.map(\.image),
      reasons: worst == .review ? ["birth_date"] : [])
  }
}

extension PrintedPerson {
  /// Name and birth date against what was declared (identity-documents §8.3).
  func compare(with application: ApplicationData) -> (verdict: Verdict, fields: [String]) {
    let declared = PrintedPerson(declared: application)
    var asked: [Field] = []
    if application.name != nil { asked.append(.name) }
    if application.birthDate != nil { asked.append(.birthDate) }
    let fields = asked.map { ($0, verdict($0, declared)) }
    return (Verdict.worst(of: fields.map(\.1)), fields.filter { $0.1 != .pass }.map(\.0.rawValue))
  }
}
