// SPDX-License-Identifier: Apache-2.0

import Activations
import Foundation
import GatehouseApp
import Kit
import PowerAuthCore
import Storage
import Synchronization

/// An installation with one activated device, for measuring.
final class PowerAuthStage: Sendable {
  struct Signed: Sendable {
    let claim: SignatureCheck.Claim
    let keys: SignatureKeys
    let counter: SignatureCounter
  }

  struct Enveloped: Sendable {
    let request: ECIESRequest
    let decryptor: ECIESDecryptor
  }

  private static let uriID = "/operation/authorize"

  private let activations: Activations
  private let world: World
  private let configuration: SDKConfiguration
  private let activation: ActivationIdentifier
  private let keys: ActivationKeys
  private let counter: Mutex<CounterData>

  static func open(in folder: String, world: World) async throws -> PowerAuthStage {
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    let database = try SQLite(path: "\(folder)/bench.sqlite", durability: .shared)
    try await database.migrate(Schema.migrations)
    let vault = try await Vault.open(database, keyring: Keyring(world: world), world: world)
    let activations = Activations(
      database: database, vault: vault, audit: Audit(world: world, vault: vault), world: world)
    let release = try await activations.applications.add("bench", tenant: "default", by: .init("bench"))
    let started = try await activations.initiate(
      InitiateActivation(application: release.application.id, user: "bench", commitsItself: true), by: .init("bench")
    )
    let device = ECPrivateKey(Randomness(world.random))
    let created = try await activations.create(
      NewDevice(
        applicationKey: release.version.applicationKey, version: .standard, publicKey: device.publicKey),
      .code(started.code))
    guard case .created(let made) = created else { throw BenchMistake.notValid }
    return PowerAuthStage(
      activations, world, release.configuration,
      try ActivationIdentifier(text: made.activation.id.rawValue),
      try ActivationKeys(privateKey: device, publicKey: made.serverPublicKey), made.counterData)
  }

  private init(
    _ activations: Activations, _ world: World, _ configuration: SDKConfiguration,
    _ activation: ActivationIdentifier, _ keys: ActivationKeys, _ counter: CounterData
  ) {
    self.activations = activations
    self.world = world
    self.configuration = configuration
    self.activation = activation
    self.keys = keys
    self.counter = Mutex(counter)
  }

  private var randomness: Randomness { Randomness(world.random) }

  // MARK: Without the store

  /// Two factors over a request, as most are.
  func claim(_ body: Data) throws -> Signed {
    let data = try NormalizedData(
      method: "POST", uriIdentifier: Self.uriID, nonce: randomness.nonce(), body: body,
      applicationSecret: configuration.applicationSecret)
    let counter = SignatureCounter(data: CounterData(randomness))
    let signature = try Signature(
      .possessionKnowledge, of: data, keys: keys.signature, counter: counter.data, format: .base64)
    return Signed(
      claim: .init(text: signature.text, types: [.possessionKnowledge], data: data, version: .standard),
      keys: keys.signature, counter: counter)
  }

  /// In the scope of the activation, protocol 3.3.
  func envelope(_ body: Data) throws -> Enveloped {
    let key = ECPrivateKey(randomness)
    let parameters = try parameters(temporaryKey: world.uuid())
    let (request, _) = try ECIESEncryptor(parameters: parameters, serverKey: key.publicKey).encrypt(
      body, timestamp: now, randomness: randomness)
    return Enveloped(request: request, decryptor: ECIESDecryptor(parameters: parameters, privateKey: key))
  }

  // MARK: Through the capability and its store

  /// Seconds for one signature, one after the other, durable each.
  func signatureSeconds(for turn: Duration) async throws -> Double {
    let body = Data(repeating: 0x41, count: 256)
    return try await seconds(for: turn) { [self] in
      let nonce = randomness.nonce()
      let data = try NormalizedData(
        method: "POST", uriIdentifier: Self.uriID, nonce: nonce, body: body,
        applicationSecret: configuration.applicationSecret)
      let current = counter.withLock { counter in
        defer { counter = counter.next }
        return counter
      }
      let signature = try Signature(
        .possessionKnowledge, of: data, keys: keys.signature, counter: current, format: .base64)
      let header = try SignatureHeader(
        version: .standard, activationIdentifier: activation, applicationKey: configuration.applicationKey,
        nonce: nonce, type: .possessionKnowledge, signature: signature.text)
      return { [self] in
        _ = try await activations.verify(
          header, method: "POST", uriID: Self.uriID, body: body, allowed: [.possessionKnowledge]
        ).require()
      }
    }
  }

  /// Seconds for one encrypted request, one after the other, durable each.
  func decryptSeconds(for turn: Duration) async throws -> Double {
    let question = TemporaryKeyRequest(
      applicationKey: configuration.applicationKey, activationIdentifier: activation, randomness: randomness)
    let asking = TemporaryKeyRequest.key(
      applicationSecret: configuration.applicationSecret, transportKey: keys.transport)
    let answer = try await activations.temporaryKey(jwt: try question.token(key: asking))
    let stored = try await activations.find(Activation.ID(activation))
    guard let server = stored.publicKeys?.server else { throw BenchMistake.notValid }
    let key = try TemporaryKey(token: answer, answering: question, key: ECPublicKey(server))
    let encryptor = ECIESEncryptor(parameters: try parameters(temporaryKey: key.identifier), serverKey: key.publicKey)
    let body = Data(repeating: 0x41, count: 256)
    return try await seconds(for: turn) { [self] in
      let (request, _) = try encryptor.encrypt(body, timestamp: now, randomness: randomness)
      return { [self] in
        _ = try await activations.decrypt(
          request, .genericActivation, version: .standard, applicationKey: configuration.applicationKey,
          activation: activation)
      }
    }
  }

  /// The mean of what `prepare` hands out; the device's own work is not in it.
  private func seconds(
    for turn: Duration, _ prepare: () throws -> (() async throws -> Void)
  ) async throws -> Double {
    var (spent, count) = (Duration.zero, 0)
    while spent < turn {
      let call = try prepare()
      let start = world.ticks()
      try await call()
      spent += world.ticks() - start
      count += 1
    }
    return spent.inSeconds / Double(count)
  }

  private var now: UInt64 { UInt64(max(0, world.now().milliseconds)) }

  private func parameters(temporaryKey: String) throws -> ECIESParameters {
    try ECIESParameters(
      version: .standard, identifier: .genericActivation, applicationKey: configuration.applicationKey,
      applicationSecret: configuration.applicationSecret, activationIdentifier: activation,
      transportKey: keys.transport, temporaryKeyIdentifier: temporaryKey)
  }
}
