// SPDX-License-Identifier: Apache-2.0

import Identity
import Kit
import Scheduling
import Storage

/// Who may have a call on the pages of this server: the customer who has its link, and the agents of the institution.
struct CallAdmission: CallAdmitter {
  let core: CoreDependencies
  let applications: Applications
  let staff: Staff

  /// - Throws: `Problem` not-found for a call of another institution, and where calls are held elsewhere; forbidden
  ///   without `attend:video` or in one's own case.
  func admit(_ party: CallParty, in tx: any SQLTransaction) throws -> BrowserCalls.Admission {
    let store = ApplicationStore(tx, vault: core.vault)
    // Which call it is does not depend on an institution's hours.
    guard let any = applications.tenants.all.first,
      let call = try applications.appointments(of: any).find(party.call, in: tx),
      let name = try store.tenant(of: .init(rawValue: call.customerID)),
      case let tenant = try applications.tenants.find(name), tenant.callURL == CallAddress.here
    else { throw Problem.notFound }
    var actor = "customer"
    if let id = party.member {
      guard let member = try staff.find(.init(rawValue: id), in: tx), member.isActive, member.tenant == tenant.id else {
        throw Problem.notFound
      }
      guard member.permissions.contains(.attendVideo) else {
        throw Problem(.forbidden, "forbidden", "Your account does not have the permission for this.")
      }
      try member.requireOther(than: store.find(.init(rawValue: call.customerID), tenant: tenant.id))
      actor = member.actor
    }
    return BrowserCalls.Admission(
      call, try applications.appointments(of: tenant), institution: tenant.name, actor: actor)
  }
}
