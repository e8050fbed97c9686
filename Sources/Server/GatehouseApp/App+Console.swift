// SPDX-License-Identifier: Apache-2.0

import Activations
import Casework
import Console
import Delivery
import FinapticFlow
import HTTP
import Identity
import Kit
import OneAssistFlow
import RubixFlow
import SaltEdgeFlow
import Scheduling
import Storage
import WultraFlow

extension App {
  var consoleModule: ConsoleModule {
    ConsoleModule(
      staff: consoleSignIn, webhooks: webhooks, uploads: .oneAssist(oneAssist), accounts: .finaptic(finaptic),
      administration: staffAdministration, machineUser: MachineUser.actor, leaves: staffLeaves, messenger: messenger,
      queue: queueDependencies,
      figures: figuresSource, health: healthSource, approvals: approvalCommands,
      factsOfActs: { [CaseDetails.Fact].all(of: $0) }, calls: callService,
      calendar: RubixCalendarSource(rubix: rubix, staff: staff), records: repositories, chats: chatDependencies,
      statements: .finaptic(finaptic), rights: rightsCommands, policies: policySource, texts: texts, demoBank: demoBank,
      // Behind a proxy every client seems to be this machine, so the messages are not shown at all.
      devOutbox: settings.keepsMessages && settings.proxyHeader == nil ? devOutbox : nil, devClock: devClock)
  }

  /// What waits for staff, and what pages can decide of it.
  private var queueDependencies: QueueRoutes.Dependencies {
    let reviews = WultraCaseSource(reviews: wultra.reviews)
    let calls = RubixCaseSource(rubix)
    let cards = CardCaseSource(
      disputes: finaptic.dependencies.cardDisputes, suspense: finaptic.dependencies.cardSuspense)
    let payments = PaymentCaseSource(
      settlement: finaptic.dependencies.settlement, recalls: finaptic.dependencies.paymentRecalls)
    let hits = ScreeningCaseSource(desk: screeningCases, source: screeningSource, screened: rubix.screened)
    let sources: [CaseKind: any CaseSource] = [
      .wultraDocuments: reviews, .wultraPresence: reviews, .rubixReview: calls, .rubixCall: calls,
      .rubixScreening: hits, .screeningHit: hits,
      .oneassistMembership: OneAssistCaseSource(reviews: oneAssist.reviews),
      .cardDispute: cards, .cardSuspense: cards, .suspense: payments, .recall: payments,
      .termsNotice: TermsCaseSource(changes: finaptic.dependencies.termsChanges),
    ]
    return QueueRoutes.Dependencies(
      caseCommands,
      sources: sources.mapValues {
        TimelineCaseSource($0, in: database, messages: MessageLog(core)) { [finaptic] in
          try await finaptic.dependencies.user(ofApplication: $0.person)
        }
      },
      events: ServerSentEvents(live: LiveEvents(database: database, world: world), world: world.machine))
  }

  /// Onboardings of Wultra with their devices.
  package var deviceRecords: ProcessRepository {
    ProcessRepository(core, activations: activations, policy: wultra.dossiers.policy)
  }

  /// What staff look up.
  private var repositories: RecordRoutes.Repositories {
    RecordRoutes.Repositories(
      [
        .init(ApplicationRepository(core, applications: rubix.applications), for: .readCustomers),
        .init(finaptic.dependencies.userRepository, for: .readCustomers, acting: .blockUsers),
        .init(finaptic.dependencies.accountRepository, for: .postMoney, acting: .postMoney),
        .init(MembershipRepository(core), for: .readCustomers),
        .init(
          deviceRecords, for: .readCustomers,
          acting: .blockUsers),
        .init(OperationRepository(core), for: .readAudit),
        .init(ProofRepository(core, [.powerAuth(activations), .finaptic(core)]), for: .readAudit),
      ], policy: caseService.policy)
  }

  private var chatDependencies: ChatRoutes.Dependencies {
    ChatRoutes.Dependencies(
      caseCommands,
      source: FinapticChatSource(
        chats: finaptic.dependencies.agentChats, tenants: finaptic.dependencies.tenants, staff: staff,
        policy: caseService.policy, world: world),
      events: ServerSentEvents(live: LiveEvents(database: database, world: world), world: world.machine))
  }

  private var figuresSource: FiguresRoutes.Source {
    let (database, world) = (database, world)
    return FiguresRoutes.Source(figures, world: world, policy: caseService.policy) {
      try await database.read { try OutboxStore($0).gauge(now: world.now()) }
    }
  }

  /// Asked when the page is: what this process performs is known only once all modules are made.
  private var healthSource: HealthRoutes.Source {
    HealthRoutes.Source(report: { await readiness.report() }, metrics: { await metrics().families() }) {
      try await screeningLists.status().current.map { list in
        .init(
          code: list.version.code, version: list.version.version, loadedAt: list.loadedAt, entries: list.entryCount)
      }
    }
  }

  private var callService: CallService {
    CallService(
      rubix.browserCalls(staff: staff), source: RubixCallSource(rubix: rubix, evidence: evidence),
      events: ServerSentEvents(live: LiveEvents(database: database, world: world), world: world.machine),
      ice: settings.calls.ice, core: core)
  }

  /// What administrators do with the staff of their tenant.
  package var staffAdministration: StaffAdministration {
    StaffAdministration(
      staff,
      links: .init(
        prefix: "\(settings.consoleAddress)\(StaffRoutes.base)/invitation/", goByMail: settings.smtp != nil))
  }

  /// Where a newcomer signs in to a sandbox of this machine, once; nil where there is an administrator already.
  package func firstRunAddress(port: Int) async throws -> String? {
    guard settings.keepsMessages, settings.proxyHeader == nil, let tenant = tenants.all.first?.id,
      let token = try await staffAdministration.firstRun(tenant: tenant)
    else { return nil }
    return "http://localhost:\(port)\(StartRoutes.firstRun)/\(token)"
  }

  private var staffLeaves: StaffLeaves {
    let (tenants, applications) = (tenants, rubix.applications)
    return StaffLeaves(staffAdministration) { tenant in
      (try? tenants.find(tenant)).flatMap { LocalTime(zone: $0.timeZone) }
    } booked: { tenant, member, time, tx in
      try applications.appointments(of: tenants.find(tenant)).calls(of: member.rawValue, within: time, in: tx)
        .count { $0.status == .scheduled }
    }
  }

  private var consoleSignIn: StaffSignIn {
    let access = rubix.agentAccess(staff: staff)
    let (tenants, all) = (tenants, tenants.all)
    let openID = staffOpenID
    func sessions(_ policy: Sessions.Policy) -> Sessions {
      Sessions(policy: policy, signer: signer, vault: vault, limits: core.limits, audit: core.audit, world: world)
    }
    return StaffSignIn(
      core: core, sessions: sessions(.console), pending: sessions(.consoleFactor), openID: openID, staff: staff,
      webAuthn: settings.consoleWebAuthn, address: settings.consoleAddress, isSecure: settings.consoleIsSecure,
      asksInstitution: all.count > 1,
      asksPassword: all.contains { tenant in
        !openID.providers.contains { $0.tenant == tenant.id && !$0.allowsPasswords }
      },
      isInstitution: { (try? tenants.find($0)) != nil },
      clock: { (try? tenants.find($0)).flatMap { LocalTime(zone: $0.timeZone) } },
      needsFactor: { (try? tenants.find($0))?.staffSecondFactor ?? true }
    ) { email, password, institution, address, enter in
      let tenant = try? tenants.find(institution ?? (all.count == 1 ? all[0].id : nil))
      return try await access.enter(email, password: password, tenant: tenant?.id ?? "", address: address, enter)
    }
  }
}

extension Sessions.Policy {
  static let console = Sessions.Policy.staff(
    audience: "gatehouse-console", scope: "console", refreshPrefix: "gwc_", accessLifetime: .minutes(15))

  /// Between the password and the second factor.
  static var consoleFactor: Sessions.Policy {
    var policy = Sessions.Policy.staff(
      audience: "gatehouse-console-factor", scope: "factor", refreshPrefix: "gwf_", accessLifetime: .minutes(5))
    policy.familyLifetime = .minutes(5)
    return policy
  }
}

extension Settings {
  /// The bank to try the Authenticator with, where there is one.
  func demoBankService(_ core: CoreDependencies) throws -> DemoBank? {
    try demoBank.book.map { book in
      try DemoBank(
        book, database: core.database, vault: core.vault, world: core.world, audit: core.audit, limits: core.limits,
        http: .curl(threads: BlockingThreadPool("demo bank calls", width: 4), timeout: .seconds(10)),
        threads: PasswordThreads.hashing("demo bank passwords"))
    }
  }
}
