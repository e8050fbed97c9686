// SPDX-License-Identifier: Apache-2.0

import Dispatch
import Foundation
import GatehouseTransport
import SEAuthenticator
import SEAuthenticatorV2
import Synchronization
import Testing

extension Published {
  @Suite("Published surface: failures")
  struct FailureTests {
    private static let path = "/prefix/api/authenticator/v1/authorizations"

    private var request: SEBaseAuthenticatedRequestData {
      get throws {
        .init(
          url: try #require(URL(string: Device.base)), connectionGuid: Device.guid, accessToken: "token-1",
          appLanguage: "en")
      }
    }

    private var decision: SEConfirmAuthorizationRequestData {
      get throws {
        .init(
          url: try #require(URL(string: Device.base)), connectionGuid: Device.guid, accessToken: "t", appLanguage: "en",
          authorizationId: "1", authorizationCode: "code", geolocation: nil, authorizationType: "passcode")
      }
    }

    private func list() async throws -> Result<SEEncryptedListResponse, Refused> {
      let request = try request
      return await told {
        SEAuthorizationManager.getEncryptedAuthorizations(data: request, onSuccess: $0, onFailure: $1)
      }
    }

    @Test(
      "the failure closure gets the server's class word for word, else one of ours",
      arguments: [
        (401, #"{"error_class":"ConnectionNotFound","error_message":"Gone."}"#, "ConnectionNotFound"),
        (400, #"{"error_class":"Something New"}"#, "Something New"),
        (200, #"{"error_class":"SignatureExpired","error_message":"Late."}"#, "SignatureExpired"),
        (404, "<html>", "ApiResponseError"), (200, "{}", "ApiResponseError"),
        (200, #"{"data":{}}"#, "ApiResponseError"),
        (500, "", "ApiResponseError"),
      ])
    func words(status: Int, body: String, word: String) async throws {
      _ = try Device.connected(["GET \(Self.path)": (status, body)])
      #expect(try await list() == Refused(word: word))
      do {
        _ = try await SEAuthorizationManager.getEncryptedAuthorizations(data: try request)
        Issue.record("no error")
      } catch let error as SEAuthenticatorError {
        #expect(error.errorClass.rawValue == word)
        if word == "ConnectionNotFound" {
          #expect(error.kind == .refused(status: 401) && error.message == "Gone." && error.endsConnection)
        }
      }
    }

    @Test("no network and no trust have words of their own")
    func network() async throws {
      for (code, word) in [(TransportError.Code.offline, "HostUnreachable"), (.insecure, "SSLHandshakeException")] {
        _ = try Device.connected()
        SEAuthenticatorPlatform.current.transport = HTTPTransport { (_, _) async throws(TransportError) in
          throw TransportError(code)
        }
        #expect(try await list() == Refused(word: word))
      }
    }

    @Test("without the connection's key nothing is sent, signed or not")
    func unsigned() async throws {
      let device = Device(["GET \(Self.path)": (200, #"{"data":[]}"#)])
      guard case .failure = try await list() else {
        Issue.record("sent without a key")
        return
      }
      #expect(device.requests.isEmpty)
    }

    @Test(
      "no confirmation is sent before the user has proved themselves to the app",
      arguments: [false, true])
    func presence(isProved: Bool) async throws {
      let device = try Device.connected([
        "PUT \(Self.path)/1": (200, #"{"data":{"success":true,"id":"1"}}"#),
        "PUT /prefix/api/authenticator/v2/authorizations/1/confirm": (200, #"{"data":{"id":1,"status":"confirmed"}}"#),
      ])
      let asked = Mutex(0)
      SEAuthenticatorPlatform.current.userPresence = {
        #expect(device.requests.isEmpty)
        asked.withLock { $0 += 1 }
        return isProved
      }
      let decision = try decision
      let v1 = await told {
        SEAuthorizationManager.confirmAuthorization(data: decision, onSuccess: $0, onFailure: $1)
      }
      if isProved {
        #expect(try v1.get().success && device.requests.count == 1)
        return
      }
      #expect(v1 == Refused(word: "UserPresenceMissing"))
      let v2 = await told {
        SEAuthorizationManagerV2.confirmAuthorization(data: decision, onSuccess: $0, onFailure: $1)
      }
      #expect(v2 == Refused(word: "UserPresenceMissing"))
      #expect(device.requests.isEmpty && asked.withLock { $0 } == 2)
      #expect(try await SEAuthorizationManager.denyAuthorization(data: decision).success)
      #expect(asked.withLock { $0 } == 2, "denying does not ask")
    }

    @Test("where neither the app nor the device asks the user, nothing is confirmed")
    func noGate() async throws {
      let device = try Device.connected(["PUT \(Self.path)/1": (200, #"{"data":{"success":true,"id":"1"}}"#)])
      (SEAuthenticatorPlatform.current.userPresence, SEAuthenticatorPlatform.current.keyProtection) = (nil, nil)
      let decision = try decision
      let outcome = await told {
        SEAuthorizationManager.confirmAuthorization(data: decision, onSuccess: $0, onFailure: $1)
      }
      #expect(outcome == Refused(word: "UserPresenceMissing"))
      await #expect(throws: SEAuthenticatorError.self) {
        try await SEAuthorizationManagerV2.confirmAuthorization(data: decision)
      }
      #expect(device.requests.isEmpty)
      #expect(try await SEAuthorizationManager.denyAuthorization(data: decision).success)
    }

    @Test("a device that knows its owner asks them for each confirmation, and once for what is shown")
    func deviceOwner() async throws {
      let owner = DeviceOwner()
      let device = Device([
        "GET \(Self.path)": (200, #"{"data":[]}"#), "PUT \(Self.path)/1": (200, #"{"data":{"success":true,"id":"1"}}"#),
      ])
      SEAuthenticatorPlatform.current.userPresence = nil
      SEAuthenticatorPlatform.current.keyProtection = owner.protection
      let (tag, decision) = (SETagHelper.create(for: Device.guid), try decision)
      let pem = try #require(try Device.keys.get().first).pkcs8PEM
      _ = try #require(SECryptoHelper.createKey(from: pem, isPublic: false, tag: tag))
      #expect(!device.store.contents.values.contains { String(decoding: $0, as: UTF8.self).contains("PRIVATE KEY") })
      #expect(SECryptoHelper.publicKeyToPem(tag: tag) != nil && owner.asked == 0)

      for _ in 0..<3 { _ = try await list().get() }
      #expect(owner.asked == 1 && owner.opened == 3)
      for count in 2..<4 {
        #expect(try await SEAuthorizationManager.confirmAuthorization(data: decision).success)
        #expect(owner.asked == count)
      }
      let sent = device.requests.count
      owner.refuse(true)
      await #expect(throws: SEAuthenticatorError.self) {
        try await SEAuthorizationManager.confirmAuthorization(data: decision)
      }
      // What is shown needs the key, too: after the lock it is not opened, and not asked for at every poll.
      SEAuthenticatorPlatform.current.lock()
      let asked = owner.asked
      for _ in 0..<3 { #expect(try await list() == Refused(word: "UserPresenceMissing")) }
      #expect(owner.asked == asked + 1 && device.requests.count == sent)
      owner.refuse(false)
      SEAuthenticatorPlatform.current.lock()
      _ = try await list().get()
    }

    @Test("without the bank's key no decision of v2 is sent")
    func unsealed() async throws {
      let device = try Device.connected()
      SECryptoHelper.deleteKeyPair(with: SETagHelper.provider(for: Device.guid))
      let decision = SEConfirmAuthorizationRequestData(
        url: try #require(URL(string: Device.base)), connectionGuid: Device.guid, accessToken: "t", appLanguage: "en",
        authorizationId: "1", authorizationCode: nil, geolocation: nil, authorizationType: "unknown")
      await #expect(throws: SEAuthenticatorError.self) {
        try await SEAuthorizationManagerV2.confirmAuthorization(data: decision)
      }
      #expect(device.requests.isEmpty)
    }

    @Test("closures are called on the queue of the caller's choice, by default the main one")
    func queues() async throws {
      _ = try Device.connected(["GET \(Self.path)": (200, #"{"data":[]}"#)])
      let (key, request) = (DispatchSpecificKey<String>(), try request)
      let queue = DispatchQueue(label: "own")
      queue.setSpecific(key: key, value: "own")
      let place = await withCheckedContinuation { done in
        SEAuthorizationManager.getEncryptedAuthorizations(
          data: request, completionQueue: queue,
          onSuccess: { _ in done.resume(returning: DispatchQueue.getSpecific(key: key)) },
          onFailure: { _ in done.resume(returning: nil) })
      }
      #expect(place == "own")
      MainQueue.mark()
      let isMain = await withCheckedContinuation { done in
        SEAuthorizationManager.getEncryptedAuthorizations(
          data: request, onSuccess: { _ in done.resume(returning: MainQueue.isCurrent) },
          onFailure: { _ in done.resume(returning: false) })
      }
      #expect(isMain)
    }

    @Test("what carries a token prints none")
    func printed() async throws {
      _ = Device([
        "POST /prefix/api/authenticator/v1/connections": (200, #"{"data":{"id":"1","access_token":"token-1"}}"#)
      ])
      let data = try #require(SECreateConnectionRequestData(code: "demo", tag: "a"))
      let created = try await SEConnectionManager.createConnection(
        by: try #require(URL(string: Device.base)), data: data, pushToken: nil, appLanguage: "en")
      #expect(created.accessToken == "token-1")
      var text = "\(created) \(String(reflecting: created)) \(try request) \(String(reflecting: try request))"
      dump(created, to: &text)
      dump(try request, to: &text)
      #expect(!text.contains("token-1"))
    }

    @Test("an ignored answer is no failure")
    func unwanted() async throws {
      _ = try Device.connected(["GET \(Self.path)": (200, #"{"data":[]}"#)])
      let failures = Mutex(0)
      SEAuthorizationManager.getEncryptedAuthorizations(
        data: try request, onSuccess: nil, onFailure: { _ in failures.withLock { $0 += 1 } })
      _ = try await list().get()
      #expect(failures.withLock { $0 } == 0)
    }

  }
}

extension Result where Failure == Refused {
  static func == (left: Self, right: Refused) -> Bool {
    guard case .failure(let failure) = left else { return false }
    return failure == right
  }
}
