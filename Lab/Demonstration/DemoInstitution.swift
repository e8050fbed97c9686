// SPDX-License-Identifier: Apache-2.0

import Foundation
import GatehouseApp
import WultraFlow

/// The institution behind Wultra's stories: a client number belongs to a user with a phone of their own.
enum DemoInstitution {
  static let clientsMax = 8

  static func phone(of clientNumber: String) -> String { "+9655000200\(clientNumber)" }

  /// - Returns: where the file is.
  static func write(in folder: String) throws -> String {
    let users = (1...clientsMax).map { number in
      SandboxInstitution.User(
        when: ["clientNumber": "\(number)"], id: "utopian-\(number)", phone: phone(of: "\(number)"),
        consentRequired: true, evaluation: .accepted)
    }
    let path = "\(folder)/institution.json"
    let institution = SandboxInstitution(users: users, consents: SandboxInstitution.standard.consents)
    try JSONEncoder().encode(institution).write(to: URL(fileURLWithPath: path))
    return path
  }
}
