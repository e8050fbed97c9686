// SPDX-License-Identifier: Apache-2.0

import Activations
import Foundation
import RubixWire
import WultraWire
import Kit
import TestSupport

@testable import WultraFlow

/// A user with an activated device.
struct Person: Sendable {
  let app: WultraTestApp
  let process: String
  let activation: Activation.ID
  var caller: VerificationCaller { VerificationCaller(activation: activation, language: "en") }

  /// `PHASE/STATUS` as the app is told.
  func state() async throws -> String {
    let state = try await app.verifications.status(of: app.activations.find(activation))
    return "\(state.identityVerificationPhase?.rawValue ?? "NONE")/\(state.identityVerificationStatus)"
  }

  /// How many codes may be tried, as the app is told with the state.
  func attemptsLeft() async throws -> Int? {
    try await app.verifications.status(of: app.activations.find(activation)).remainingAttempts
  }

  func flags() async throws -> [String] { try await app.activations.find(activation).flags }

  func approve() async throws {
    _ = try await app.consents.text(.init(processId: process, consentType: .gdpr), by: caller)
    try await app.consents.decide(.init(processId: process, approved: true, consentType: .gdpr), by: caller)
  }

  /// As far as the upload of documents.
  func begin() async throws {
    try await approve()
    try await app.verifications.initiate(process, by: caller)
  }

  func submission(
    _ files: [(type: Wultra.DocumentType, side: Wultra.DocumentSide, picture: Data)], replacing: [String] = [],
    folder: String = "3f1e/"
  ) -> Wultra.DocumentSubmission {
    let names = files.map { "\(folder)\($0.type.rawValue.lowercased())_\($0.side.rawValue.lowercased()).jpg" }
    return Wultra.DocumentSubmission(
      processId: process, data: ZipFixture(Array(zip(names, files.map(\.picture)))).data, resubmit: !replacing.isEmpty,
      documents: files.enumerated().map { index, file in
        Wultra.DocumentFile(
          filename: names[index], type: file.type, side: file.side,
          originalDocumentId: index < replacing.count ? replacing[index] : nil)
      })
  }

  func submit(
    _ files: [(type: Wultra.DocumentType, side: Wultra.DocumentSide, picture: Data)], replacing: [String] = []
  ) async throws {
    try await app.documents.submit(submission(files, replacing: replacing), by: caller)
    try await app.settle()
  }

  /// A card and a licence.
  func submitAll(_ picture: Data = FakePicture.good) async throws {
    try await submit([
      (.idCard, .front, picture), (.idCard, .back, FakePicture.good), (.drivingLicense, .front, FakePicture.good),
    ])
  }

  func documents() async throws -> Wultra.DocumentStates {
    try await app.documents.status(.init(processId: process), by: caller)
  }

  /// As far as the presence check.
  func documentsAccepted() async throws {
    try await begin()
    try await submitAll()
  }

  /// As far as the code.
  func checkPresence(_ picture: Data? = FakePicture.good) async throws {
    let session = try await app.presence.initiate(process, by: caller)
    if let picture, let token = session.sessionAttributes["sessionToken"]?.stringValue {
      try await app.presence.capture(picture, token: token)
    }
    try await app.presence.submit(process, by: caller)
    try await app.settle()
  }

  @discardableResult
  func verify(_ code: String) async throws -> Wultra.OTPVerdict {
    let verdict = try await app.otp.verify(.init(processId: process, otpCode: code), by: caller)
    try await app.settle()
    return verdict
  }
}
