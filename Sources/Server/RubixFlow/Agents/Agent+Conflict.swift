import Kit

extension Agent {
  /// Nobody works on their own case (rubix-onboarding §6.14), nor reads it: it may hold what its subject must not
  /// know.
  /// - Throws: `Problem` forbidden.
  func requireOther(than application: Application) throws {
    let isSame =
      application.id.rawValue == member.id.rawValue
      || application.applicant.email.lowercased() == member.email.lowercased()
    guard !isSame else { throw Problem(.forbidden, "forbidden", "This is your own case.") }
  }
}
