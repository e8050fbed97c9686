// SPDX-License-Identifier: Apache-2.0

import Foundation
import GatehouseTransport
import OneAssistCore
import OneAssistSDK
import Testing

@MainActor
@Suite("OneAssistSDK: the secure screen", .timeLimit(.minutes(1)))
struct SecureScreenTests {
  private let phone = TestPhone()
  private let host = ShownHost()

  /// The screen, open; its outcome is the task's.
  private func opened() async throws -> Task<OAError?, Never> { opening(try await phone.numbered(linked: true)) }

  private func opening(_ app: OAActivation) -> Task<OAError?, Never> {
    let host = host
    return Task { await thrown { try await app.openSecureScreen(onViewController: host) } }
  }

  /// What a screen of the n-th key shows at the server's time.
  private func code(_ session: Int, secondsAfterIssue: Int64) throws -> String {
    let imei = try #require(IMEI(TestPhone.imei))
    let codes = try #require(
      RollingCode(key: FakeServer.secret, sessionID: "session-\(session)", imei: imei, issuedAt: 0))
    return try #require(codes.code(at: secondsAfterIssue * 1000)).shown
  }

  @Test("number and code are shown; the code changes every second by the server's clock, whatever the calendar says")
  func codes() async throws {
    phone.server.change { $0.ahead = 3_600_000 }
    let outcome = try await opened()
    let waiting = await host.next()
    #expect(waiting?.imeis == [TestPhone.imei] && waiting?.code == nil)
    let first = await host.nextCode()
    #expect(try first?.code == code(1, secondsAfterIssue: 0) && first?.hint == "00" && first?.remaining == .seconds(1))
    // Setting the calendar clock has no effect.
    phone.clock.set(by: 86_400)
    for second in 1...3 {
      await phone.clock.pauses(4)
      phone.clock.advance(.seconds(1))
      #expect(try await host.nextCode()?.code == code(1, secondsAfterIssue: Int64(second)))
    }
    host.close()
    #expect(await outcome.value == nil)
    #expect(host.dismissals == 1)
    #expect(phone.read { $0.lampChanges } == ["bright", "as before"])
  }

  @Test("a second number stands below the first")
  func second() async throws {
    phone.server.change { $0.text = "IMEI \(TestPhone.imei)\nIMEI2 \(TestPhone.otherIMEI)" }
    let outcome = try await opened()
    let shown = await host.nextCode()
    #expect(shown?.imeis == [TestPhone.imei, TestPhone.otherIMEI])
    let text = OATextScreenHost.text(try #require(shown))
    #expect(text.contains(TestPhone.otherIMEI) && text.contains(shown?.code ?? "-"))
    host.close()
    _ = await outcome.value
  }

  private func key(_ times: String) -> String {
    #"{"status":"success","data":{"hashKey":"\#(FakeServer.secret.base64EncodedString())","sessionId":"s",\#(times)}}"#
  }

  @Test("without a key the screen closes before the call fails")
  func noKey() async throws {
    for (status, body, error) in [
      (500, "", OAError.ERROR_UNKNOW),
      (409, #"{"errors":[{"errorCode":"1008","message":"First."}]}"#, .ERROR_API(code: "1008", description: "First.")),
      (200, #"{"status":"success","data":{"hashKey":"c2hvcnQ=","sessionId":"s"}}"#, .ERROR_UNKNOW),
      // Times that no clock shows.
      (200, key(#""issuedAt":-9223372036854775808,"serverTime":9223372036854775807"#), .ERROR_UNKNOW),
      (200, key(#""issuedAt":0,"serverTime":9223372036854775807"#), .ERROR_UNKNOW),
      (200, key(#""issuedAt":1,"serverTime":1,"stepMillis":9223372036854775807"#), .ERROR_UNKNOW),
      (200, key(#""issuedAt":1,"serverTime":1,"stepMillis":0"#), .ERROR_UNKNOW),
    ] {
      phone.server.answer("key", status: status, body)
      #expect(try await opened().value == error)
    }
    #expect(host.dismissals == 7)
  }

  @Test("a recording that begins before it opens, or while it shows, ends it, told or not")
  func recording() async throws {
    // While it shows, and the system reports it.
    let app = try await phone.numbered(linked: true)
    var outcome = opening(app)
    _ = await host.nextCode()
    phone.capture(true)
    #expect(await outcome.value == .ERROR_SCREEN_RECORDING)
    #expect(host.dismissals == 1)
    // Before.
    #expect(await opening(app).value == .ERROR_SCREEN_RECORDING)
    #expect(host.dismissals == 1)
    // While it shows, and the system says nothing.
    phone.capture(false)
    outcome = opening(app)
    _ = await host.nextCode()
    await phone.clock.pauses(4)
    phone.capture(true, told: false)
    phone.clock.advance(.seconds(1))
    #expect(await outcome.value == .ERROR_SCREEN_RECORDING)
    // After: nothing of it.
    phone.capture(false)
    let last = ShownHost()
    outcome = Task { await thrown { try await app.openSecureScreen(onViewController: last) } }
    _ = await last.nextCode()
    last.close()
    #expect(await outcome.value == nil)
    phone.capture(true)
    #expect(phone.read { $0.lampChanges.filter { $0 == "bright" }.count == $0.lampChanges.count / 2 })
  }

  @Test("a mirrored screen is as bad as a recorded one, before it opens and while it shows, told or not")
  func mirrored() async throws {
    let app = try await phone.numbered(linked: true)
    phone.mirror(true)
    #expect(await opening(app).value == .ERROR_SCREEN_RECORDING)
    #expect(host.dismissals == 0)
    for isTold in [true, false] {
      phone.mirror(false)
      let host = ShownHost()
      let outcome = Task { await thrown { try await app.openSecureScreen(onViewController: host) } }
      _ = await host.nextCode()
      await phone.clock.pauses(4)
      phone.mirror(true, told: isTold)
      if !isTold { phone.clock.advance(.seconds(1)) }
      #expect(await outcome.value == .ERROR_SCREEN_RECORDING)
      #expect(host.dismissals == 1)
    }
    // After: nothing of it.
    phone.mirror(false)
    let outcome = opening(app)
    _ = await host.nextCode()
    host.close()
    #expect(await outcome.value == nil)
    phone.mirror(true)
    #expect(phone.read { $0.lampChanges.filter { $0 == "bright" }.count * 2 == $0.lampChanges.count })
  }

  @Test("asked for the back alone again, the screen opens still, and still not before a link was sent")
  func again() async throws {
    phone.server.change { $0.documents = [("SCREEN_IMAGE", "AC"), ("BACK_IMAGE", "RJ")] }
    let app = try await phone.numbered("REUPLOAD")
    #expect(try await app.startActivation(for: FakeServer.code) == .sendUploadLink)
    #expect(await opening(app).value == .ERROR_SMS_NOT_SENT)
    #expect(try await app.sendUploadLink("9123456780") == .sendUploadLink)
    let outcome = opening(app)
    _ = await host.nextCode()
    host.close()
    #expect(await outcome.value == nil)
  }

  @Test("a recording is reported to the server, and so is a screenshot, which closes nothing")
  func reports() async throws {
    let app = try await phone.numbered(linked: true)
    let host = host
    let outcome = Task { await thrown { try await app.openSecureScreen(onViewController: host) } }
    _ = await host.nextCode()
    host.happened(.screenshotTaken)
    await phone.clock.pauses(4)
    phone.clock.advance(.seconds(1))
    _ = await host.nextCode()
    await app.finishBackgroundTasks()
    #expect(phone.server.lastBody("event").contains("SCREENSHOT"))
    phone.capture(true)
    #expect(await outcome.value == .ERROR_SCREEN_RECORDING)
    await app.finishBackgroundTasks()
    #expect(phone.server.lastBody("event").contains("RECORDING"))
  }

  @Test("in the background nothing shows and nothing runs; back again there is a new key")
  func background() async throws {
    let outcome = try await opened()
    _ = await host.nextCode()
    host.happened(.enteredBackground)
    #expect(await host.next() == .blank)
    #expect(phone.read { $0.lampChanges } == ["bright", "as before"])
    phone.clock.advance(.seconds(60))
    host.happened(.enteredForeground)
    #expect(try await host.nextCode()?.code == code(2, secondsAfterIssue: 0))
    #expect(phone.read { $0.lampChanges } == ["bright", "as before", "bright"])
    // Recorded meanwhile.
    host.happened(.enteredBackground)
    phone.capture(true, told: false)
    host.happened(.enteredForeground)
    #expect(await outcome.value == .ERROR_SCREEN_RECORDING)
    #expect(phone.read { $0.lampChanges } == ["bright", "as before", "bright", "as before"])
  }

  @Test("before a key is over the next one is there; without a next one the screen closes when it is over")
  func renewal() async throws {
    let outcome = try await opened()
    _ = await host.nextCode()
    await phone.clock.pauses(4)
    phone.clock.advance(.seconds(870))
    var shown = await host.nextCode()
    while shown != nil, phone.server.calls.filter({ $0 == "key" }).count < 2 { shown = await host.nextCode() }
    while let code = shown?.code, code != (try self.code(2, secondsAfterIssue: 0)) { shown = await host.nextCode() }
    #expect(shown != nil)
    phone.server.answer("key", status: 500, "")
    await phone.clock.pauses(4)
    phone.clock.advance(.seconds(900))
    #expect(await outcome.value == .ERROR_UNKNOW)
    #expect(host.dismissals == 1)
  }

  @Test("one screen at a time; another call waits until it is closed")
  func twice() async throws {
    let app = try await phone.numbered(linked: true)
    let (host, other) = (host, ShownHost())
    let outcome = Task { await thrown { try await app.openSecureScreen(onViewController: host) } }
    _ = await host.nextCode()
    #expect(
      await thrown { try await app.openSecureScreen(onViewController: other) } == .ERROR_UNABLE_TO_PROCESS_DESC)
    let calls = phone.server.requests.count
    async let next = app.startActivation(for: FakeServer.code)
    host.close()
    #expect(await outcome.value == nil)
    #expect(try await next == .sendUploadLinkOrOpenSecureScreen)
    #expect(phone.server.requests.count > calls)
  }

  @Test("setting up anew, and cancelling, take the screen away")
  func taken() async throws {
    let app = try await phone.numbered(linked: true)
    let host = host
    var outcome = Task { await thrown { try await app.openSecureScreen(onViewController: host) } }
    _ = await host.nextCode()
    try await app.initializeSDK(token: "t", isDebugMode: true)
    #expect(await outcome.value == .ERROR_UNABLE_TO_PROCESS_DESC)
    while await host.next() != nil {}
    try await app.startActivation(for: FakeServer.code)
    outcome = Task { await thrown { try await app.openSecureScreen(onViewController: host) } }
    _ = await host.nextCode()
    outcome.cancel()
    #expect(await outcome.value == .ERROR_UNABLE_TO_PROCESS_DESC)
    #expect(host.dismissals == 2)
    #expect(phone.read { $0.lampChanges } == ["bright", "as before", "bright", "as before"])
  }
}
