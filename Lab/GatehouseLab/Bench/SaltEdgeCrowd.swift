// SPDX-License-Identifier: Apache-2.0

import Delivery
import Foundation
import GatehouseApp
import GatehouseWire
import Kit
import SaltEdgeCore
import SaltEdgeFlow
import SaltEdgeWire

/// A bank without a server of its own and devices of its customers, one each, that speak v2 over the loopback.
struct SaltEdgeCrowd: Sendable {
  struct Device: Sendable {
    let token: String
    let key: RSAPrivateKey
    /// Asks what waits.
    let poll: [UInt8]
  }

  /// Keys that the devices share: making one takes long, and the server's cost is the same.
  private static let keysMax = 8

  let devices: [Device]
  private let bank: SaltEdgeProvider
  private let bankKey: RSAPublicKey
  private let credentials: String
  private let randomness = Randomness(World.live.random)

  /// Connects as many devices, each by a link that the bank made for its customer.
  static func connected(_ count: Int, _ app: App, port: Int, _ threads: BlockingThreadPool, width: Int) async throws
    -> SaltEdgeCrowd
  {
    let (added, client) = try await app.saltEdge.providers.add(
      .init(code: "bench", name: "Bench Bank", kind: .hosted, supportEmail: "help@bench.example"),
      clients: app.serviceClients, by: "bench")
    let bank = added.provider
    let keys = try (0..<keysMax).map { _ in try RSAPrivateKey.generate() }
    let empty = SaltEdgeCrowd(
      devices: [], bank: bank, bankKey: try RSAPublicKey(pem: bank.publicKey),
      credentials: Data("\(client.client.id):\(client.secret)".utf8).base64EncodedString())
    let devices = try await withThrowingTaskGroup(of: [(Int, Device)].self) { group in
      for thread in 0..<width {
        group.addTask {
          try await threads.run {
            let connection = try LoopbackConnection(port: port)
            return try stride(from: thread, to: count, by: width).map { number in
              (number, try empty.connect(number, keys[number % keys.count], over: connection))
            }
          }
        }
      }
      return try await group.reduce(into: []) { $0 += $1 }
    }
    return SaltEdgeCrowd(
      devices: devices.sorted { $0.0 < $1.0 }.map(\.1), bank: bank, bankKey: empty.bankKey,
      credentials: empty.credentials)
  }

  private init(devices: [Device], bank: SaltEdgeProvider, bankKey: RSAPublicKey, credentials: String) {
    (self.devices, self.bank, self.bankKey, self.credentials) = (devices, bank, bankKey, credentials)
  }

  private struct Link: Decodable { let connect_query: String }

  private func connect(
    _ number: Int, _ key: RSAPrivateKey, over connection: LoopbackConnection
  ) throws -> Device {
    let asked = try Self.taken(connection.send(request("connect-links", #"{"user_id":"user-\#(number)"}"#)))
    let query = try JSONDecoder().decode(Link.self, from: asked).connect_query
    let bundle = try EncryptedPayload(
      encrypting: Data(key.publicKey.pem.utf8), for: bankKey, randomness: randomness)
    let body = SaltEdge.Body(
      data: SaltEdgeV2.Connect(
        providerID: .init(bank.id.rawValue), returnURL: ReturnRedirect.returnURL, platform: "android", pushToken: nil,
        connectQuery: query, encryptedPublicKey: .init(key: bundle.key, iv: bundle.iv, data: bundle.data)))
    let answer = try Self.taken(
      connection.send(
        LoopbackConnection.request(
          "POST /api/authenticator/v2/connections HTTP/1.1\r\n", body: try WireJSON.encode(body))))
    let connected = try WireJSON.decode(SaltEdge.Body<SaltEdgeV2.Connected>.self, from: answer).data
    guard case .authenticated(let sealed, _) = try ReturnRedirect(url: connected.authenticationURL) else {
      throw BenchMistake.notValid
    }
    let token = try EncryptedAccessToken.decrypt(sealed, with: key)
    return Device(
      token: token, key: key,
      poll: LoopbackConnection.request(
        "GET /api/authenticator/v2/authorizations HTTP/1.1\r\nAccess-Token: \(token)\r\n"))
  }

  /// A call of the bank's system.
  private func request(_ path: String, _ body: String) -> [UInt8] {
    LoopbackConnection.request(
      "POST \(ProviderDialect.base)/providers/\(bank.id)/\(path) HTTP/1.1\r\nAuthorization: Basic \(credentials)\r\n",
      body: Data(body.utf8))
  }

  /// A payment for one customer to confirm.
  func payment(_ number: Int) -> [UInt8] {
    request(
      "authorizations",
      #"{"reference":"payment-\#(number)","user_id":"user-\#(number * 7919 % devices.count)","title":"Payment","#
        + #""payment":{"payee":"Shop","amount":"12.50","currency":"EUR","reference":"Invoice \#(number)"}}"#)
  }

  /// What waits for a device, as it was answered.
  static func waiting(_ answer: LoopbackConnection.Answer) throws -> [SaltEdgeV2.Authorization] {
    try WireJSON.decode(SaltEdge.Body<[SaltEdgeV2.Authorization]>.self, from: taken(answer)).data
      .filter { $0.status == .pending }
  }

  /// A device reads what it is shown and confirms it.
  func confirmation(of authorization: SaltEdgeV2.Authorization, by device: Device) throws -> [UInt8] {
    let payload = authorization.payload
    let text = try EncryptedPayload(key: payload.key, iv: payload.iv, data: payload.data).decrypted(with: device.key)
    let code = try WireJSON.decode(SaltEdgeV2.Content.self, from: Data(text.utf8)).code
    let sealed = try EncryptedPayload(
      encrypting: WireJSON.encode(
        SaltEdgeV2.Confirmation(code: code, userAuthorizationType: "passcode", geolocation: nil)),
      for: bankKey, randomness: randomness)
    let body = try WireJSON.encode(
      SaltEdge.SignedBody(
        data: SaltEdge.Ciphertext(key: sealed.key, iv: sealed.iv, data: sealed.data),
        exp: World.live.now().seconds + 300))
    return LoopbackConnection.request(
      "PUT /api/authenticator/v2/authorizations/\(authorization.id)/confirm HTTP/1.1\r\n"
        + "Access-Token: \(device.token)\r\n\(DetachedJWS.header): \(try DetachedJWS.sign(body, with: device.key))\r\n",
      body: body)
  }

  static func taken(_ answer: LoopbackConnection.Answer) throws -> Data {
    guard (200...299).contains(answer.status) else { throw BenchMistake.refused(answer.status) }
    return Data(answer.body)
  }
}
