// SPDX-License-Identifier: Apache-2.0

import Kit

/// The commands of accounts, transfers, cards and Interac and of their simulation, each built from what it uses.
extension FinapticDependencies {
  // MARK: Accounts and transfers

  package var postings: Postings {
    Postings(core: core, ledger: ledger, valueDaysBackMax: Int64(policy.valueDaysBackMax))
  }
  /// What waits for its value date.
  package var scheduledPostings: ScheduledPostings { ScheduledPostings(core: core, ledger: ledger) }
  /// What takes a second person.
  package var bankApprovals: BankApprovals { BankApprovals(core: core, tenants: tenants) }
  /// What operators book by command.
  package var bankPostings: BankPostings {
    BankPostings(core: core, tenants: tenants, postings: postings, waiting: scheduledPostings)
  }
  package var fourEyes: FourEyesSettings { FourEyesSettings(core: core, tenants: tenants) }
  var transfers: TransferService { TransferService(core: core, ledger: ledger) }
  /// Accounts as the desk looks them up.
  package var accountRepository: FinapticAccountRepository {
    FinapticAccountRepository(core: core, postings: postings)
  }
  var bankAccounts: BankAccountService {
    BankAccountService(core: core, ledger: ledger, numbers: accountNumbers, bankEvents: bankEvents)
  }
  package var accountNumbers: AccountNumbers { AccountNumbers(core: core, serials: serials) }
  var accountStops: AccountStops { AccountStops(core: core, ledger: ledger, bankEvents: bankEvents) }
  package var accountTerms: AccountTerms {
    AccountTerms(core: core, ledger: ledger, tenants: tenants)
  }
  package var termsChanges: TermsChanges { TermsChanges(core: core, tenants: tenants, messenger: messenger) }
  package var dayEnd: DayEnd { DayEnd(core: core, ledger: ledger, tenants: tenants) }
  package var statements: MonthlyStatements { MonthlyStatements(core: core, ledger: ledger, tenants: tenants) }
  var transactionEvents: TransactionEvents { TransactionEvents(core: core, audience: audience) }

  // MARK: Other banks

  package var settlement: Settlement { Settlement(core: core, ledger: ledger) }
  package var incomingMessages: IncomingMessages { IncomingMessages(core: core, ledger: ledger) }
  package var outgoingPayments: OutgoingPayments { OutgoingPayments(core: core, ledger: ledger) }
  package var paymentRecalls: PaymentRecalls { PaymentRecalls(core: core, ledger: ledger) }
  package var settlementReconciliation: SettlementReconciliation {
    SettlementReconciliation(core: core, ledger: ledger)
  }

  // MARK: Cards

  var cards: CardService { CardService(core: core, bankEvents: bankEvents) }
  var cardBlocks: CardBlocks { CardBlocks(core: core, cards: cards) }
  var bankCards: BankCards { BankCards(core: core, accounts: bankAccounts, opening: cardOpening) }
  /// What operators stop by command: the same as the bank's systems do.
  package var bankStops: BankStops {
    BankStops(
      core: core, tenants: tenants, accounts: bankAccounts, removal: authorizedUserRemoval, cardBlocks: cardBlocks)
  }
  var cardOpening: CardOpening { CardOpening(core: core, cards: cards, issuer: cardIssuer) }
  var cardCommands: CardCommands { CardCommands(core: core, cards: cards, opening: cardOpening) }
  var cardSignOn: CardSignOn {
    CardSignOn(core: core, cards: cards, sessions: sessions, issuer: cardIssuer, policy: policy)
  }
  package var cardPolicy: CardPolicy { CardPolicy(core: core) }
  package var cardPayments: CardPayments {
    CardPayments(
      core: core, ledger: ledger, cards: cards,
      recorder: BankTransactionRecorder(vault: core.vault, outbox: core.outbox), policy: policy)
  }
  /// What the processor of a card issuer tells.
  var issuerMessages: IssuerMessages { IssuerMessages(core: core, ledger: ledger, payments: cardPayments) }
  package var cardDisputes: CardDisputes { CardDisputes(core: core, messages: issuerMessages) }
  package var cardSuspense: CardSuspenseService {
    CardSuspenseService(core: core, settlement: issuerMessages.settlement)
  }
  /// - Throws: `Problem` invalid argument for a tenant with real customers.
  package func cardNetwork(of tenant: FinapticTenant) throws -> CardNetwork {
    try CardNetwork(core: core, payments: cardPayments, tenant: tenant)
  }

  // MARK: Interac

  var registrationNotices: RegistrationNotices {
    RegistrationNotices(core: core, messenger: messenger, policy: policy)
  }
  var registrations: RegistrationCommands {
    RegistrationCommands(core: core, notices: registrationNotices, policy: policy)
  }
  package var registrationConfirmation: RegistrationConfirmation {
    RegistrationConfirmation(core: core, registrations: registrations, senderName: policy.senderName)
  }
  var incomingTransfers: IncomingTransferCommands {
    IncomingTransferCommands(core: core, ledger: ledger, rules: policy.interac)
  }
  var incomingTransferNotices: IncomingTransferNotices {
    IncomingTransferNotices(core: core, messenger: messenger)
  }
  func receiver(of tenant: FinapticTenant, by actor: String) -> InteracReceiver {
    InteracReceiver(
      core: core, rules: policy.interac, incoming: incomingTransfers, notices: incomingTransferNotices,
      registrations: registrations, tenant: tenant, actor: actor)
  }
  var interacNotifier: InteracNotifier { InteracNotifier(core: core, network: interac) }
  package var interacSettings: InteracSettings { InteracSettings(core: core) }

  // MARK: Sandbox

  var sandbox: SandboxControls { SandboxControls(core: core, policy: policy, devOutbox: devOutbox) }
  /// - Throws: `Problem` permission denied where customers are real.
  package func simulation(of tenant: FinapticTenant, by actor: String) throws -> MoneySimulation {
    try MoneySimulation(
      core: core, ledger: ledger, policy: policy, incoming: incomingTransfers,
      receiver: receiver(of: tenant, by: actor), confirmation: registrationConfirmation, tenant: tenant, by: actor)
  }
}
