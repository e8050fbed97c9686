import Capabilities
import Console
import FinapticFlow
import GatehouseWire
import HTTP
import Hummingbird
import Kit

/// Customers of a bank, by the SDK of the app that they already have.
extension House {
  var finapticDialects: [(String, any Dialect)] {
    [
      (FinapticDialect.base, FinapticDialect()), (AccountRoutes.base, AccountDialect()),
      (SandboxDialect.base, SandboxDialect()), (ChatDeskDialect.base, ChatDeskDialect()),
    ]
  }

  func addFinaptic(to root: RouterGroup<PublicContext>) {
    let doors = FinapticDoors(finaptic, root: root)
    ConfigurationRoutes(finaptic).add(to: doors)
    AuthenticationRoutes(finaptic).add(to: doors)
    AccountRoutes(.finaptic(finaptic)).add(to: root)
    ReferenceDataRoutes(finaptic).add(to: doors)
    AddressRoutes(finaptic, admit: OnboardingRoutes.admission(finaptic)).add(to: doors)
    OnboardingRoutes(finaptic).add(to: doors)
    CoreBankingRoutes(finaptic).add(to: doors)
    CoreTransactionRoutes(finaptic).add(to: doors)
    PersonalFinanceRoutes(finaptic).add(to: doors)
    DistributionRoutes(finaptic).add(to: doors)
    AuthorizedUserRoutes(finaptic).add(to: doors)
    CardRoutes(finaptic).add(to: doors)
    FileUploadRoutes(finaptic).add(to: root)
    TransferRoutes(finaptic).add(to: doors)
    InteracRoutes(finaptic).add(to: doors)
    let events = ServerSentEvents(live: LiveEvents(database: database, world: world), world: world)
    HelpCenterRoutes(finaptic, events: events).add(to: doors)
    let servers = root.clients(at: "", world: world) { [serviceClients] in
      try await serviceClients.authenticate($0, secret: $1)
    }
    ChatDeskRoutes(finaptic, events: events).add(to: servers)
    BankDeskRoutes(finaptic).add(to: servers)
    if settings.isSandbox {
      SandboxRoutes(finaptic).add(to: servers)
      CardPaymentRoutes(finaptic).add(to: servers)
      SimulationRoutes(finaptic).add(to: servers)
    }
  }
}

extension House {
  /// - Throws: `Problem` not found; invalid argument for a tenant with real customers.
  package func addFinapticSandboxClient(_ name: String, tenant id: Int) async throws -> IssuedSecret {
    let tenant = try await FinapticTenants(finaptic).find(id)
    guard tenant.isSandbox else {
      throw Problem.finaptic(.invalidArgument, "The test controls are for sandbox tenants.")
    }
    return try await serviceClients.add(
      "finaptic \(id) \(name)", tenant: SandboxRoutes.clientTenant(of: tenant), scopes: [.sandbox], by: "operator")
  }

  /// - Throws: `Problem` not found.
  package func addFinapticBankClient(_ name: String, tenant id: Int) async throws -> IssuedSecret {
    let tenant = try await FinapticTenants(finaptic).find(id)
    return try await serviceClients.add(
      "finaptic bank \(id) \(name)", tenant: SandboxRoutes.clientTenant(of: tenant), scopes: [.bank], by: "operator")
  }

  /// - Throws: `Problem` not found.
  package func addFinapticChatClient(_ name: String, tenant id: Int) async throws -> IssuedSecret {
    let tenant = try await FinapticTenants(finaptic).find(id)
    return try await serviceClients.add(
      "finaptic chat \(id) \(name)", tenant: SandboxRoutes.clientTenant(of: tenant), scopes: [.chat], by: "operator")
  }
}

extension AccountDesk {
  /// The hosted pages, over this room.
  static func finaptic(_ room: FinapticRoom) -> AccountDesk {
    let (reset, confirmation) = (PasswordReset(room), RegistrationConfirmation(room))
    return AccountDesk(
      look: { token, address in
        try await room.guardingLinks(of: address) { Holder(try await reset.look(token)) }
      },
      setPassword: { password, token, address in
        try await room.guardingLinks(of: address) { try await reset.set(password, by: token) }
      },
      verifyEmail: { token, address in
        try await room.guardingLinks(of: address) { Holder(try await reset.verifyEmail(token)) }
      },
      lookAtAlias: { token, address in
        try await room.guardingLinks(of: address) { Alias(try await confirmation.look(token)) }
      },
      confirmAlias: { token, address in
        try await room.guardingLinks(of: address) { Alias(try await confirmation.confirm(token)) }
      })
  }
}

extension AccountDesk.Holder {
  fileprivate init(_ holder: PasswordReset.Holder) { self.init(institution: holder.tenant, email: holder.email) }
}

extension AccountDesk.Alias {
  fileprivate init(_ holder: RegistrationConfirmation.Holder) {
    self.init(institution: holder.institution, alias: holder.alias)
  }
}
