// SPDX-License-Identifier: Apache-2.0

import Foundation
import PowerAuthPeer
import PowerAuthCore
import Synchronization
import Testing

@testable import PowerAuth2

@Suite("PowerAuth client: callbacks", .timeLimit(.minutes(5)))
struct CallbackTests {
  /// Everything that one callback told, and how often.
  private final class Heard: Sendable {
    private let codes = Mutex<[PowerAuthErrorCode?]>([])
    private let (stream, arrival) = AsyncStream<Void>.makeStream()

    var all: [PowerAuthErrorCode?] { codes.withLock { $0 } }

    func hear(_ error: (any Error)?) {
      dispatchPrecondition(condition: .onQueue(.main))
      codes.withLock { $0.append(error.powerAuthErrorCode) }
      arrival.yield()
    }

    /// Waits for the callback.
    func wait() async { for await _ in stream { break } }

    /// Waits for everything that is on the main queue.
    func settle() async {
      await withCheckedContinuation { done in DispatchQueue.main.async { done.resume() } }
    }
  }

  private typealias Call = @Sendable (PowerAuthSDK, Heard) -> (any PowerAuthOperationTask)?

  private static let calls: [(name: String, endpoint: PowerAuthEndpoint, call: Call)] = [
    ("status", .activationStatus, { sdk, heard in sdk.fetchActivationStatus { _, error in heard.hear(error) } }),
    ("user info", .userInfo, { sdk, heard in sdk.fetchUserInfo { _, error in heard.hear(error) } }),
    ("server status", .serverStatus, { sdk, heard in sdk.fetchServerStatus { _, error in heard.hear(error) } }),
    (
      "password", .validateSignature,
      { sdk, heard in sdk.validatePassword(password: Phone.pin) { error in heard.hear(error) } }
    ),
    (
      "password change", .validateSignature,
      { sdk, heard in sdk.changePassword(from: Phone.pin, to: "8642") { error in heard.hear(error) } }
    ),
    (
      "biometry", .unlockVault,
      { sdk, heard in sdk.addBiometryFactor(password: Phone.pin) { error in heard.hear(error) } }
    ),
    (
      "key", .unlockVault,
      { sdk, heard in
        sdk.fetchEncryptionKey(.possessionWithPassword(Phone.pin), index: 1) { _, error in heard.hear(error) }
      }
    ),
    (
      "device key", .unlockVault,
      { sdk, heard in
        sdk.signData(withDevicePrivateKey: .possessionWithPassword(Phone.pin), data: Data([1])) { _, error in
          heard.hear(error)
        }
      }
    ),
    (
      "recovery data", .unlockVault,
      { sdk, heard in
        sdk.activationRecoveryData(.possessionWithPassword(Phone.pin)) { _, error in heard.hear(error) }
      }
    ),
    (
      "recovery code", .confirmRecovery,
      { sdk, heard in
        sdk.confirmRecoveryCode(Peer.codeText, authentication: .possessionWithPassword(Phone.pin)) { _, error in
          heard.hear(error)
        }
      }
    ),
    (
      "token", .createToken,
      { sdk, heard in
        sdk.tokenStore.requestAccessToken(withName: "new", authentication: .possession()) { _, error in
          heard.hear(error)
        }
      }
    ),
    (
      "token removal", .removeToken,
      { sdk, heard in sdk.tokenStore.removeAccessToken(withName: "t") { _, error in heard.hear(error) } }
    ),
    (
      "token header", .serverStatus,
      { sdk, heard in
        sdk.timeSynchronizationService.resetTimeSynchronization()
        return sdk.tokenStore.generateAuthorizationHeader(withName: "t") { _, error in heard.hear(error) }
      }
    ),
    (
      "application encryptor", .createTemporaryKey,
      { sdk, heard in
        sdk.timeSynchronizationService.resetTimeSynchronization()
        return sdk.eciesEncryptorForApplicationScope { _, error in heard.hear(error) }
      }
    ),
    (
      "activation encryptor", .createTemporaryKey,
      { sdk, heard in
        sdk.timeSynchronizationService.resetTimeSynchronization()
        return sdk.eciesEncryptorForActivationScope { _, error in heard.hear(error) }
      }
    ),
    (
      "time", .serverStatus,
      { sdk, heard in
        sdk.timeSynchronizationService.synchronizeTime(callback: { error in heard.hear(error) }, callbackQueue: nil)
      }
    ),
    (
      "removal", .removeActivation,
      { sdk, heard in
        sdk.removeActivation(with: .possessionWithPassword(Phone.pin)) { error in heard.hear(error) }
      }
    ),
  ]

  private func prepared() async throws -> (Phone, PowerAuthSDK) {
    let phone = Phone()
    phone.peer.state.withLock { $0.recovery = ActivationRecovery(recoveryCode: Peer.codeText, puk: "0123456789") }
    let sdk = try await phone.activated()
    _ = try await sdk.tokenStore.requestAccessToken(withName: "t", authentication: .possession())
    return (phone, sdk)
  }

  @Test("success is told once, on the main queue; to cancel afterwards is of no use", arguments: calls.indices)
  func succeeds(index: Int) async throws {
    let (_, sdk) = try await prepared()
    let heard = Heard()
    let task = try #require(Self.calls[index].call(sdk, heard))
    await heard.wait()
    task.cancel()
    await heard.settle()
    #expect(heard.all == [nil], "\(Self.calls[index].name)")
  }

  @Test("a lost connection is told once, on the main queue", arguments: calls.indices)
  func fails(index: Int) async throws {
    let (phone, sdk) = try await prepared()
    let heard = Heard()
    phone.peer.next(Self.calls[index].endpoint, .lost(afterActing: false))
    _ = Self.calls[index].call(sdk, heard)
    await heard.wait()
    #expect(heard.all == [.networkError], "\(Self.calls[index].name)")
  }

  @Test("a cancelled call is told once, as cancelled, without waiting for the server", arguments: calls.indices)
  func cancelled(index: Int) async throws {
    let (phone, sdk) = try await prepared()
    let heard = Heard()
    let gate = Gate()
    phone.peer.next(Self.calls[index].endpoint, .held(gate))
    let task = try #require(Self.calls[index].call(sdk, heard))
    await gate.reached()
    #expect(!task.isCancelled)
    task.cancel()
    task.cancel()
    #expect(task.isCancelled)
    await heard.wait()
    gate.open()
    await heard.settle()
    #expect(heard.all == [.operationCancelled], "\(Self.calls[index].name)")
  }

  @Test("a cancelled activation is undone when its callback is called, and what the server still answers is not taken")
  func cancelledActivation() async throws {
    let phone = Phone()
    let sdk = phone.start()
    let heard = Heard()
    let gate = Gate()
    phone.peer.next(.createActivation, .held(gate))
    let couldStart = Mutex(false)
    let task = sdk.createActivation(try PowerAuthActivation(activationCode: Peer.codeText)) { result, error in
      #expect(result == nil)
      couldStart.withLock { $0 = sdk.canStartActivation() }
      heard.hear(error)
    }
    await gate.reached()
    #expect(sdk.hasPendingActivation() && !sdk.canStartActivation())
    task?.cancel()
    await heard.wait()
    #expect(couldStart.withLock { $0 })
    gate.open()
    await heard.settle()
    #expect(heard.all == [.operationCancelled] && sdk.canStartActivation() && !sdk.hasPendingActivation())
  }

  @Test("an activation that is cancelled as it succeeds is told as cancelled and undone, or told as made and there")
  func cancelledAtTheEnd() async throws {
    for _ in 0..<40 {
      let phone = Phone()
      let sdk = phone.start()
      let heard = Heard()
      let task = sdk.createActivation(try PowerAuthActivation(activationCode: Peer.codeText)) { _, error in
        #expect(sdk.hasPendingActivation() == (error == nil))
        heard.hear(error)
      }
      await together(1) { _ in
        while sdk.activationIdentifier == nil, heard.all.isEmpty {}
        task?.cancel()
      }
      await heard.wait()
      await heard.settle()
      #expect(sdk.canStartActivation() == (heard.all == [.operationCancelled]))
    }
  }

  @Test("work that succeeded before it was cancelled is undone before that is told, and what was told is not undone")
  func undone() async throws {
    let told = Mutex<[String]>([])
    let (begun, end) = (Gate(), Gate())
    let call = CallTask<Int>.start { outcome in
      told.withLock { $0.append((try? outcome.get()) == nil ? "cancelled" : "done") }
    } undo: {
      told.withLock { $0.append("undone") }
    } _: {
      begun.open()
      try? await end.pass()
      return 1
    }
    try await begun.pass()
    call.cancel()
    call.cancel()
    end.open()
    #expect(told.withLock { $0 } == ["undone", "cancelled"])

    let (results, result) = AsyncStream<Int?>.makeStream()
    let done = CallTask<Int>.start {
      result.yield(try? $0.get())
    } undo: {
      Issue.record("undone")
    } _: {
      2
    }
    #expect(await results.first { _ in true } == 2)
    done.cancel()
  }

  @Test("an activation removed while the server works on it is told as cancelled")
  func removedMeanwhile() async throws {
    let phone = Phone()
    let sdk = phone.start()
    let gate = Gate()
    phone.peer.next(.createActivation, .held(gate))
    async let code = failure {
      try await sdk.createActivation(PowerAuthActivation(activationCode: Peer.codeText))
    }
    await gate.reached()
    sdk.removeActivationLocal()
    gate.open()
    #expect(await code == .operationCancelled)
    #expect(sdk.canStartActivation())
  }

  @Test("an asynchronous call ends when its task is cancelled")
  func asynchronous() async throws {
    let (phone, sdk) = try await prepared()
    let gate = Gate()
    phone.peer.next(.activationStatus, .held(gate))
    let task = Task { await failure { try await sdk.fetchActivationStatus() } }
    await gate.reached()
    task.cancel()
    gate.open()
    #expect(await task.value == .operationCancelled)
  }

  @Test("an invalid configuration makes an instance whose every call fails", arguments: calls.indices)
  func invalid(index: Int) async throws {
    let configuration = PowerAuthConfiguration(baseEndpointUrl: "https://bank.example", configuration: "rubbish")
    #expect(!configuration.validateConfiguration())
    let sdk = PowerAuthSDK(configuration: configuration, platform: PowerAuthPlatform(store: FaultyStore()))
    #expect(!sdk.canStartActivation() && !sdk.hasValidActivation() && !sdk.hasPendingActivation())
    let heard = Heard()
    _ = Self.calls[index].call(sdk, heard)
    await heard.wait()
    #expect(heard.all == [.wrongParameter], "\(Self.calls[index].name)")
  }
}
