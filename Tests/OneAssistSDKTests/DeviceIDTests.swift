// SPDX-License-Identifier: Apache-2.0

import Foundation
import GatehouseTransport
import OneAssistSDK
import TestSupport
import Testing

@Suite("OneAssistSDK: reading the device's number")
struct DeviceIDTests {
  private func refusal(
    _ phone: TestPhone = TestPhone(), _ change: (inout TestPhone.State) -> Void
  ) async throws -> OAError? {
    phone.change(change)
    let app = try await phone.started()
    return await thrown { try await app.fetchDeviceId() }
  }

  @Test("what can go wrong on the way has its error, and nothing is kept or sent")
  func errors() async throws {
    let cases: [(OAError, @Sendable (inout TestPhone.State) -> Void)] = [
      (.ERROR_PHOTO_PERMISSION, { $0.permission = .denied }),
      (.ERROR_UNABLE_TO_PROCESS_DESC, { $0.canDial = false }),
      (.ERROR_SCREENSHOT_FETCH, { state in (state.permission, state.onSheet) = (.limited, { $0.tell(.missing) }) }),
      (.ERROR_SCREENSHOT_LOAD, { $0.onSheet = { $0.takeScreenshot(nil) } }),
      (.ERROR_SCREENSHOT_LOAD, { $0.onSheet = { $0.takeScreenshot(Data(repeating: 0, count: 6 * 1024 * 1024)) } }),
      (
        .ERROR_SCREEN_RECORDING,
        {
          $0.onSheet = { phone in
            phone.change { $0.isCaptured = true }
            phone.takeScreenshot()
          }
        }
      ),
    ]
    for (error, change) in cases {
      let phone = TestPhone()
      #expect(try await refusal(phone, change) == error)
      #expect(phone.server.last("text") == nil && phone.server.last("upload") == nil)
      #expect(try await phone.ready().startActivation(for: FakeServer.code) == .fetchDeviceId)
    }
  }

  @Test("a screenshot from before is not the one; the next one is")
  func older() async throws {
    let phone = TestPhone()
    phone.change { state in
      state.onSheet = { phone in
        phone.takeScreenshot(secondsAgo: 1, Data("holiday".utf8))
        phone.takeScreenshot()
      }
    }
    let app = try await phone.started()
    #expect(try await app.fetchDeviceId() == .provideUserBasicDetail)
    #expect(phone.server.lastBody("text").contains("screenshot"))
  }

  @Test("back in the app, the screenshot has ten seconds; leaving again begins them anew")
  func deadline() async throws {
    let phone = TestPhone()
    phone.change { state in
      state.onSheet = { phone in
        phone.tell(.left)
        phone.tell(.returned)
      }
    }
    let app = try await phone.started()
    async let outcome = thrown { try await app.fetchDeviceId() }
    // The deadline of the whole goes on beside it.
    await phone.clock.pauses(2)
    phone.clock.advance(.seconds(9))
    phone.tell(.left)
    phone.tell(.returned)
    await phone.clock.pauses(2)
    phone.clock.advance(.seconds(11))
    #expect(await outcome == .ERROR_SCREENSHOT_FETCH)
  }

  @Test("a user who never leaves for the identifiers, or never comes back, is waited for ten minutes")
  func neverBack() async throws {
    for leaves in [false, true] {
      let phone = TestPhone()
      phone.change { $0.onSheet = { if leaves { $0.tell(.left) } } }
      let app = try await phone.started()
      async let outcome = thrown { try await app.fetchDeviceId() }
      await phone.clock.pauses(1)
      phone.clock.advance(.seconds(600))
      #expect(await outcome == .ERROR_SCREENSHOT_FETCH)
    }
  }

  @Test("a sheet that never says that it is shown is waited for ten minutes, and the next call is served (issue 29)")
  func neverOpen() async throws {
    let phone = TestPhone()
    phone.change { $0.opensSheet = false }
    let app = try await phone.started()
    async let outcome = thrown { try await app.fetchDeviceId() }
    await phone.clock.pauses(1)
    phone.clock.advance(.seconds(600))
    #expect(await outcome == .ERROR_SCREENSHOT_FETCH)
    #expect(try await app.startActivation(for: FakeServer.code) == .fetchDeviceId)
    phone.closeSheets()
  }

  @Test(
    "a picture without a number is refused; IMEIs for tests are taken only by an app that asks for it, in debug mode or not"
  )
  func unreadable() async throws {
    let phone = TestPhone()
    for text in ["", "no number here", "IMEI 35 900011 000001 3", "EID 89049032004008882600013245678901"] {
      phone.server.change { $0.text = text }
      #expect(try await refusal(phone) { _ in } == .ERROR_UNABLE_TO_DO_OCR)
    }
    var testing = TestPhone.configuration
    testing.acceptsTestIMEIs = true
    for (configuration, refusal) in [(TestPhone.configuration, OAError.ERROR_UNABLE_TO_DO_OCR), (testing, nil)] {
      for isDebug in [false, true] {
        let phone = TestPhone(configuration: configuration)
        phone.server.change { $0.text = "IMEI 004999010640000" }
        let app = phone.app()
        try await app.initializeSDK(token: "t", isDebugMode: isDebug)
        try await app.startActivation(for: FakeServer.code)
        #expect(await thrown { try await app.fetchDeviceId() } == refusal)
      }
    }
  }

  @Test("the server's refusal to read is told in its words; a device that reads by itself asks no server")
  func recogniser() async throws {
    let phone = TestPhone()
    phone.server.answer(
      "text", status: 503, #"{"errors":[{"errorCode":"RECOGNITION_UNAVAILABLE","message":"Not here."}]}"#)
    #expect(
      try await refusal(phone) { _ in }
        == .ERROR_API(code: "RECOGNITION_UNAVAILABLE", description: "Not here."))
    var configuration = TestPhone.configuration
    configuration.textRecognizer = .device { _ in "IMEI \(TestPhone.imei)" }
    let reading = TestPhone(configuration: configuration)
    #expect(try await refusal(reading) { _ in } == nil)
    #expect(reading.server.last("text") == nil)
    configuration.textRecognizer = .device { _ in nil }
    let blind = TestPhone(configuration: configuration)
    #expect(try await refusal(blind) { _ in } == .ERROR_UNABLE_TO_PROCESS_DESC)
  }

  @Test("both numbers are sent with the model, and the screenshot goes to the reviewer behind the call")
  func sent() async throws {
    let phone = TestPhone()
    phone.server.change { $0.text = "IMEI 35 900011 00000l 2\nIMEI2 490154203237518" }
    let app = try await phone.started()
    try await app.fetchDeviceId(pincode: " 560001 ", address: " \(TestPhone.address) ")
    await app.finishBackgroundTasks()
    let lead = phone.server.lastBody("lead")
    for part in [
      #""imei":"359000110000012""#, #""imei2":"490154203237518""#, #""ocrRepaired":true"#, #""pinCode":"560001""#,
      #""addrLine1":"12 Lake Road, Bengaluru""#, #""deviceModel":"iPhone 14""#,
    ] {
      #expect(lead.contains(part), "\(part)")
    }
    let upload = phone.server.lastBody("upload")
    for part in ["IMEI_SCREENSHOT", FakeServer.reference, "screenshot", "docMandatory"] {
      #expect(upload.contains(part), "\(part)")
    }
    // No call waits for the upload, and its failure changes nothing.
    phone.server.answer("upload", status: 500, "")
    #expect(try await app.fetchDeviceId() == .sendUploadLinkOrOpenSecureScreen)
  }

  @Test("when the details are refused the number stays, and submitBasicDetails is what to repeat")
  func refusedDetails() async throws {
    let phone = TestPhone()
    let app = try await phone.started()
    phone.server.answer("lead", status: 422, #"{"errors":[{"errorCode":"PINCODE_UNKNOWN","message":"No."}]}"#)
    let first = await thrown { try await app.fetchDeviceId(pincode: "999999", address: TestPhone.address) }
    #expect(first?.errorCode == "PINCODE_UNKNOWN")
    phone.server.restore("lead")
    #expect(
      try await app.submitBasicDetails(pincode: "560001", address: TestPhone.address)
        == .sendUploadLinkOrOpenSecureScreen)
  }

  // MARK: What is kept (§5.5)

  @Test("the number is kept for its activation and its installation")
  func kept() async throws {
    let phone = TestPhone()
    _ = try await phone.numbered("POSTDTLPENDING")
    #expect(try await phone.ready().startActivation(for: FakeServer.code) == .provideUserBasicDetail)
    // The order's own name leads to the same activation.
    #expect(try await phone.ready().startActivation(for: "order-uuid") == .provideUserBasicDetail)
    phone.change { $0.installation = "second" }
    #expect(try await phone.ready().startActivation(for: FakeServer.code) == .fetchDeviceId)
  }

  @Test("a test number that was kept counts only for an app that takes test numbers")
  func keptTest() async throws {
    let store = MemorySecureStore()
    var testing = TestPhone.configuration
    testing.acceptsTestIMEIs = true
    let phone = TestPhone(store: store, configuration: testing)
    phone.server.change { $0.text = "IMEI 004999010640000" }
    let app = try await phone.started()
    #expect(try await app.fetchDeviceId() == .provideUserBasicDetail)
    await app.finishBackgroundTasks()
    #expect(try await phone.ready().startActivation(for: FakeServer.code) == .provideUserBasicDetail)
    #expect(try await TestPhone(store: store).ready().startActivation(for: FakeServer.code) == .fetchDeviceId)
  }

  @Test("another activation has to read it anew, also in the same app")
  func other() async throws {
    let phone = TestPhone()
    let app = try await phone.numbered("POSTDTLPENDING")
    let info = #"{"status":"success","data":{"taskInfo":{"status":"POSTDTLPENDING"}}}"#
    phone.server.answer("info", status: 200, info)
    #expect(try await app.startActivation(for: "ACT-2") == .fetchDeviceId)
    #expect(await thrown { try await app.sendUploadLink("9123456780") } == .ERROR_IMEI_MISSING)
  }

  @Test("another order that cannot be looked up leaves nothing of the first")
  func dropped() async throws {
    let phone = TestPhone()
    let app = try await phone.numbered()
    phone.server.answer("info", status: 500, "")
    _ = await thrown { try await app.startActivation(for: "ACT-2") }
    #expect(await thrown { try await app.sendUploadLink("9123456780") } == .ERROR_EMPTY_ACTIVATION_CODE)
  }

  @Test("a store that refuses is an error; one that is damaged is read anew")
  func store() async throws {
    for (code, error) in [(SecureStoreError.Code.locked, OAError.ERROR_UNABLE_TO_PROCESS_DESC), (.tampered, nil)] {
      let app = try await TestPhone(store: RefusingStore(code: code)).ready()
      #expect(await thrown { try await app.startActivation(for: FakeServer.code) } == error)
    }
    let folder = try TestFolder()
    let file = folder.url("state")
    let sealed = try SealedFileStore(file: file, key: Data(repeating: 1, count: 32))
    let phone = TestPhone(store: sealed)
    let app = try await phone.numbered("POSTDTLPENDING")
    #expect(try !String(decoding: Data(contentsOf: file), as: UTF8.self).contains(TestPhone.imei))
    try Data("GHSF1 damaged".utf8).write(to: file)
    #expect(try await app.startActivation(for: FakeServer.code) == .fetchDeviceId)
    #expect(try await app.fetchDeviceId() == .provideUserBasicDetail)
    #expect(try await phone.ready().startActivation(for: FakeServer.code) == .provideUserBasicDetail)
  }
}

/// Refuses everything.
private struct RefusingStore: SecureStore {
  let code: SecureStoreError.Code

  func read(_ name: String) async throws(SecureStoreError) -> Data? { throw SecureStoreError(code) }
  func write(_ secret: Data, as name: String) async throws(SecureStoreError) { throw SecureStoreError(code) }
  func remove(_ name: String) async throws(SecureStoreError) { throw SecureStoreError(code) }
}
