import Console
import Delivery
import FinapticFlow
import Identity
import Kit
import OneAssistFlow
import RubixFlow

extension App {
  var consoleModule: ConsoleModule {
    ConsoleModule(
      staff: consoleDoor, webhooks: webhooks, uploads: .oneAssist(oneAssist), accounts: .finaptic(finaptic),
      demoBank: demoBank,
      // Behind a proxy every client seems to be this machine, so the messages are not shown at all.
      devOutbox: settings.keepsMessages && !settings.trustsProxy ? devOutbox : nil)
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
  /// A session ends when it was not used for as long as an agent's access token lives, and at the end of a working day.
  static var console: Sessions.Policy {
    var policy = Sessions.Policy(audience: "gatehouse-console", scope: "console", refreshPrefix: "gwc_")
    policy.familyLifetime = .hours(12)
    policy.expirySkew = .zero
    return policy
  }
}

extension Settings {
  /// The bank to try the Authenticator with, where there is one.
  func demoBankService(_ core: CoreDependencies) throws -> DemoBank? {
    try demoBank.book.map { book in
      try DemoBank(
        book, database: core.database, vault: core.vault, world: core.world, audit: core.audit, limits: core.limits,
        http: .curl(lanes: BlockingThreadPool("demo bank calls", width: 4), timeout: .seconds(10)),
        lanes: BlockingThreadPool("demo bank passwords", width: 1))
    }
  }
}

extension UploadDesk {
  /// The page of the second phone, of this flow.
  static func oneAssist(_ service: OneAssistService) -> UploadDesk {
    let phone = service.secondPhone
    return UploadDesk(
      photoMax: OneAssistPolicy.photoMax,
      look: { token, address in
        let view = try await phone.look(token, from: address)
        return View(
          device: "\(view.make) \(view.model)",
          photos: view.photos.map {
            Photo(
              name: $0.name, title: $0.displayName, guide: $0.guide, isMandatory: $0.isMandatory,
              state: $0.state, reason: $0.reason, isOpen: $0.isOpen)
          }, isDone: view.isDone, isAccepted: view.isAccepted, isOver: view.isOver)
      }, take: { try await phone.take($1, $2, by: $0, from: $3) })
  }
}

extension SecondPhone.RequiredView {
  fileprivate var state: UploadDesk.Photo.State {
    switch status {
    case .missing: .missing
    case .uploaded: .uploaded
    case .accepted: .accepted
    case .refused: .refused
    }
  }
}

extension AccountDesk {
  /// The hosted pages, over this room.
  static func finaptic(_ room: FinapticService) -> AccountDesk {
    let (reset, confirmation) = (room.parts.passwordReset, room.parts.registrationConfirmation)
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
