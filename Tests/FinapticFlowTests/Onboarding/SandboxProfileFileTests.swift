// SPDX-License-Identifier: Apache-2.0

import FinapticFlow
import FinapticWire
import Foundation
import Testing
import TestSupport

@Suite("Finaptic onboarding: files of profiles", .storeless)
struct SandboxProfileFileTests {
  private static func file(_ code: String, category: String = "kyc") -> Data {
    Data(
      """
      {"profiles": [{"id": "a", "category": "\(category)", "input": {"firstName": "Ann", "middleName": null,
        "lastName": "Lee"}, "expect": {"validateDocuments": {"failureStatusCodes": ["\(code)"]}}}]}
      """.utf8)
  }

  @Test("a folder is read whole, a later file wins, names are compared without case and blanks")
  func folder() throws {
    let folder = try TestFolder()
    try Self.file("FAILURE_CODE_ID_EXPIRED").write(to: URL(fileURLWithPath: folder.file("1.json")))
    try Self.file("FAILURE_CODE_ID_VALIDATION").write(to: URL(fileURLWithPath: folder.file("2.json")))
    try Data("no".utf8).write(to: URL(fileURLWithPath: folder.file("notes.txt")))
    let profiles = try SandboxProfiles(paths: [folder.path])
    #expect(profiles.count == 1)
    let found = profiles.profile(of: .init(firstName: " ANN ", lastName: "lee"))
    #expect(found?.documents.failureStatusCodes == [.idValidation])
    #expect(profiles.profile(of: .init(firstName: "Ann", middleName: "B", lastName: "Lee")) == nil)
    #expect(profiles.profile(of: nil) == nil)
  }

  @Test("profiles of other kinds are passed over; an invalid one is refused with its file's name")
  func refused() throws {
    var profiles = SandboxProfiles()
    try profiles.add(Self.file("whatever", category: "cardPayment"))
    #expect(profiles.count == 0)
    let folder = try TestFolder()
    try Self.file("FAILURE_CODE_UNKNOWN").write(to: URL(fileURLWithPath: folder.file("bad.json")))
    #expect(throws: SandboxProfiles.Unreadable.self) { try SandboxProfiles(paths: [folder.path]) }
    #expect(throws: SandboxProfiles.Unreadable.self) { try SandboxProfiles(paths: [folder.file("absent.json")]) }
  }

  @Test("without a file the last name of Test says what happens, and each is another outcome")
  func standard() {
    let profiles = SandboxProfiles.standard
    func found(_ lastName: String) -> SandboxProfile? {
      profiles.profile(of: .init(firstName: "Test", lastName: lastName))
    }
    #expect(profiles.count == 8)
    let codes: [(String, FailureCode)] = [
      ("Unreadable", .idVerification), ("Expired", .idExpired), ("Othername", .idNameMatch),
      ("Otherbirth", .idBirthDateMatch),
    ]
    for (name, code) in codes { #expect(found(name)?.documents.failureStatusCodes == [code], "\(name)") }
    #expect(found("Notliving")?.selfie.failureStatusCodes == [.selfieValidation])
    #expect(found("Otherface")?.second?.failureStatusCodes == [.idSelfieMatch])
    #expect(found("Refused")?.application.isFinal == true && found("Later")?.documents.isPostponed == true)
    #expect(found("Person") == nil)
  }

  @Test("no bytes crash the reader")
  func fuzz() {
    var generator = SeededGenerator(seed: 5)
    let whole = Self.file("FAILURE_CODE_ID_EXPIRED")
    for _ in 0..<500 {
      var bytes = whole
      for _ in 0..<Int.random(in: 1...6, using: &generator) {
        bytes[Int.random(in: 0..<bytes.count, using: &generator)] = .random(in: 0...255, using: &generator)
      }
      var profiles = SandboxProfiles()
      try? profiles.add(bytes.prefix(Int.random(in: 0...bytes.count, using: &generator)))
      #expect(profiles.count <= 1)
    }
  }
}
