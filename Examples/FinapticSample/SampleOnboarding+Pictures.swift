// SPDX-License-Identifier: Apache-2.0

import Finaptic
import Foundation

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

extension SampleOnboarding {
  struct Files {
    let front: String
    let back: String
    let selfie: String
  }

  /// Puts three pictures where the server says.
  func upload(_ id: String) async throws -> Files {
    Files(
      front: try await upload(choices.front, TestPicture(width: 856, height: 540), id),
      back: try await upload(choices.back, TestPicture(width: 856, height: 544), id),
      selfie: try await upload(choices.selfie, TestPicture(width: 480, height: 640), id))
  }

  private func upload(_ path: String?, _ made: TestPicture, _ id: String) async throws -> String {
    let picture = try path.map { try Data(contentsOf: URL(fileURLWithPath: $0)) } ?? made.jpeg
    let place = try await sdk.onboardingClient.createFileUploadURL(
      request: CreateFileUploadUrlRequest(onboardingApplicationId: id))
    guard let url = URL(string: place.uploadUrl) else { throw SampleFault("the server gave no address to upload to") }
    var request = URLRequest(url: url)
    request.httpMethod = "PUT"
    request.setValue(picture.first == 0x89 ? "image/png" : "image/jpeg", forHTTPHeaderField: "Content-Type")
    let (_, answer) = try await URLSession.shared.upload(for: request, from: picture)
    let status = (answer as? HTTPURLResponse)?.statusCode ?? 0
    guard (200..<300).contains(status) else { throw SampleFault("the upload was answered with HTTP \(status)") }
    say("uploaded \(picture.count) bytes")
    return place.filename
  }

  /// Has the pictures and the whole application looked at.
  func decide(_ id: String, _ files: Files) async throws -> ApplicationStatus {
    let licence = DocumentInfo(
      documentType: "DOCUMENT_TYPE_CANADIAN_DRIVERS_LICENSE", documentCountry: "CA", frontImageFileName: files.front,
      backImageFileName: files.back, documentState: "ON")
    let client = sdk.onboardingClient
    _ = try await step("validateDocuments") {
      try await client.validateDocuments(
        request: ValidateDocumentsRequest(onboardingApplicationId: id, documentDetails: [licence])
      ).basicDetails
    }
    _ = try await step("validateSelfie") {
      try await client.validateSelfie(
        request: ValidateSelfieRequest(onboardingApplicationId: id, fileName: files.selfie)
      ).basicDetails
    }
    return try await step("validateApplication") {
      try await client.validateApplication(request: ValidateApplicationRequest(onboardingApplicationId: id))
        .basicDetails
    }.onboardingApplicationStatus
  }

  /// Makes a call, again when the server says that it could not be processed now, and says how it went.
  func step(
    _ name: String, _ call: () async throws -> OnboardingOperationResponseDetails
  ) async throws -> OnboardingOperationResponseDetails {
    for attempt in 1... {
      let details = try await call()
      say("\(name): \(details.onboardingApplicationStatus)")
      for code in details.failureStatusCodes { say("  \(code), \(details.remainingAllowedRetries) retries left") }
      if details.requestStatus == "OK" { return details }
      say("  not processed: \(details.requestReasonCodes.joined(separator: ", "))")
      guard attempt < 3 else { break }
    }
    throw SampleFault("\(name) could not be processed")
  }
}

struct SampleFault: Error, CustomStringConvertible {
  let description: String

  init(_ description: String) { self.description = description }
}
