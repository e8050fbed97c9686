// SPDX-License-Identifier: Apache-2.0

import DocumentCore
import GatehouseWire
import Kit
import RubixWire
import Screening

extension Screening.Record {
  /// What the subject may know: no list, no hit, no score, for telling would be tipping off (rubix-onboarding §7.4).
  var customerView: CustomerScreening {
    let status: CustomerScreeningStatus =
      switch self.status {
      case .clean: .clean
      case .potentialMatch, .trueMatch: .underReview
      // After an error of the provider the customer asks again, as while it is pending.
      case .pending, .error: .pending
      }
    return CustomerScreening(status: status, screenedOn: status == .pending ? nil : screenedAt?.wire)
  }

  /// What officers see.
  var officerView: ScreeningResult { staffView(showingHits: true) }

  /// What staff see.
  /// - Parameter showingHits: for those who decide on hits. Others see how it came out, and no hit.
  func staffView(showingHits: Bool) -> ScreeningResult {
    ScreeningResult(
      id: id.rawValue, referenceNo: referenceNo, status: ScreeningStatus(rawValue: status.rawValue),
      screenedOn: screenedAt?.wire,
      subject: ScreeningSubject(
        name: subject.names.first ?? "", dateOfBirth: subject.dateOfBirth.flatMap { WireDate($0.first) },
        nationalities: subject.nationalities, documentNumbers: subject.documentNumbers),
      lists: lists.map { ScreeningList(code: $0.code, version: $0.version) }, threshold: threshold ?? 0,
      hits: showingHits ? hits.map(\.officerView) : [], nextReviewOn: nextReviewOn.flatMap { WireDate($0) })
  }
}

extension Screening.Hit {
  fileprivate var officerView: ScreeningHit {
    ScreeningHit(
      list: list, entityID: entityID, caption: caption, score: score, topics: topics,
      matched: ScreeningMatch(
        name: nameScore, dateOfBirth: DateOfBirthMatch(rawValue: dateOfBirth.rawValue), nationality: nationality),
      explanation: explanation?.text,
      disposition: HitDisposition(rawValue: disposition.rawValue))
  }
}

extension Screening.Subject {
  /// Who is looked for: the names of the documents, and those that were registered when they differ.
  init(_ identity: Applicant.Verified, registered applicant: Applicant) {
    func joined(_ parts: String?...) -> String {
      parts.compactMap { $0 }.filter { !$0.isEmpty }.joined(separator: " ")
    }
    let names = [
      joined(identity.givenNames, identity.familyName),
      joined(applicant.firstName, applicant.middleName, applicant.lastName),
    ]
    var distinct: [String] = []
    for name in names where !name.isEmpty && !distinct.contains(where: { $0.lowercased() == name.lowercased() }) {
      distinct.append(name)
    }
    let birth = CalendarDate(
      year: identity.dateOfBirth.year, month: identity.dateOfBirth.month, day: identity.dateOfBirth.day)
    var nationalities: [String] = []
    for code in [identity.nationality, applicant.nationalityCode].compactMap({ $0 }) where !nationalities.contains(code)
    {
      nationalities.append(code)
    }
    self.init(
      names: distinct, dateOfBirth: birth.map { BirthDate($0) }, nationalities: nationalities,
      documentNumbers: identity.documents.compactMap(\.number))
  }
}

extension WireDate {
  /// The same day.
  init?(_ date: CalendarDate) { self.init(year: date.year, month: date.month, day: date.day) }
}
