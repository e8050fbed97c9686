// SPDX-License-Identifier: Apache-2.0

extension SandboxProfiles {
  /// Our own, for a sandbox whose operator brought none: the first name is Test, and the last one says what happens.
  /// Everybody else passes.
  package static let standard = SandboxProfiles([
    test("Unreadable", documents: .init([.idVerification])), test("Expired", documents: .init([.idExpired])),
    test("Othername", documents: .init([.idNameMatch])), test("Otherbirth", documents: .init([.idBirthDateMatch])),
    test("Notliving", selfie: .init([.selfieValidation])), test("Otherface", second: .init([.idSelfieMatch])),
    test("Refused", application: .init([.unspecified], isFinal: true)),
    test("Later", documents: .init(isPostponed: true)),
  ])

  private static func test(
    _ lastName: String, documents: SandboxProfile.Outcome = .init(), selfie: SandboxProfile.Outcome = .init(),
    second: SandboxProfile.Outcome? = nil, application: SandboxProfile.Outcome = .init()
  ) -> SandboxProfile {
    SandboxProfile(
      "standard-\(lastName.lowercased())", .init(firstName: "Test", middleName: nil, lastName: lastName),
      documents: documents, selfie: selfie, second: second, application: application)
  }
}
