import Console
import HTTP
import Hummingbird
import Identity
import Kit
import RubixFlow

/// The pages of an institution's staff and of its customers.
extension House {
  var consoleDialects: [(prefix: String, dialect: any Dialect)] {
    [
      (StaffDialect.base, StaffDialect()), (UploadRoutes.base, UploadDialect()),
      (AccountRoutes.base, AccountDialect()),
    ]
  }

  /// Pages that customers open beside an app.
  func addCustomerPages(to root: RouterGroup<PublicContext>) {
    UploadRoutes(.oneAssist(oneAssist)).add(to: root)
    AccountRoutes(.finaptic(finaptic)).add(to: root)
  }

  func addConsole(to root: RouterGroup<PublicContext>) {
    let door = consoleDoor
    StaffRoutes(door).add(to: root)
    WebhookRoutes(door, webhooks).add(to: root)
  }

  private var consoleDoor: StaffDoor {
    let access = rubix.agentAccess(staff: staff)
    let (tenants, all) = (tenants, tenants.all)
    return StaffDoor(
      database: database, vault: vault, world: world, audit: core.audit,
      sessions: Sessions(
        policy: .console, signer: signer, vault: vault, limits: core.limits, audit: core.audit, world: world),
      staff: staff, isSecure: settings.consoleIsSecure, asksInstitution: all.count > 1
    ) { email, password, institution, address in
      let tenant = try? tenants.find(institution ?? (all.count == 1 ? all[0].id : nil))
      return try await access.member(email, password: password, tenant: tenant?.id ?? "", address: address)
    }
  }
}

extension Sessions.Policy {
  /// A session ends when nobody used it for as long as an agent's access token lives, and at the end of a working day.
  static var console: Sessions.Policy {
    var policy = Sessions.Policy(audience: "gatehouse-console", scope: "console", refreshPrefix: "gwc_")
    policy.familyLifetime = .hours(12)
    policy.expirySkew = .zero
    return policy
  }
}
