// SPDX-License-Identifier: Apache-2.0

import Casework
import Delivery
import HTTP
import Hummingbird
import Identity
import Kit
import Storage

/// Pages for browsers: those of staff, those that customers open beside an app, the demonstration bank, and the
/// messages that a developer reads.
package struct ConsoleModule: Module {
  package static let name = "console"

  let staff: StaffSignIn
  let webhooks: Webhooks
  let uploads: UploadPageService
  let accounts: AccountPageService
  let demoBank: DemoBank?
  let devOutbox: DevOutbox?
  let devClock: DevClock?
  let administration: StaffAdministration
  let machineUser: String
  let leaves: StaffLeaves
  let messenger: Messenger
  let queue: QueueRoutes.Dependencies
  let figures: FiguresRoutes.Source
  let health: HealthRoutes.Source
  let approvals: ApprovalCommands
  let factsOfActs: ApprovalRoutes.Facts
  let calls: CallService
  let chats: ChatRoutes.Dependencies
  let calendar: any CalendarSource
  let records: RecordRoutes.Repositories
  let statements: StatementSource
  let rights: RightsCommands
  let policies: PolicyRoutes.Source
  let texts: MessageTexts

  /// - Parameters:
  ///   - machineUser: who started this program, as in the audit log.
  ///   - messenger: mails links to staff.
  ///   - queue: what waits for staff.
  ///   - figures: how customers go through the flows.
  ///   - health: how this node and the stores are.
  ///   - approvals: what waits for the word of a second person.
  ///   - factsOfActs: what such an act decides.
  ///   - calls: between staff and customers.
  ///   - calendar: of the agents who take calls.
  ///   - records: what flows keep, for those who look something up.
  ///   - chats: conversations between staff and customers.
  ///   - statements: of customers' accounts.
  ///   - rights: exports and erasures of persons.
  ///   - policies: the rules that count for institutions.
  ///   - texts: the words of messages.
  ///   - demoBank: nil where the settings name none.
  ///   - devOutbox: nil where messages are sent to people, or where a proxy hides who reads them.
  ///   - devClock: nil where there are customers, or where a proxy hides who asks.
  package init(
    staff: StaffSignIn, webhooks: Webhooks, uploads: UploadPageService, accounts: AccountPageService,
    administration: StaffAdministration, machineUser: String, leaves: StaffLeaves, messenger: Messenger,
    queue: QueueRoutes.Dependencies, figures: FiguresRoutes.Source, health: HealthRoutes.Source,
    approvals: ApprovalCommands,
    factsOfActs: @escaping ApprovalRoutes.Facts, calls: CallService, calendar: any CalendarSource,
    records: RecordRoutes.Repositories, chats: ChatRoutes.Dependencies, statements: StatementSource,
    rights: RightsCommands,
    policies: @escaping PolicyRoutes.Source, texts: MessageTexts, demoBank: DemoBank?, devOutbox: DevOutbox?,
    devClock: DevClock?
  ) {
    (self.queue, self.figures, self.health, self.approvals, self.calls) = (queue, figures, health, approvals, calls)
    (self.chats, self.calendar, self.records, self.statements) = (chats, calendar, records, statements)
    (self.rights, self.policies, self.texts, self.factsOfActs) = (rights, policies, texts, factsOfActs)
    (self.administration, self.leaves, self.messenger) = (administration, leaves, messenger)
    self.machineUser = machineUser
    (self.staff, self.webhooks, self.uploads, self.accounts) = (staff, webhooks, uploads, accounts)
    (self.demoBank, self.devOutbox, self.devClock) = (demoBank, devOutbox, devClock)
  }

  package static let migrations = [DemoBankStore.migration]

  package var dialects: [(prefix: String, dialect: any Dialect)] {
    [
      (StaffDialect.base, StaffDialect()), (UploadRoutes.base, UploadDialect()),
      (CallRoutes.base, CallDialect()),
      (AccountRoutes.base, AccountDialect()), ("/pages", StaffDialect()), ("/assets", StaffDialect()),
    ] + (demoBank == nil ? [] : [(DemoBankDialect.base, DemoBankDialect())])
  }

  package var retention: [ScheduledJob] {
    demoBank.map { bank in [ScheduledJob("old-demo-bank-rows") { try await bank.sweep() }] } ?? []
  }

  package var effects: [String: OutboxWorker.Handler] {
    [StaffLink.mailTopic: StaffLinkMail(administration: administration, messenger: messenger).send]
  }

  package func addRoutes(to root: RouterGroup<PublicContext>) {
    if let devOutbox { DevOutboxRoutes(outbox: devOutbox).add(to: root) }
    if let devClock { DevClockRoutes(clock: devClock).add(to: root) }
    if let demoBank { DemoBankRoutes(demoBank).add(to: root) }
    UploadRoutes(uploads).add(to: root)
    AccountRoutes(accounts).add(to: root)
    StaffRoutes(staff).add(to: root)
    PasskeyRoutes(staff).add(to: root)
    OpenIDRoutes(staff).add(to: root)
    SecondFactorRoutes(staff).add(to: root)
    StaffAccountRoutes(staff).add(to: root)
    WebhookRoutes(staff, webhooks).add(to: root)
    QueueRoutes(staff, queue).add(to: root)
    FiguresRoutes(staff, figures).add(to: root)
    ApprovalRoutes(staff, approvals, facts: factsOfActs).add(to: root)
    CallRoutes(calls, isSecure: staff.isSecure).add(to: root)
    AgentCallRoutes(staff, calls).add(to: root)
    CalendarRoutes(staff, calendar).add(to: root)
    RecordRoutes(staff, records).add(to: root)
    ChatRoutes(staff, chats).add(to: root)
    StatementPageRoutes(staff, statements).add(to: root)
    DeadLetterRoutes(staff).add(to: root)
    HealthRoutes(staff, health).add(to: root)
    AuditRoutes(staff).add(to: root)
    RightsRoutes(staff, rights).add(to: root)
    TemplateRoutes(staff, texts).add(to: root)
    PolicyRoutes(staff, policies).add(to: root)
    StaffAdminRoutes(staff, administration, leaves).add(to: root)
    DisplayRoutes(isSecure: staff.isSecure).add(to: root)
    StartRoutes(
      staff, administration, machineUser: machineUser, hasOutbox: devOutbox != nil, hasDemoBank: demoBank != nil
    ).add(to: root)
  }
}
