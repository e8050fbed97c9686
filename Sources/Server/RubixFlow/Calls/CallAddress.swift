// SPDX-License-Identifier: Apache-2.0

import Foundation
import Kit
import Scheduling

/// Where the two sides of a call meet: on the pages of this server, or at an address of the institution's video
/// service, which is made from its template.
///
/// On our pages the customer comes by a link of `CallLink`, and the agent, who is signed in, by the console.
///
/// The room is a keyed digest of the appointment's id: the id stands in answers and audit lines, and those who know it
/// cannot make the address. Both sides get the same room; `{role}` tells the service who comes.
struct CallAddress {
  enum Role: String { case customer, agent }

  /// What stands for our own pages in the place of a template.
  static let here = "gatehouse"

  let tenant: Tenant
  /// Where browsers reach the pages of this server, without a slash at its end.
  let pages: String
  let vault: Vault
  let calendar: Appointments

  /// - Returns: nil where the institution telephones, and while the call cannot be joined.
  func address(of call: Appointment, for role: Role) -> String? {
    guard let template = tenant.callURL, calendar.isJoinable(call) else { return nil }
    guard template != Self.here else {
      return switch role {
      case .customer: "\(pages)/call/\(CallLink.token(of: call.id, vault))"
      case .agent: "\(pages)/console/calls/\(call.id)"
      }
    }
    return Self.filled(template, room: vault.digest(call.id.rawValue, for: "rubix call room"), role: role)
  }

  static func isTemplate(_ text: String) -> Bool {
    text.utf8.count <= 512 && text.contains("{room}")
      && WebAddress(filled(text, room: "r", role: .agent))?.isSecure == true
  }

  /// Whether an address made of a template is one of the machine that follows it.
  static func isOwnMachine(_ template: String) -> Bool {
    WebAddress(filled(template, room: "r", role: .agent))?.host.isOwnMachine == true
  }

  private static func filled(_ template: String, room: String, role: Role) -> String {
    template.replacingOccurrences(of: "{room}", with: room)
      .replacingOccurrences(of: "{role}", with: role.rawValue)
  }
}
