// SPDX-License-Identifier: Apache-2.0

import Delivery
import Foundation
import Identity
import Kit

/// What the setup does in a new installation, after its files are written.
extension App {
  /// An administrator's first way in. Both are shown once.
  package struct FirstAdministrator: Sendable {
    package let member: StaffMember
    package let password: String
    package let code: StaffFactors.EnrolmentCode
  }

  /// Sends a text that means nothing, by the gateway that codes will go by.
  /// - Throws: what the gateway said of it; neither recipient nor text.
  package func sendTestMessage(_ channel: Message.Channel, to recipient: String, tenant: String) async throws {
    var message = Message(
      channel, to: recipient, subject: channel == .email ? "Test message" : nil,
      body: "This is a test of the message gateway.", locale: "en")
    message.tenant = TenantID("rubix", tenant)
    try await messenger.send(message)
  }

  /// Whether the place of pictures takes and gives objects.
  package func checkBlobs() async throws { try await core.blobs.check() }

  /// Adds the first administrator, with a password that is made here.
  /// - Returns: nil where the tenant has an administrator.
  package func addFirstAdministrator(
    _ asked: SetupPlan.Administrator, tenant: String, by actor: String
  ) async throws -> FirstAdministrator? {
    guard let gender = StaffMember.Gender(rawValue: asked.gender) else {
      throw SettingsError("the administrator's gender is M or F")
    }
    let members = try await staff.list(tenant: tenant)
    guard !members.contains(where: { $0.isActive && $0.permissions.contains(.manageStaff) }) else { return nil }
    let password = Data(world.random(18)).base64URL
    let (member, code) = try await staff.addWithEnrolmentCode(
      NewStaffMember(
        tenant: tenant, email: asked.email, name: asked.name, gender: gender, languages: ["en"],
        permissions: StaffRole.administrator.permissions, password: password), by: actor)
    return FirstAdministrator(member: member, password: password, code: code)
  }
}
