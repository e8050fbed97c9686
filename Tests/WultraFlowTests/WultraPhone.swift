// SPDX-License-Identifier: Apache-2.0

import Foundation
import WultraWire
import HTTP
import HTTPTypes
import Hummingbird
import HummingbirdTesting
import Kit
import PowerAuthCore
import PowerAuthHTTP
import TestSupport

@testable import WultraFlow

/// What came back over HTTP.
struct PhoneAnswer: Sendable {
  let status: Int
  /// In the open, also where it came encrypted.
  let body: Data
  let wasEncrypted: Bool

  var json: JSONValue { (try? JSONDecoder().decode(JSONValue.self, from: body)) ?? .null }
  var object: JSONValue { json["responseObject"] ?? .null }
  var code: String? { object["code"]?.stringValue }

  func read<Content: Decodable>(_ type: Content.Type) throws -> Content {
    try JSONDecoder().decode(ResponseEnvelope<Content>.self, from: body).responseObject
  }
}

/// An app with a device, as the released clients speak: bodies with escaped slashes, proofs and envelopes by the path.
struct WultraPhone: Sendable {
  static let onboarding = "/enrollment-onboarding-server"
  static let powerAuth = "/enrollment-server"

  let app: WultraTestApp
  let client: any TestClientProtocol
  var device: TestDevice
  var token: CreatedToken?
  /// What the last request was, as it was sent.
  private(set) var lastRequest: [(String, String)] = []

  /// Plays on a router with both base URLs.
  /// - Parameter watch: sees which bodies are read.
  static func run(
    _ app: WultraTestApp, version: ProtocolVersion = .standard, watch: BodyWatch? = nil,
    _ play: @escaping @Sendable (inout WultraPhone) async throws -> Void
  ) async throws {
    let router = Router(context: PublicContext.self)
    router.add(middleware: CorrelationMiddleware(world: app.clock.world))
    router.add(middleware: ProblemMiddleware(dialect: DeviceDialect(own: Problem.wultraNames)))
    if let watch { router.add(middleware: watch.middleware) }
    app.routes.add(to: router.group(RouterPath(onboarding)))
    PowerAuthRoutes(
      activations: app.activations, world: app.clock.world,
      limits: PowerAuthLimits(database: app.database, vault: app.vault, world: app.clock.world, factor: 100),
      server: .init(name: "gatehouse")
    ).add(to: router.group(RouterPath(powerAuth)))
    try await Application(router: router).test(.router) { client in
      var phone = WultraPhone(
        app: app, client: client,
        device: TestDevice(
          configuration: app.release.configuration, version: version, random: app.clock.world.random))
      try await play(&phone)
    }
  }

  var now: UInt64 { UInt64(app.clock.now.milliseconds) }

  // MARK: Calls

  /// A call by its endpoint's security.
  mutating func call(
    _ endpoint: Wultra.Endpoint, _ object: String = "{}", headers: [(String, String)] = []
  ) async throws -> PhoneAnswer {
    // As Apple's encoder writes it.
    let body = Data(#"{"requestObject":\#(object.replacing("/", with: "\\/"))}"#.utf8)
    return try await send(endpoint, body, headers: headers)
  }

  mutating func send(
    _ endpoint: Wultra.Endpoint, _ body: Data, headers: [(String, String)] = []
  ) async throws -> PhoneAnswer {
    let path = Self.onboarding + endpoint.rawValue
    switch endpoint.security {
    case .open, .presenceSession: return try await post(path, body, headers)
    case .encryptedForApplication:
      return try await encrypted(path, body, .genericApplication, [try encryptionHeader(ofActivation: false)] + headers)
    case .encryptedForActivation:
      return try await encrypted(path, body, .genericActivation, [try encryptionHeader(ofActivation: true)] + headers)
    case .signed(let isEncrypted):
      let header = try device.sign(.possession, uriID: endpoint.uriID, body: body)
      let proof = [(SignatureHeader.name, header.value)] + headers
      return isEncrypted
        ? try await encrypted(path, body, .genericActivation, proof) : try await post(path, body, proof)
    case .token(let isEncrypted):
      let proof = [try tokenHeader()] + headers
      return isEncrypted
        ? try await encrypted(
          path, body, .genericActivation, proof + [try encryptionHeader(ofActivation: true)])
        : try await post(path, body, proof)
    }
  }

  mutating func post(_ path: String, _ body: Data, _ headers: [(String, String)]) async throws -> PhoneAnswer {
    lastRequest = headers
    var fields = HTTPFields()
    fields[.contentType] = "application/json"
    fields[.accept] = "application/json"
    for (name, value) in headers {
      if let name = HTTPField.Name(name) { fields.append(HTTPField(name: name, value: value)) }
    }
    let response = try await client.execute(uri: path, method: .post, headers: fields, body: ByteBuffer(bytes: body))
    return PhoneAnswer(
      status: response.status.code, body: Data(response.body.readableBytesView), wasEncrypted: false)
  }

  private mutating func encrypted(
    _ path: String, _ body: Data, _ encryptor: EncryptorIdentifier, _ headers: [(String, String)]
  ) async throws -> PhoneAnswer {
    let key = try await temporaryKey(ofActivation: encryptor.scope == .activation)
    let (request, opener) = try device.encrypt(body, encryptor, temporaryKey: key, now: now)
    let answer = try await post(path, JSONEncoder().encode(request), headers)
    guard answer.status == 200 else { return answer }
    let plain = try opener.decrypt(JSONDecoder().decode(ECIESResponse.self, from: answer.body))
    return PhoneAnswer(status: 200, body: plain, wasEncrypted: true)
  }

  func encryptionHeader(ofActivation: Bool) throws -> (String, String) {
    (
      EncryptionHeader.name,
      EncryptionHeader(
        version: device.version, applicationKey: device.configuration.applicationKey,
        activationIdentifier: ofActivation ? try device.joined().identifier : nil
      ).value
    )
  }

  func tokenHeader() throws -> (String, String) {
    guard let token else { throw WultraTestApp.NotCreated() }
    let header = try TokenDigest.header(
      for: TokenIdentifier(text: token.tokenId), secret: SecretKey(Data(base64Encoded: token.tokenSecret) ?? Data()),
      nonce: device.randomness.nonce(), timestamp: now, version: device.version)
    return (TokenHeader.name, header.value)
  }

  // MARK: PowerAuth's own

  private mutating func temporaryKey(ofActivation: Bool) async throws -> TemporaryKey? {
    guard device.version.hasTemporaryKey else { return nil }
    let (request, token) = try device.temporaryKeyRequest(ofActivation: ofActivation)
    let answer = try await post(
      Self.powerAuth + PowerAuthEndpoint.createTemporaryKey.rawValue,
      JSONEncoder().encode(RequestEnvelope(TemporaryKeyMessage(jwt: token))), [])
    return try device.temporaryKey(answer.read(TemporaryKeyMessage.self).jwt, answering: request)
  }

  /// Activates by a code of a process, and gets the one token.
  /// - Returns: the refusal; nil when it is activated.
  mutating func activate(_ process: String, _ code: String) async throws -> PhoneAnswer? {
    let key = try await temporaryKey(ofActivation: false)
    let (request, opener) = try device.join(
      .custom, ["processId": process, "otpCode": code, "credentialsType": "ONBOARDING"], temporaryKey: key, now: now)
    let answer = try await post(
      Self.powerAuth + PowerAuthEndpoint.createActivation.rawValue, JSONEncoder().encode(request),
      [try encryptionHeader(ofActivation: false)])
    guard answer.status == 200 else { return answer }
    try device.complete(opener.open(JSONDecoder().decode(ECIESResponse.self, from: answer.body)).device)
    try await createToken()
    return nil
  }

  private mutating func createToken() async throws {
    let key = try await temporaryKey(ofActivation: true)
    let (request, opener) = try device.encrypt(Data("{}".utf8), .createToken, temporaryKey: key, now: now)
    let body = try JSONEncoder().encode(request)
    let header = try device.sign(.possession, uriID: "/pa/token/create", body: body)
    let answer = try await post(
      Self.powerAuth + PowerAuthEndpoint.createToken.rawValue, body, [(SignatureHeader.name, header.value)])
    token = try JSONDecoder().decode(
      CreatedToken.self, from: opener.decrypt(JSONDecoder().decode(ECIESResponse.self, from: answer.body)))
  }

  /// As the app's status shows them.
  mutating func flags() async throws -> [String] {
    let id = try device.joined().identifier.text
    let challenge = device.randomness.nonce().base64EncodedString()
    let answer = try await post(
      Self.powerAuth + PowerAuthEndpoint.activationStatus.rawValue,
      JSONEncoder().encode(RequestEnvelope(ActivationStatusRequest(activationId: id, challenge: challenge))), [])
    return answer.object["customObject"]?["activationFlags"]?.arrayValue?.compactMap(\.stringValue) ?? []
  }

  /// `PHASE/STATUS`.
  mutating func state() async throws -> String {
    try await app.settle()
    let object = try await call(.identityStatus).object
    return
      "\(object["identityVerificationPhase"]?.stringValue ?? "NONE")/\(object["identityVerificationStatus"]?.stringValue ?? "-")"
  }

  /// Begins a process and activates.
  /// - Returns: whose it is.
  mutating func begun() async throws -> Person {
    let process = try await onboard()
    return Person(
      app: app, process: process, activation: .init(rawValue: try device.joined().identifier.text))
  }

  /// Begins a process and activates.
  mutating func onboard() async throws -> String {
    let started = try await call(.start, #"{"identification":{"clientNumber":"1","birthDate":"1990-01-01"}}"#)
    let process = try started.read(Wultra.ProcessState.self).processId
    try await app.settle()
    _ = try await activate(process, app.lastCode())
    return process
  }
}
