// SPDX-License-Identifier: Apache-2.0

import OneAssistSDK
import Testing

@Suite("OneAssistSDK: stages")
struct StageTests {
  typealias Documents = [(String, String?)]

  private static let (front, back): (Documents, Documents) = (
    [("SCREEN_IMAGE", "RJ"), ("BACK_IMAGE", "AC")], [("SCREEN_IMAGE", "AC"), ("BACK_IMAGE", "RJ")]
  )

  /// §4.1, row by row: status, whether a number is kept, photos, stage.
  private static let rows: [(String, Bool, Documents, OAAction)] = [
    ("POSTDTLPENDING", false, [], .fetchDeviceId), ("POSTDTLPENDING", true, [], .provideUserBasicDetail),
    ("POSTDTLCOMPLETE", false, [], .fetchDeviceId), ("POSTDTLCOMPLETE", true, [], .sendUploadLinkOrOpenSecureScreen),
    ("REUPLOAD", false, back, .sendUploadLink), ("REUPLOAD", true, back, .sendUploadLink),
    ("REUPLOAD", false, front, .fetchDeviceId), ("REUPLOAD", true, front, .sendUploadLinkOrOpenSecureScreen),
    ("REUPLOAD", true, [("SCREEN_IMAGE", nil)], .sendUploadLink),
    ("PENDING", false, [], .completed), ("CANCELLED", true, [], .completed), ("REJECTED", false, [], .completed),
    ("APPROVED", true, [], .completed), ("QUEUED", true, [], .completed),
  ]

  @Test("starting gives the stage of the table", arguments: rows)
  func table(status: String, hasIMEI: Bool, documents: Documents, stage: OAAction) async throws {
    let phone = TestPhone()
    if hasIMEI { _ = try await phone.numbered() }
    phone.server.change { state in
      (state.status, state.documents) = (status, documents.map { (name: $0.0, status: $0.1) })
    }
    let app = try await phone.ready()
    #expect(try await app.startActivation(for: FakeServer.code) == stage)
    // Started anew, the app stands there again (§11.8).
    #expect(try await phone.ready().startActivation(for: FakeServer.code) == stage)
  }

  @Test("a status that is missing or unknown never looks like success, and starts nothing")
  func missing() async throws {
    for (status, error) in [
      (nil, OAError.ERROR_GET_MEMBERSHIP_DETAILS), ("", .ERROR_GET_MEMBERSHIP_DETAILS),
      ("BRANDNEW", .ERROR_UNKNOW),
    ] {
      let phone = TestPhone()
      phone.server.change { $0.status = status }
      let app = try await phone.ready()
      #expect(await thrown { try await app.startActivation(for: "ACT-1") } == error)
      #expect(
        await thrown { try await app.sendUploadLink("9123456780") }
          == .ERROR_EMPTY_ACTIVATION_CODE)
    }
  }

  // MARK: The arrows of the flow chart (§4.3); those of `startActivation` are above.

  @Test("fetchDeviceId leads to the details, or past them when they are known")
  func fetch() async throws {
    let phone = TestPhone()
    let app = try await phone.started()
    #expect(try await app.fetchDeviceId() == .provideUserBasicDetail)
    #expect(phone.server.last("lead") == nil)
    #expect(
      try await app.fetchDeviceId(pincode: "560001", address: TestPhone.address) == .sendUploadLinkOrOpenSecureScreen)

    let known = TestPhone()
    known.server.change { $0.address = .init(addrLine1: TestPhone.address, pincode: "560001") }
    #expect(try await known.started().fetchDeviceId() == .sendUploadLinkOrOpenSecureScreen)
  }

  @Test("submitBasicDetails leads to the number when it is not known, or to the link")
  func submit() async throws {
    let phone = TestPhone()
    let app = try await phone.started()
    #expect(try await app.submitBasicDetails(pincode: "560001", address: TestPhone.address) == .fetchDeviceId)
    #expect(try await app.fetchDeviceId() == .sendUploadLinkOrOpenSecureScreen)
    #expect(
      try await app.submitBasicDetails(pincode: "560001", address: TestPhone.address)
        == .sendUploadLinkOrOpenSecureScreen)
  }

  @Test("sendUploadLink leads to itself or the secure screen, as the photos want it")
  func link() async throws {
    let phone = TestPhone()
    let app = try await phone.numbered()
    #expect(try await app.sendUploadLink("9123456780") == .sendUploadLinkOrOpenSecureScreen)
    phone.server.change { state in
      (state.status, state.documents) = ("REUPLOAD", Self.back.map { (name: $0.0, status: $0.1) })
    }
    #expect(try await app.startActivation(for: FakeServer.code) == .sendUploadLink)
    #expect(try await app.sendUploadLink("9123456780") == .sendUploadLink)
    phone.server.change { $0.documents = Self.front.map { (name: $0.0, status: $0.1) } }
    #expect(try await app.startActivation(for: FakeServer.code) == .sendUploadLinkOrOpenSecureScreen)
    #expect(try await app.sendUploadLink("9123456780") == .sendUploadLinkOrOpenSecureScreen)
  }

  @Test("openSecureScreen leads to its dismissal")
  @MainActor
  func screen() async throws {
    let phone = TestPhone()
    let app = try await phone.numbered(linked: true)
    let host = ShownHost()
    async let stage = app.openSecureScreen(onViewController: host)
    _ = await host.nextCode()
    host.close()
    #expect(try await stage == .secureScreenDismissed)
  }

  // MARK: Every status and every method (§11.9)

  private static let statuses: [(String, OAError?)] = [
    ("POSTDTLPENDING", .ERROR_MEMBERSHIP_IN_PROGRESS), ("POSTDTLCOMPLETE", nil), ("REUPLOAD", nil),
    ("PENDING", .ERROR_MEMBERSHIP_PENDING), ("QUEUED", .ERROR_MEMBERSHIP_QUEUED),
    ("APPROVED", .ERROR_MEMBERSHIP_APPROVED), ("REJECTED", .ERROR_MEMBERSHIP_REJECTED),
    ("CANCELLED", .ERROR_MEMBERSHIP_CANCELLED),
  ]

  @Test("in every status each method works, or fails with the status's own error", arguments: statuses)
  @MainActor
  func methods(status: String, photosRefusal: OAError?) async throws {
    let phone = TestPhone()
    let detailsRefusal = status == "POSTDTLPENDING" ? nil : photosRefusal
    /// Each method is made in that very status: details change it.
    func app() async throws -> OAActivation { try await phone.numbered(status, linked: true) }
    #expect(try await app().initializeSDK(token: "t", isDebugMode: true) == .initializedSDK)
    let starting = try await app()
    #expect(await thrown { try await starting.startActivation(for: FakeServer.code) } == nil)
    let fetching = try await app()
    #expect(await thrown { try await fetching.fetchDeviceId() } == detailsRefusal)
    let submitting = try await app()
    #expect(
      await thrown {
        try await submitting.submitBasicDetails(pincode: "560001", address: TestPhone.address)
      } == detailsRefusal)
    let sending = try await app()
    #expect(
      await thrown { try await sending.sendUploadLink("9123456780") } == photosRefusal)
    let opening = try await app()
    let host = ShownHost()
    async let outcome = thrown {
      try await opening.openSecureScreen(onViewController: host)
    }
    if photosRefusal == nil {
      _ = await host.nextCode()
      host.close()
    }
    #expect(await outcome == photosRefusal)
  }
}
