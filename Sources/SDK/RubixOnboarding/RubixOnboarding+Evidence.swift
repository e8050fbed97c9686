// SPDX-License-Identifier: Apache-2.0

public import Foundation
public import GatehouseTransport
public import RubixWire

extension RubixOnboarding {
  /// Opens the capture session, or gives back the open one (§6.4).
  /// - Parameter restart: Puts the open one aside with its images; only before the documents matched.
  public func createSession(restart: Bool = false) async throws(RubixError) -> SessionView {
    try await send(call("POST", "sessions", body: CreateSessionRequest(restart: restart ? true : nil)))
  }

  /// Uploads one of the three selfies, JPEG or PNG, in the order of `SelfieSubType.known` (§6.5).
  public func uploadSelfie(
    _ file: Data, subType: SelfieSubType, progress: UploadProgress.Observer? = nil
  ) async throws(RubixError) -> SelfieUploadResponse {
    try await upload(
      SelfieUploadRequest(file: file, subType: subType), to: "faces/selfie/upload", progress: progress)
  }

  /// What the customer is to do for the liveness check (§6.6).
  public func livenessChallenge() async throws(RubixError) -> LivenessChallenge {
    try await send(call("GET", "faces/liveness/challenge"))
  }

  /// Uploads the liveness capture (§6.6).
  public func uploadLiveness(
    _ file: Data, mediaType: String = "image/jpeg", challengeID: String? = nil,
    progress: UploadProgress.Observer? = nil
  ) async throws(RubixError) -> DocumentView {
    let request = LivenessUploadRequest(file: file, mediaType: mediaType, challengeID: challengeID)
    return try await upload(request, to: "faces/liveness/upload", progress: progress)
  }

  /// Uploads one side of a document, JPEG or PNG (§6.7).
  public func upload(
    _ kind: DocumentKind, file: Data, progress: UploadProgress.Observer? = nil
  ) async throws(RubixError) -> DocumentView {
    try await upload(kind, DocumentUploadRequest(file: file), progress: progress)
  }

  /// Uploads one side of a document with what the device read from it (§6.7).
  public func upload(
    _ kind: DocumentKind, _ request: DocumentUploadRequest, progress: UploadProgress.Observer? = nil
  ) async throws(RubixError) -> DocumentView {
    try await upload(request, to: "documents/\(kind.rawValue)/upload", progress: progress)
  }

  /// Has the uploaded side read, and waits for it (§6.8).
  /// - Returns: What was read; still `PROCESSING` when it took longer than the policy's polls. Then call again.
  public func process(_ kind: DocumentKind) async throws(RubixError) -> ProcessedDocument {
    var polls = 0
    while true {
      // Each poll is a call of its own: under the same key the server would repeat its first answer.
      let response = try await authorized(call("POST", "documents/\(kind.rawValue)/process"))
      let document = try response.decoded(as: ProcessedDocument.self)
      polls += 1
      guard document.status == .processing, polls < policy.pollsMax else { return document }
      try await pause(for: pollDelay(after: response))
    }
  }

  /// Has all images held against each other and the rules (§6.9). `UNDETERMINED` means: try later.
  public func verifyDocuments() async throws(RubixError) -> DocumentVerification {
    try await send(call("POST", "documents/verification"))
  }

  /// The images in force (§6.15).
  public func documents() async throws(RubixError) -> DocumentList { try await send(call("GET", "documents")) }

  /// One image's facts (§6.15).
  public func document(_ id: String) async throws(RubixError) -> DocumentView {
    try await send(call("GET", "documents/\(id)"))
  }

  /// One image itself (§6.15). Not to be kept on the device.
  /// - Parameter extracted: The portrait that was cut out of it.
  public func preview(_ id: String, extracted: Bool = false) async throws(RubixError) -> Data {
    let query = [(name: "extracted-image", value: extracted ? "true" : "false")]
    return try await authorized(call("GET", "documents/\(id)/preview", query: query)).body
  }

  func pollDelay(after response: TransportResponse) -> Duration {
    min(policy.pollDelayMax, response.retryAfter ?? policy.pollDelay)
  }

  private func upload<Answer: Decodable & Sendable>(
    _ request: some Encodable, to path: String, progress: UploadProgress.Observer?
  ) async throws(RubixError) -> Answer {
    var call = try call("POST", path, body: request)
    call.deadline = policy.uploadDeadline
    call.progress = progress
    return try await send(call)
  }
}
