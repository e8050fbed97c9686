import Delivery
import HTTP
import Hummingbird
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

  /// - Parameters:
  ///   - demoBank: nil where the settings name none.
  ///   - devOutbox: nil where messages are sent to people, or where a proxy hides who reads them.
  package init(
    staff: StaffSignIn, webhooks: Webhooks, uploads: UploadPageService, accounts: AccountPageService,
    demoBank: DemoBank?,
    devOutbox: DevOutbox?
  ) {
    (self.staff, self.webhooks, self.uploads, self.accounts) = (staff, webhooks, uploads, accounts)
    (self.demoBank, self.devOutbox) = (demoBank, devOutbox)
  }

  package static let migrations = [DemoBankStore.migration]

  package var dialects: [(prefix: String, dialect: any Dialect)] {
    [
      (StaffDialect.base, StaffDialect()), (UploadRoutes.base, UploadDialect()),
      (AccountRoutes.base, AccountDialect()),
    ] + (demoBank == nil ? [] : [(DemoBankDialect.base, DemoBankDialect())])
  }

  package var retention: [ScheduledJob] {
    demoBank.map { bank in [ScheduledJob("old-demo-bank-rows") { try await bank.sweep() }] } ?? []
  }

  package func addRoutes(to root: RouterGroup<PublicContext>) {
    if let devOutbox { DevOutboxRoutes(outbox: devOutbox).add(to: root) }
    if let demoBank { DemoBankRoutes(demoBank).add(to: root) }
    UploadRoutes(uploads).add(to: root)
    AccountRoutes(accounts).add(to: root)
    StaffRoutes(staff).add(to: root)
    SecondFactorRoutes(staff).add(to: root)
    StaffAccountRoutes(staff).add(to: root)
    WebhookRoutes(staff, webhooks).add(to: root)
  }
}
