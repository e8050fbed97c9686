// SPDX-License-Identifier: Apache-2.0

import Foundation
import Kit
import OneAssistCore
import OneAssistFlow
import OneAssistSDK
import OneAssistWire
import Testing

@Suite("OneAssist: every status and every method, at both ends")
struct StatusTableTests {
  /// The error of a call that needs photos to be due; nil where they are.
  private static let refusals: [MembershipStatus: OAError] = [
    .detailsPending: .ERROR_MEMBERSHIP_IN_PROGRESS, .pending: .ERROR_MEMBERSHIP_PENDING,
    .queued: .ERROR_MEMBERSHIP_QUEUED, .approved: .ERROR_MEMBERSHIP_APPROVED,
    .rejected: .ERROR_MEMBERSHIP_REJECTED, .cancelled: .ERROR_MEMBERSHIP_CANCELLED,
  ]

  /// A phone whose membership stands there, its number kept, a link sent wherever one can be.
  private func insured(_ app: OneAssistTestApp, _ status: MembershipStatus) async throws -> InsuredApp {
    let plan = status == .queued ? OneAssistTestApp.planLater : OneAssistTestApp.planNow
    let insured = InsuredApp(try await InsuredPhone(app, plan: plan))
    let phoneApp = try await insured.started()
    try await phoneApp.fetchDeviceId()
    guard status != .detailsPending else { return insured }
    try await phoneApp.submitBasicDetails(pincode: "560001", address: "12 Lake Road, Bengaluru")
    try await phoneApp.sendUploadLink("9123456780")
    try await insured.phone.bring(to: status)
    app.clock.advance(by: .seconds(31))
    return insured
  }

  @Test("the SDK works, or refuses with the status's own error, in each status", arguments: MembershipStatus.allCases)
  @MainActor
  func sdk(status: MembershipStatus) async throws {
    try await OneAssistTestApp.run { app in
      let insured = try await insured(app, status)
      let photos = Self.refusals[status]
      let details = status == .detailsPending ? nil : photos
      let stage = try await insured.launched().startActivation(for: insured.phone.code)
      let expected: [MembershipStatus: OAAction] = [
        .detailsPending: .provideUserBasicDetail, .detailsComplete: .sendUploadLinkOrOpenSecureScreen,
        .reupload: .sendUploadLink,
      ]
      #expect(stage == expected[status] ?? .completed)
      let phoneApp = try await insured.started()
      // Photos first: details would change where it stands.
      #expect(await thrown { try await phoneApp.sendUploadLink("9123456780") } == photos)
      let screen = SeenScreen()
      async let shown = thrown { try await phoneApp.openSecureScreen(onViewController: screen) }
      if photos == nil {
        #expect(await screen.digits()?.count == 11)
        await screen.close()
      }
      #expect(await shown == photos)
      #expect(await thrown { try await phoneApp.fetchDeviceId() } == details)
      #expect(
        await thrown { try await phoneApp.submitBasicDetails(pincode: "560001", address: "12 Lake Road, Bengaluru") }
          == details)
      await phoneApp.finishBackgroundTasks()
    }
  }

  @Test(
    "the membership card has the status in words, and the SDK's call where the user can act",
    arguments: MembershipStatus.allCases)
  func card(status: MembershipStatus) async throws {
    try await OneAssistTestApp.run { app in
      let insured = try await insured(app, status)
      let path = "/partner/v1/memberships?orderUUID=\(insured.phone.order)"
      let list = try await app.server(.get, path).view()["memberships"] as? [[String: Any]]
      let card = try #require(list?.first)
      let userStatuses: Set<MembershipStatus> = [.detailsPending, .detailsComplete, .reupload]
      #expect(card["status"] as? String == status.rawValue)
      #expect((card["statusText"] as? String)?.isEmpty == false)
      #expect(card["possibleActions"] as? [String] == (userStatuses.contains(status) ? ["startActivation"] : []))
    }
  }

  @Test(
    "an app that does not know yet learns of the status from the server's refusal",
    arguments: [MembershipStatus.pending, .queued, .approved, .rejected, .cancelled])
  @MainActor
  func stale(status: MembershipStatus) async throws {
    try await OneAssistTestApp.run { app in
      let plan = status == .queued ? OneAssistTestApp.planLater : OneAssistTestApp.planNow
      let insured = InsuredApp(try await InsuredPhone(app, plan: plan))
      let phoneApp = try await insured.started()
      try await phoneApp.fetchDeviceId(pincode: "560001", address: "12 Lake Road, Bengaluru")
      try await phoneApp.sendUploadLink("9123456780")
      /// Each is started before, and calls after the status changed.
      var apps: [OAActivation] = []
      for _ in 0..<4 { apps.append(try await insured.started()) }
      try await insured.phone.bring(to: status)
      app.clock.advance(by: .seconds(31))
      let (one, two, three, four) = (apps[0], apps[1], apps[2], apps[3])
      let refusal = Self.refusals[status]
      #expect(await thrown { try await one.sendUploadLink("9123456780") } == refusal)
      let screen = SeenScreen()
      #expect(await thrown { try await two.openSecureScreen(onViewController: screen) } == refusal)
      #expect(await thrown { try await three.fetchDeviceId() } == refusal)
      #expect(
        await thrown { try await four.submitBasicDetails(pincode: "560001", address: "12 Lake Road, Bengaluru") }
          == refusal)
      for phoneApp in apps { await phoneApp.finishBackgroundTasks() }
    }
  }

  @Test("the server takes or refuses what each method sends, in each status", arguments: MembershipStatus.allCases)
  func server(status: MembershipStatus) async throws {
    try await OneAssistTestApp.run { app in
      let phone = try await insured(app, status).phone
      let photos = ActivationCall.sendUploadLink.statuses.contains(status)
      let details = ActivationCall.submitBasicDetails.statuses.contains(status)
      /// What startActivation reads is there in every status.
      #expect(try await phone.info().status == 200)
      #expect(try await phone.documents().isEmpty == false)
      let refusal = "409 MEMBERSHIP_STATUS_CHANGED \(status.rawValue)"
      func check(_ answer: OneAssistTestApp.Answer, _ isAllowed: Bool, _ call: String) {
        if isAllowed { #expect(answer.status == 200, "\(call)") } else { #expect(answer.refusal == refusal, "\(call)") }
      }
      check(try await phone.link(), photos, "link")
      if status != .detailsPending { check(try await phone.screenKey(), photos, "key") }
      check(try await phone.upload("IMEI_SCREENSHOT", "sheet of \(status)"), details, "upload")
      check(try await phone.lead(pinCode: nil, address: nil), details, "lead")
    }
  }
}
