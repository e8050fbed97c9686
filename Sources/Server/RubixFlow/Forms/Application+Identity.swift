import RubixWire

extension Application {
  /// Who the customer is, for forms and screening: what the documents say, or, where an agent accepted a person whose
  /// documents could not be matched, what was registered. Nil while neither is known.
  var identity: Applicant.Verified? {
    if let verified = applicant.verified { return verified }
    let given = [applicant.firstName, applicant.middleName].compactMap { $0 }.joined(separator: " ")
    guard agentAccepted, let birth = applicant.dateOfBirth, let family = applicant.lastName, !(family + given).isEmpty
    else { return nil }
    return Applicant.Verified(
      familyName: family, givenNames: given, namesMayBeTruncated: false, dateOfBirth: birth,
      nationality: applicant.nationalityCode, documents: [])
  }
}
