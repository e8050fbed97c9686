// SPDX-License-Identifier: Apache-2.0

import Foundation
import PowerAuthPeer
import PowerAuthCore
import Testing

@testable import PowerAuth2

@Suite("PowerAuth client: status and counter")
struct StatusTests {
  @Test("the status tells state, attempts and flags, and the flags cast to Swift's texts")
  func status() async throws {
    let phone = Phone()
    let sdk = try await phone.activated()
    phone.peer.state.withLock { $0.customObject = ["activationFlags": .array([.string("VERIFICATION_PENDING")])] }
    phone.peer.change(sdk.activationIdentifier) { $0.failedAttempts = 2 }
    let status = try await sdk.fetchActivationStatus()
    #expect(status.state == .active)
    #expect((status.failCount, status.maxFailCount, status.remainingAttempts) == (2, 5, 3))
    #expect(status.customObject?["activationFlags"] as? [String] == ["VERIFICATION_PENDING"])
    #expect(sdk.lastFetchedActivationStatus === status)
  }

  @Test(
    "every state of the server's arrives; attempts remain in an active one only", arguments: ActivationState.allCases)
  func states(state: ActivationState) async throws {
    let phone = Phone()
    let sdk = try await phone.activated()
    phone.peer.change(sdk.activationIdentifier) { $0.state = state }
    let status = try await sdk.fetchActivationStatus()
    #expect(status.state.rawValue == Int(state.rawValue))
    #expect(status.remainingAttempts == (state == .active ? 5 : 0))
  }

  @Test("without an activation there is no status, and an unknown one gets bytes that mean nothing")
  func none() async throws {
    let phone = Phone()
    #expect(await failure { try await phone.start().fetchActivationStatus() } == .missingActivation)
    let sdk = try await phone.activated()
    phone.peer.state.withLock { $0.activations = [:] }
    #expect(await failure { try await sdk.fetchActivationStatus() } == .invalidActivationData)
  }

  @Test("five wrong PINs block, and the right one is refused until the server unblocks")
  func blocked() async throws {
    let phone = Phone()
    let sdk = try await phone.activated()
    for _ in 0..<5 {
      #expect(await failure { try await sdk.validatePassword(password: Phone.wrongPin) } == .networkError)
    }
    #expect(try await sdk.fetchActivationStatus().state == .blocked)
    #expect(await failure { try await sdk.validatePassword(password: Phone.pin) } == .networkError)
    phone.peer.change(sdk.activationIdentifier) { activation in
      activation.state = .active
      activation.failedAttempts = 0
    }
    #expect(try await sdk.fetchActivationStatus().state == .active)
    try await sdk.validatePassword(password: Phone.pin)
  }

  @Test("a device whose storage was rolled back finds the server's counter", arguments: 1...19)
  func behind(steps: Int) async throws {
    let store = FaultyStore()
    let phone = Phone(store: store)
    let sdk = try await phone.activated()
    let earlier = store.contents
    for _ in 0..<steps { try phone.sign(sdk) }

    let rolledBack = Phone(store: FaultyStore(earlier), peer: phone.peer)
    let restored = rolledBack.start()
    #expect(try await restored.fetchActivationStatus().state == .active)
    try rolledBack.sign(restored)
    #expect(phone.peer.signatures.last?.ahead == 0)
  }

  @Test("further back than the window there is no way")
  func deadlockBehind() async throws {
    let store = FaultyStore()
    let phone = Phone(store: store)
    let sdk = try await phone.activated()
    let earlier = store.contents
    for _ in 0..<20 { try phone.sign(sdk) }
    let restored = Phone(store: FaultyStore(earlier), peer: phone.peer).start()
    #expect(try await restored.fetchActivationStatus().state == .deadlock)
    #expect(restored.hasValidActivation())
  }

  @Test(
    "a device ahead of the server: nothing up to half of the window, one signature up to all of it, then deadlock",
    arguments: [(1, 0, 3), (10, 0, 3), (11, 1, 3), (19, 1, 3), (21, 0, 128)])
  func ahead(steps: Int, calls: Int, state: Int) async throws {
    let phone = Phone()
    let sdk = try await phone.activated()
    for _ in 0..<steps {
      _ = try sdk.requestSignature(with: .possession(), method: "POST", uriId: "/lost", body: nil)
    }
    #expect(try await sdk.fetchActivationStatus().state.rawValue == state)
    #expect(phone.peer.count(of: .validateSignature) == calls)
    if calls == 1 {
      #expect(phone.peer.signatures.last == SeenSignature(type: .possession, counter: UInt64(steps), ahead: steps))
      _ = try await sdk.fetchActivationStatus()
      #expect(phone.peer.count(of: .validateSignature) == 1)
    }
  }

  @Test("a device that signs all the time while its status is on its way is not told that its counter is lost")
  func busy() async throws {
    let phone = Phone()
    let sdk = try await phone.activated()
    let gates = (0..<3).map { _ in Gate() }
    for gate in gates { phone.peer.next(.activationStatus, .late(gate)) }
    async let status = sdk.fetchActivationStatus()
    for gate in gates {
      await gate.reached()
      for _ in 0...PeerActivation.lookAhead { try phone.sign(sdk, .possession()) }
      gate.open()
    }
    #expect(try await status.state == .active)
    #expect(phone.peer.count(of: .activationStatus) == 3)
    #expect(try await sdk.fetchActivationStatus().state == .active)
  }

  @Test("a device without a counter byte learns it")
  func learnsByte() async throws {
    let phone = Phone()
    let sdk = try await phone.activated()
    let client = try #require(sdk.access.client)
    let identifier = try client.session.requireActivation().identifier
    try client.session.update(identifier) { $0.counterByte = nil }
    #expect(try await sdk.fetchActivationStatus().state == .active)
    #expect(try client.session.requireActivation().record.counterByte == 0)
  }

  @Test("the answer of another activation, and one with a changed byte, are refused")
  func tampered() async throws {
    let phone = Phone()
    let sdk = try await phone.activated()
    let identifier = try #require(sdk.activationIdentifier)
    let blob = Data(repeating: 1, count: 32).base64EncodedString()
    for body in [
      #"{"status":"OK","responseObject":{"activationId":"other","encryptedStatusBlob":"\#(blob)","nonce":"AA=="}}"#,
      #"{"status":"OK","responseObject":{"activationId":"\#(identifier)","encryptedStatusBlob":"\#(blob)"}}"#,
    ] {
      phone.peer.next(.activationStatus, .body(body, status: 200))
      #expect(await failure { try await sdk.fetchActivationStatus() } == .invalidActivationData)
    }
  }
}
