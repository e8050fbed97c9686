// SPDX-License-Identifier: Apache-2.0

import Activations
import Foundation
import GatehouseWire
import HTTP
import HTTPTypes
import Hummingbird
import Kit
import NIOCore
import PowerAuthCore
import PowerAuthHTTP
import WultraWire

/// The calls of Wultra Digital Onboarding, each with its security mode (wultra-onboarding.md §2, §3).
package struct WultraRoutes: Sendable {
  /// Of a request that carries pictures, as it is sent: the plaintext's limit, encrypted and in Base64 (§4).
  static let picturesMax = 24 * 1024 * 1024
  /// Of a picture of a presence check.
  static let captureMax = 10 * 1024 * 1024

  private let dossiers: Dossiers
  private let activations: Activations
  private let adapter: OnboardingAdapter
  private let documents: DocumentProvider
  private let presence: PresenceProvider
  private let events: ServerSentEvents

  /// - Parameter activations: with the provider of this flow among those that it serves.
  package init(
    dossiers: Dossiers, activations: Activations, adapter: OnboardingAdapter, documents: DocumentProvider,
    presence: PresenceProvider
  ) {
    self.dossiers = dossiers
    self.activations = activations
    (self.adapter, self.documents, self.presence) = (adapter, documents, presence)
    events = ServerSentEvents(live: dossiers.live, world: dossiers.core.world.machine)
  }

  /// - Parameter group: below the base URL of onboarding.
  package func add(to group: RouterGroup<PublicContext>) {
    let routes = DeviceRoutes(
      group, activations: activations, world: dossiers.core.world,
      dialect: DeviceDialect(stampsEncrypted: true, own: Problem.wultraNames))
    addProcess(to: routes)
    addVerification(to: routes)
    addDocuments(to: routes)
    addPresence(to: routes, group)
  }

  private func addProcess(to routes: DeviceRoutes) {
    let commands = ProcessCommands(dossiers: dossiers, adapter: adapter)
    routes.post(path(.configuration), .nothing) { _ in commands.configuration() }
    routes.post(path(.start), .encryptedByApplication()) { call in
      try await commands.start(call.requestObject(as: Wultra.StartRequest<JSONValue>.self), by: call.caller)
    }
    routes.post(path(.processStatus), .encryptedByApplication()) { call in
      try await commands.status(call.processID, by: call.caller)
    }
    routes.post(path(.resendActivationOTP), .encryptedByApplication()) { call in
      try await commands.resendOTP(call.processID, by: call.caller)
    }
    routes.post(path(.cleanUpProcess), .encryptedByApplication()) { call in
      try await commands.cleanUp(call.processID, by: call.caller)
    }
    guard dossiers.policy.isSandbox else { return }
    routes.post(path(.otpDetail), .encryptedByApplication()) { call in
      try await commands.otpDetail(call.requestObject(as: Wultra.OTPDetailRequest.self), by: call.caller)
    }
  }

  private func addVerification(to routes: DeviceRoutes) {
    let (commands, consents, otp) = (
      VerificationCommands(dossiers: dossiers), ConsentCommands(dossiers: dossiers, adapter: adapter),
      OTPCommands(dossiers: dossiers)
    )
    routes.post(path(.identityStatus), .token(by: [.possession])) { call in
      try await commands.status(of: call.proof.activation)
    }
    routes.events(String(Wultra.eventsPath.dropFirst()), .token(by: [.possession])) { [events] call, last in
      let activation = call.proof.activation
      return try await events.answer(
        commands.eventTopic(of: activation), kind: Dossiers.eventKind, after: last,
        asLongAs: { try await commands.isActive(activation.id) }
      ) { try await commands.currentEvent(of: activation.id) }
    }
    routes.post(path(.initiate), signed(.initiate)) { call in
      try await commands.initiate(call.processID, by: call.caller)
    }
    routes.post(path(.cleanUpIdentity), signed(.cleanUpIdentity)) { call in
      try await commands.cleanUp(call.processID, by: call.caller)
    }
    routes.post(path(.consentText), .token(by: [.possession])) { call in
      try await consents.text(call.requestObject(as: Wultra.ConsentRequest.self), by: call.caller)
    }
    routes.post(path(.approveConsent), signed(.approveConsent)) { call in
      try await consents.decide(call.requestObject(as: Wultra.ConsentApproval.self), by: call.caller)
    }
    routes.post(path(.resendOTP), signed(.resendOTP)) { call in
      try await otp.resend(call.processID, by: call.caller)
    }
    routes.post(path(.verifyOTP), .encryptedByActivation()) { call in
      try await otp.verify(call.requestObject(as: Wultra.OTPVerifyRequest.self), by: call.caller)
    }
  }

  private func addDocuments(to routes: DeviceRoutes) {
    let commands = DocumentCommands(dossiers: dossiers, provider: documents)
    let pictures = ProofRequirement<FactorProof>.token(by: [.possession], encrypted: .genericActivation) {
      try await commands.requireUploading($0.activation.id)
    }
    routes.post(path(.initDocumentSDK), signedThenEncrypted(.initDocumentSDK)) { call in
      try await commands.initSDK(
        call.requestObject(as: Wultra.SDKInitRequest<[String: JSONValue]>.self), by: call.caller)
    }
    routes.post(path(.submitDocuments), pictures, bodyMax: Self.picturesMax) { call in
      try await commands.submit(call.requestObject(as: Wultra.DocumentSubmission.self), by: call.caller)
    }
    routes.post(path(.uploadDocument), pictures, bodyMax: Self.picturesMax) { call in
      try await commands.upload(call.body, by: call.caller)
    }
    routes.post(path(.documentStatus), .token(by: [.possession])) { call in
      try await commands.status(call.requestObject(as: Wultra.DocumentStatusRequest.self), by: call.caller)
    }
  }

  private func addPresence(to routes: DeviceRoutes, _ group: RouterGroup<PublicContext>) {
    let commands = PresenceCommands(dossiers: dossiers, provider: presence)
    routes.post(path(.initPresenceCheck), signedThenEncrypted(.initPresenceCheck)) { call in
      try await commands.initiate(call.processID, by: call.caller)
    }
    routes.post(path(.submitPresenceCheck), signed(.submitPresenceCheck)) { call in
      try await commands.submit(call.processID, by: call.caller)
    }
    let dialect = DeviceDialect(own: Problem.wultraNames)
    group.post(RouterPath(path(.capturePresence))) { request, context in
      do {
        guard let value = request.headers[.authorization], value.hasPrefix("Bearer ") else {
          throw Problem.presenceSessionUnknown
        }
        let token = String(value.dropFirst(7))
        try RequestContent.requireLength(of: request, atMost: Self.captureMax)
        // Of a session that there is not, nothing is read.
        try await commands.admitCapture(token: token)
        let picture = try await RequestContent(request, limit: Self.captureMax, from: token)
        try await commands.capture(picture.bytes, token: token)
        return try Response.json(Wultra.DoneBody())
      } catch let problem as Problem {
        return dialect.response(for: problem, path: "", correlationID: context.correlationID)
      }
    }
  }

  private func path(_ endpoint: Wultra.Endpoint) -> String { String(endpoint.rawValue.dropFirst()) }

  private func signed(_ endpoint: Wultra.Endpoint) -> ProofRequirement<FactorProof> {
    .signed(endpoint.uriID, by: [.possession])
  }

  private func signedThenEncrypted(_ endpoint: Wultra.Endpoint) -> ProofRequirement<FactorProof> {
    .signed(endpoint.uriID, by: [.possession], thenEncrypted: .genericActivation)
  }
}

extension DeviceCall {
  fileprivate var processID: String {
    get throws { try requestObject(as: Wultra.ProcessReference.self).processId }
  }

  /// The first language that the app would like (RFC 9110 §12.5.4); English when it does not say, or not properly.
  fileprivate var language: String {
    let first = acceptLanguage?.split(separator: ",").first?.split(separator: ";").first ?? "en"
    let tag = first.trimmingCharacters(in: .whitespaces)
    let isTag =
      (1...35).contains(tag.utf8.count)
      && tag.utf8.allSatisfy { byte in
        byte == 0x2d || (0x30...0x39).contains(byte) || (0x41...0x5a).contains(byte) || (0x61...0x7a).contains(byte)
      }
    return isTag ? tag : "en"
  }
}

extension DeviceCall where Proof == ApplicationProof {
  fileprivate var caller: ApplicationCaller {
    ApplicationCaller(tenant: proof.application.tenant, language: language, clientAddress: clientAddress)
  }
}

extension DeviceCall where Proof: ProofOfActivation {
  fileprivate var caller: VerificationCaller {
    VerificationCaller(activation: proof.activation.id, language: language)
  }
}
