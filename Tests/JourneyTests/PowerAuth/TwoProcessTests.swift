// SPDX-License-Identifier: Apache-2.0

import Foundation
import GatehouseTransport
import PowerAuth2
import TestSupport
import Testing

@Suite("Journey: the PowerAuth SDK and the served program, two processes", .ownFile, .serialized)
struct TwoProcessTests {
  private static let pin = PowerAuthAuthentication.possessionWithPassword(LivePhone.pin)

  private static func refusal(_ work: () async throws -> Void) async -> String? {
    do { try await work() } catch {
      return (error as NSError).powerAuthRestApiErrorResponse?.responseObject?.code ?? "\(error)"
    }
    return nil
  }

  @Test(
    "a device's whole life", .enabled(if: ServedProcess.program != nil, "no gatehouse was built"),
    .timeLimit(.minutes(5)), arguments: PowerAuthProtocolVersion.allCases)
  func life(version: PowerAuthProtocolVersion) async throws {
    let app = try await PowerAuthLiveTestApp()
    defer { app.kill() }
    let phone = try LivePhone(app, version)
    let sdk = try await phone.activated()
    let identifier = try #require(sdk.activationIdentifier)

    let status = try await sdk.fetchActivationStatus()
    #expect(status.state == .active && status.remainingAttempts == 5)
    #expect(status.customObject?["activationFlags"] as? [String] == ["VERIFICATION_PENDING"])

    try await counterLost(phone, sdk)
    try await blockedAndUnblocked(sdk, app, identifier)
    try await vault(sdk, app, identifier)
    try await offline(sdk, app, identifier)
    try await tokens(sdk, app)

    let recovery = try await sdk.activationRecoveryData(Self.pin)
    #expect(PowerAuthActivationCodeUtil.validateRecoveryCode(recovery.recoveryCode))
    try await sdk.changePassword(from: LivePhone.pin, to: "97531")
    let restarted = try phone.start()
    try await restarted.validatePassword(password: "97531")

    try await restarted.removeActivation(with: .possessionWithPassword("97531"))
    #expect(restarted.canStartActivation())
    let found = try await app.bank("activations/search", ["user_id": "user-1"])
    let states = (found["activations"] as? [[String: Any]])?.compactMap { $0["state"] as? String }
    #expect(states == ["REMOVED"])
  }

  /// The storage is rolled back, as by a backup: the device is behind, and finds the server again.
  private func counterLost(_ phone: LivePhone, _ sdk: PowerAuthSDK) async throws {
    let earlier = try phone.stored
    for _ in 0..<7 { try await sdk.validatePassword(password: LivePhone.pin) }
    let current = try phone.stored
    try phone.restore(earlier)
    let behind = try phone.start()
    #expect(await Self.refusal { try await behind.validatePassword(password: LivePhone.pin) } == "ERR_AUTHENTICATION")
    #expect(try await behind.fetchActivationStatus().state == .active)
    try await behind.validatePassword(password: LivePhone.pin)
    #expect(try phone.stored != current)
    // The first instance is behind now, as the app would be that runs it.
    #expect(try await sdk.fetchActivationStatus().state == .active)
    try await sdk.validatePassword(password: LivePhone.pin)

    // Requests that never arrived: the device is ahead by more than half of what the server bears.
    for _ in 0..<12 { _ = try sdk.requestSignature(with: .possession(), method: "POST", uriId: "/lost", body: nil) }
    #expect(try await sdk.fetchActivationStatus().state == .active)
    for _ in 0..<12 { _ = try sdk.requestSignature(with: .possession(), method: "POST", uriId: "/lost", body: nil) }
    try await sdk.validatePassword(password: LivePhone.pin)
  }

  private func blockedAndUnblocked(_ sdk: PowerAuthSDK, _ app: PowerAuthLiveTestApp, _ identifier: String) async throws
  {
    for left in (0..<5).reversed() {
      #expect(
        await Self.refusal { try await sdk.validatePassword(password: LivePhone.wrongPin) } == "ERR_AUTHENTICATION")
      let status = try await sdk.fetchActivationStatus()
      #expect(status.remainingAttempts == UInt32(left) && status.state == (left == 0 ? .blocked : .active))
    }
    #expect(await Self.refusal { try await sdk.validatePassword(password: LivePhone.pin) } == "ERR_AUTHENTICATION")
    #expect(try await app.bank("activations/\(identifier)/unblock").text("state") == "ACTIVE")
    #expect(try await sdk.fetchActivationStatus().state == .active)
    try await sdk.validatePassword(password: LivePhone.pin)
  }

  private func vault(_ sdk: PowerAuthSDK, _ app: PowerAuthLiveTestApp, _ identifier: String) async throws {
    let key = try await sdk.fetchEncryptionKey(Self.pin, index: 1)
    #expect(try await sdk.fetchEncryptionKey(Self.pin, index: 1) == key && key.count == 16)
    #expect(try await sdk.fetchEncryptionKey(Self.pin, index: 2) != key)
    let data = Data("a contract".utf8)
    let signature = try await sdk.signData(withDevicePrivateKey: Self.pin, data: data)
    let verdict = try await app.bank(
      "device-signatures/verify",
      [
        "activation_id": identifier, "data": data.base64EncodedString(),
        "signature": signature.base64EncodedString(), "accepted_flags": ["VERIFICATION_PENDING"],
      ])
    #expect(verdict["valid"] as? Bool == true)
  }

  private func offline(_ sdk: PowerAuthSDK, _ app: PowerAuthLiveTestApp, _ identifier: String) async throws {
    let data = "A1*A100CZK*ICZ2730300000001165254011"
    let payload = try await app.bank("offline/payloads", ["activation_id": identifier, "data": data])
    // The last line holds the number of a key and the signature over everything before.
    let text = try payload.text("offline_data")
    let split = try #require(text.lastIndex(of: "\n")).utf16Offset(in: text) + 2
    let (signed, signature) = (String(text.prefix(split)), String(text.dropFirst(split)))
    #expect(sdk.verifyServerSignedData(Data(signed.utf8), signature: signature, masterKey: false))

    let nonce = try payload.text("nonce")
    let digits = try sdk.offlineSignature(
      with: Self.pin, uriId: "/operation/authorize/offline", body: Data(data.utf8), nonce: nonce)
    let verify = { (digits: String) in
      try await app.bank(
        "offline/verify",
        [
          "activation_id": identifier, "uri_id": "/operation/authorize/offline", "nonce": nonce, "data": data,
          "signature": digits, "accepted_flags": ["VERIFICATION_PENDING"],
        ])
    }
    #expect(try await verify(digits)["valid"] as? Bool == true)
    #expect(try await verify(digits)["valid"] as? Bool == false)
  }

  private func tokens(_ sdk: PowerAuthSDK, _ app: PowerAuthLiveTestApp) async throws {
    let token = try await sdk.tokenStore.requestAccessToken(
      withName: "possession_universal", authentication: .possession())
    let header = try #require(token.generateHeader())
    let verify = {
      try await app.bank(
        "tokens/verify",
        [
          "header": header.value, "signature_types": ["possession"], "accepted_flags": ["VERIFICATION_PENDING"],
        ])
    }
    #expect(try await verify()["valid"] as? Bool == true)
    #expect(try await verify()["valid"] as? Bool == false)
    #expect(try await sdk.tokenStore.removeAccessToken(withName: "possession_universal"))
  }

  @Test(
    "1,000 signed requests from 8 threads arrive in the order of their counters",
    .enabled(if: ServedProcess.program != nil, "no gatehouse was built"), .timeLimit(.minutes(10)))
  func thousand() async throws {
    let app = try await PowerAuthLiveTestApp()
    defer { app.kill() }
    let phone = try LivePhone(app, .v33)
    let sdk = try await phone.activated()
    let statuses = await withTaskGroup(of: [Int].self) { threads in
      for _ in 0..<8 {
        threads.addTask {
          var statuses: [Int] = []
          for _ in 0..<125 { statuses.append(await Self.signedRequest(sdk, app)) }
          return statuses
        }
      }
      return await threads.reduce(into: []) { $0 += $1 }
    }
    #expect(statuses.count == 1000 && statuses.allSatisfy { $0 == 200 })
    #expect(try await sdk.fetchActivationStatus().state == .active)
    try await phone.start().validatePassword(password: LivePhone.pin)
  }

  /// One of the app's own requests, in its turn on the serial queue: signed and answered within it.
  private static func signedRequest(_ sdk: PowerAuthSDK, _ app: PowerAuthLiveTestApp) async -> Int {
    let turn: (any PowerAuthOperationTask)? = await withCheckedContinuation { began in
      let task = sdk.executeBlock { task in began.resume(returning: task) }
      if task == nil { began.resume(returning: nil) }
    }
    defer { turn?.cancel() }
    let body = Data(#"{"requestObject":{"reason":"TEST"}}"#.utf8)
    guard turn != nil, let url = URL(string: "\(PowerAuthLiveTestApp.address)/pa/v3/signature/validate"),
      let header = try? sdk.requestSignature(
        with: .possession(), method: "POST", uriId: "/pa/signature/validate", body: body),
      let response = try? await app.transport.send(
        TransportRequest(
          method: "POST", url: url, headers: TransportHeaders(dictionaryLiteral: (header.key, header.value)),
          body: body))
    else { return 0 }
    return response.status
  }

  @Test(
    "killed and started again, with every temporary key at its end: the device notices nothing",
    .enabled(if: ServedProcess.program != nil, "no gatehouse was built"), .timeLimit(.minutes(5)))
  func expired() async throws {
    let app = try await PowerAuthLiveTestApp()
    defer { app.kill() }
    let phone = try LivePhone(app, .v33)
    let sdk = try await phone.activated()
    let key = try await sdk.fetchEncryptionKey(Self.pin, index: 1)
    app.kill()
    #expect(await Self.refusal { try await sdk.validatePassword(password: LivePhone.pin) } != nil)
    try await app.endTemporaryKeys()
    try app.start()
    #expect(try await sdk.fetchEncryptionKey(Self.pin, index: 1) == key)
    _ = try await sdk.tokenStore.requestAccessToken(withName: "t", authentication: .possession())
    #expect(try await phone.start().fetchActivationStatus().failCount == 0)
  }
}
