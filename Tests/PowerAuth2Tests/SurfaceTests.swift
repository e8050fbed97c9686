// SPDX-License-Identifier: Apache-2.0

import Foundation
import GatehouseTransport
import PowerAuthPeer
import PowerAuthCore
import Testing

@testable import PowerAuth2

@Suite("PowerAuth client: errors, codes, configuration")
struct SurfaceTests {
  @Test("a refusal carries the server's object, everything that it said, and its bytes")
  func refusal() async throws {
    let phone = Phone()
    let sdk = try await phone.activated()
    let body = #"{"status":"ERROR","responseObject":{"code":"ERR_X","message":"M","remainingAttempts":2},"extra":[1]}"#
    phone.peer.next(.validateSignature, .body(body, status: 418))
    do {
      try await sdk.validatePassword(password: Phone.pin)
      Issue.record("a refusal is taken for success")
    } catch {
      let error = error as NSError
      #expect(error.domain == PowerAuthErrorDomain && error.powerAuthErrorCode == .networkError)
      let answer = try #require(error.powerAuthRestApiErrorResponse)
      #expect(answer.httpStatusCode == 418 && answer.status == "ERROR")
      #expect(answer.responseObject?.code == "ERR_X" && answer.responseObject?.message == "M")
      #expect(answer.responseObject?.additionalInfo?["remainingAttempts"] as? Int == 2)
      #expect(error.userInfo[PowerAuthErrorInfoKey_ResponseData] as? Data == Data(body.utf8))
      let everything = error.userInfo[PowerAuthErrorInfoKey_AdditionalInfo] as? [String: Any]
      #expect((everything?["responseObject"] as? [String: Any])?["remainingAttempts"] as? Int == 2)
      #expect(everything?["extra"] as? [Int] == [1])
    }
  }

  @Test("an answer that is no JSON is a refusal, too", arguments: ["", "<html>"])
  func unreadable(body: String) async throws {
    let phone = Phone()
    let sdk = try await phone.activated()
    phone.peer.next(.validateSignature, .body(body, status: 502))
    do {
      try await sdk.validatePassword(password: Phone.pin)
      Issue.record("a refusal is taken for success")
    } catch {
      let answer = try #require((error as NSError).powerAuthRestApiErrorResponse)
      #expect(answer.httpStatusCode == 502 && answer.responseObject == nil && answer.status == nil)
      #expect((error as NSError).userInfo[PowerAuthErrorInfoKey_AdditionalInfo] == nil)
    }
  }

  @Test("what the network did is told by URLSession's number, too")
  func underlying() async throws {
    let phone = Phone()
    let sdk = try await phone.activated()
    phone.peer.next(.activationStatus, .lost(afterActing: true))
    do {
      _ = try await sdk.fetchActivationStatus()
      Issue.record("a lost connection is taken for success")
    } catch {
      let cause = (error as NSError).userInfo[NSUnderlyingErrorKey] as? NSError
      #expect(cause?.domain == NSURLErrorDomain && cause?.code == NSURLErrorNetworkConnectionLost)
    }
  }

  @Test("the code of an error is there through optionals, and absent for other errors")
  func codes() {
    let error: NSError? = CallFailure(.signatureError, "").nsError
    let plain: (any Error)? = error
    #expect(error?.powerAuthErrorCode == .signatureError && error.powerAuthErrorCode == .signatureError)
    #expect(plain?.powerAuthErrorCode == .signatureError && plain.powerAuthErrorCode == .signatureError)
    #expect(NSError(domain: "x", code: 2).powerAuthErrorCode == nil)
    #expect((nil as NSError?).powerAuthErrorCode == nil && (nil as (any Error)?).powerAuthErrorCode == nil)
    #expect(PowerAuthErrorCode.allCases.map(\.rawValue) == Array(0...20))
    #expect(PowerAuthActivationState.allCases.map(\.rawValue) == [1, 2, 3, 4, 5, 128])
  }

  @Test("neither errors nor values show a password, a code or a key")
  func silence() async throws {
    let phone = Phone()
    let sdk = try await phone.activated()
    let authentication = PowerAuthAuthentication.possessionWithPassword("secret-password")
    var texts = [
      "\(authentication)", String(reflecting: authentication), "\(PowerAuthCorePassword(string: "secret-"))",
    ]
    do { _ = try sdk.requestSignature(with: authentication, method: "", uriId: "", body: nil) } catch {
      texts += ["\(error)", error.localizedDescription]
    }
    do { _ = try await sdk.removeActivation(with: authentication) } catch { texts.append("\((error as NSError))") }
    var dumped = ""
    dump(authentication, to: &dumped)
    texts.append(dumped)
    for text in texts { #expect(!text.contains("secret-")) }
  }

  @Test("typed characters are corrected as people mean them, and others refused")
  func typed() {
    let correct = { (character: Character) -> String? in
      let meant = PowerAuthActivationCodeUtil.correctTypedCharacter(character.unicodeScalars.first?.value ?? 0)
      return meant == 0 ? nil : Unicode.Scalar(meant).map(String.init)
    }
    #expect("aZ2701".map(correct) == ["A", "Z", "2", "7", "O", "I"])
    #expect("89-ß é".map(correct) == [nil, nil, nil, nil, nil, nil])
    for value in UInt32(0)..<0x300 {
      let isPlain = (0x41...0x5a).contains(value) || (0x32...0x37).contains(value)
      #expect(PowerAuthActivationCodeUtil.validateTypedCharacter(value) == isPlain)
    }
    #expect(PowerAuthActivationCodeUtil.correctTypedCharacter(0xd800) == 0)
  }

  @Test("codes are taken apart and checked")
  func codesTakenApart() throws {
    let code = Peer.codeText
    let plain = PowerAuthActivationCodeUtil.parse(fromActivationCode: code)
    #expect(plain?.activationCode == code && plain?.activationSignature == nil)
    let signed = PowerAuthActivationCodeUtil.parse(fromActivationCode: "\(code)#AQID")
    #expect(signed?.activationCode == code && signed?.activationSignature == "AQID")
    #expect(PowerAuthActivationCodeUtil.parse(fromActivationCode: "R:\(code)") == nil)
    #expect(PowerAuthActivationCodeUtil.parse(fromRecoveryCode: "R:\(code)")?.activationCode == code)
    #expect(PowerAuthActivationCodeUtil.parse(fromRecoveryCode: "\(code)#AQID") == nil)
    #expect(PowerAuthActivationCodeUtil.validateActivationCode(code))
    #expect(!PowerAuthActivationCodeUtil.validateActivationCode("\(code)#AQID"))
    #expect(!PowerAuthActivationCodeUtil.validateActivationCode(String(code.dropLast())))
    #expect(PowerAuthActivationCodeUtil.validateRecoveryCode("R:\(code)"))
    #expect(PowerAuthActivationCodeUtil.validateRecoveryPuk("0123456789"))
    #expect(!PowerAuthActivationCodeUtil.validateRecoveryPuk("012345678"))
    #expect(!PowerAuthActivationCodeUtil.validateRecoveryPuk("٠١٢٣٤٥٦٧٨٩"))
  }

  @Test("a configuration is checked, and an instance keeps its own copy")
  func configuration() throws {
    let peer = Peer(clock: MovableClock())
    let right = {
      PowerAuthConfiguration(baseEndpointUrl: "https://bank.example/pa", configuration: peer.configuration.text)
    }
    #expect(right().validateConfiguration() && right().instanceId == "default" && right().protocolVersion == .v33)
    let wrong: [(PowerAuthConfiguration) -> Void] = [
      { $0.baseEndpointUrl = "" }, { $0.baseEndpointUrl = "ftp://bank.example" }, { $0.baseEndpointUrl = "https://" },
      { $0.baseEndpointUrl = "https://bank.example/?a=b" }, { $0.instanceId = "" },
      { $0.externalEncryptionKey = Data(count: 16) }, { $0.externalEncryptionKey = Data([1]) },
      { $0.offlineSignatureComponentLength = 3 }, { $0.offlineSignatureComponentLength = 9 },
    ]
    for edit in wrong {
      let configuration = right()
      edit(configuration)
      #expect(!configuration.validateConfiguration())
    }
    let original = right()
    original.keychainKey_Biometry = "key"
    let sdk = PowerAuthSDK(configuration: original, platform: PowerAuthPlatform(store: MemorySecureStore()))
    original.instanceId = "changed"
    let copy = sdk.configuration
    #expect(copy.instanceId == "default" && copy.keychainKey_Biometry == "key")
    #expect(copy.configuration == peer.configuration.text && copy.baseEndpointUrl == "https://bank.example/pa")
  }

  @Test("requests go below the address whatever its end, with the headers of the client's configuration")
  func address() async throws {
    let peer = Peer(clock: MovableClock())
    for (address, path, timeout, seconds) in [
      ("https://b.example/enroll", "/enroll/pa/v3/status", 7.0, 7), ("https://b.example/", "/pa/v3/status", .nan, 1),
    ] {
      let client = PowerAuthClientConfiguration()
      client.userAgent = "Bank/1"
      client.defaultRequestTimeout = timeout
      let transport = HTTPTransport { (request, _) async throws(TransportError) in
        #expect(request.url.path == path && request.method == "POST" && request.deadline == .seconds(seconds))
        #expect(request.headers["User-Agent"] == "Bank/1" && request.headers["Content-Type"] == "application/json")
        return TransportResponse(
          status: 200, body: Data(#"{"status":"OK","responseObject":{"serverTime":1000}}"#.utf8))
      }
      let sdk = PowerAuthSDK(
        configuration: PowerAuthConfiguration(baseEndpointUrl: address, configuration: peer.configuration.text),
        clientConfiguration: client,
        platform: PowerAuthPlatform(store: MemorySecureStore(), transport: transport))
      #expect(try await sdk.fetchServerStatus().serverTime.timeIntervalSince1970 == 1)
    }
  }

  @Test("days of birth and other claims are read as they are meant")
  func claims() {
    let info = PowerAuthUserInfo([
      "birthdate": .string("1984-02-29"), "updated_at": .integer(1_700_000_000), "given_name": .string("Ann"),
      "phone_number_verified": .bool(false),
    ])
    #expect(info.birthdate?.timeIntervalSince1970 == 446_904_000)
    #expect(info.updatedAt?.timeIntervalSince1970 == 1_700_000_000 && info.givenName == "Ann")
    let wrong = [
      "0000-02-01", "1984-02-30", "1984-02", "x-y-z", "1984-13-01", "9223372036854775807-01-01",
      "10000-01-01",
    ]
    for text in wrong {
      #expect(PowerAuthUserInfo(["birthdate": .string(text)]).birthdate == nil)
    }
  }
}
