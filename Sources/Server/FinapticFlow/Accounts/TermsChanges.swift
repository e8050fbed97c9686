import Delivery
import Foundation
import GatehouseWire
import Kit
import Ledger
import Storage

/// Tells holders of accounts that terms will change (PSD2, article 54: at the latest two months before). `AccountTerms`
/// announces changes and lets them begin.
package struct TermsChanges: Sendable {
  static let topic = "finaptic.termsNotice"
  /// Where nothing is set: two months, which are 62 days at most.
  package static let noticeDays: Int64 = 62
  /// Changes, or notices of an account, in one list.
  package static let listMax = 100

  let core: CoreDependencies
  let tenants: FinapticTenants
  let messenger: Messenger

  private var machine: TermsChangeMachine { TermsChangeMachine() }

  // MARK: What the bank does

  /// The newest first.
  package func list(of tenant: Int) async throws -> [TermsChange] {
    _ = try await tenants.find(tenant)
    return try await core.database.read { try TermsChangeStore($0).list(of: tenant, limit: Self.listMax) }
  }

  /// How many days before its day a change has to be announced.
  /// - Throws: `Problem` not found; validation for more than a year.
  package func setNoticeDays(_ days: Int64, of tenant: Int, by actor: String) async throws {
    _ = try await tenants.find(tenant)
    guard (0...366).contains(days) else {
      throw Problem.validation([.init("/notice_days", "range", "0 to 366.")])
    }
    try await core.database.write(retrying: .outdated) { [core] tx in
      try TermsChangeStore(tx).setNoticeDays(days, of: tenant)
      try core.note("terms.notice_days", "tenant-\(tenant)", by: actor, ["days": "\(days)"], in: tx)
    }
  }

  /// Takes an announcement back, before its day. Whoever was told of it is told of that.
  /// - Throws: `Problem` not found; conflict `terms-change-ended`.
  package func withdraw(_ id: TermsChange.ID, of tenant: Int, by actor: String) async throws {
    try await core.database.write(retrying: .outdated) { [core, machine] tx in
      let store = TermsChangeStore(tx)
      guard var change = try store.find(id, of: tenant) else { throw Problem.notFound }
      // Its day has begun, whether or not a node has seen that.
      guard change.fromDay > Ledger.day(of: core.world.now()) else {
        throw machine.refusal(of: .withdrawn, in: change.state)
      }
      try core.mover.move(&change, on: .withdrawn, of: machine, by: actor, in: tx)
      // First: a node that tells the announcement now ends before this, or does not tell it.
      try store.end(.announced, of: id)
      try store.begin(.withdrawn, of: id)
    }
  }

  /// What holders of an account were told, the oldest first.
  /// - Throws: `Problem` not found.
  package func notices(on account: BankAccount.ID, of tenant: Int) async throws -> [TermsNotice] {
    try await core.database.read { tx in
      guard try AccountStore(tx).find(account, tenant: tenant) != nil else { throw Problem.notFound }
      return try TermsChangeStore(tx).notices(on: account, limit: Self.listMax)
    }
  }

  // MARK: What time does

  /// Owes the notices of every change that was announced or withdrawn, a page of accounts in one transaction. Tenants
  /// and changes do not wait for each other.
  /// - Throws: `PartialFailure` with the tenants whose notices are not all owed, after the others were done.
  package func tell() async throws {
    var failures: [PartialFailure.Part] = []
    for tenant in try await tenants.list() {
      for round in try await core.database.read({ try TermsChangeStore($0).rounds(of: tenant.id) }) {
        do { try await tell(round) } catch let error as CancellationError { throw error } catch {
          failures.append(.init(["tenant": "\(tenant.id)", "duty": "notice"], error: error))
        }
      }
    }
    guard failures.isEmpty else { throw PartialFailure(failures) }
  }

  private func tell(_ first: TermsChangeStore.Round) async throws {
    var round = first
    while true {
      try Task.checkCancellation()
      let page: [LedgerAccount]
      do { page = try await told(round) } catch SQLError.outdated { return }
      guard page.count == Ledger.pageMax, let last = page.last?.id else { return }
      round = .init(change: round.change, kind: round.kind, after: last)
    }
  }

  /// Owes the notices of one page of accounts.
  /// - Throws: `SQLError.outdated` when another node was faster, or the change was withdrawn.
  private func told(_ round: TermsChangeStore.Round) async throws -> [LedgerAccount] {
    try await core.database.write(.readCommitted) { [core] tx in
      let (store, name) = (TermsChangeStore(tx), BankAccount.ledgerTenant(round.change.tenant))
      let page = try LedgerStore(tx).accounts(
        tenant: name, product: round.change.product, after: round.after, limit: Ledger.pageMax)
      try store.advance(round, to: page.last?.id, isDone: page.count < Ledger.pageMax)
      for account in page where account.stop != .closed {
        // Only whoever heard of a change is told that it does not come.
        guard try round.kind == .announced || store.wasTold(account.id, of: round.change.id, .announced) else {
          continue
        }
        try store.insert(
          .init(change: round.change, kind: round.kind, account: account.id, madeAt: core.world.now()))
        for customer in try AccountStore(tx).find(account.id, tenant: round.change.tenant)?.owners ?? [] {
          try core.outbox.enqueue(
            Self.topic, subject: round.change.id.rawValue,
            payload: "\(round.kind.rawValue) \(round.change.tenant) \(account.id) \(customer)", in: tx)
        }
      }
      return page
    }
  }

  // MARK: The mail

  /// Nothing for a customer who is gone. The same notice has the same id in every repetition.
  @Sendable
  func deliver(_ item: OutboxItem) async throws {
    let words = item.payload.split(separator: " ").map(String.init)
    guard words.count == 4, let kind = TermsNotice.Kind(rawValue: words[0]), let tenant = Int(words[1]) else {
      throw Unreadable()
    }
    let due = try await core.database.read { [core] tx -> Message? in
      guard let change = try TermsChangeStore(tx).find(.init(rawValue: item.subject), of: tenant),
        let bank = try TenantStore(tx).find(tenant),
        let account = try AccountStore(tx).find(.init(rawValue: words[2]), tenant: tenant),
        let user = try FinapticUserStore(tx, vault: core.vault).find(customer: words[3], tenant: tenant)?.user
      else { return nil }
      let (text, locale) = TermsWords.of(
        try ClientProfileStore(tx, vault: core.vault).locale(of: words[3]))
      var message = Message(
        .email, to: user.profile.email, subject: "\(bank.name): \(text.title)",
        body: text.notice(kind, of: change, on: account.account.name), locale: locale)
      message.id = "terms-\(change.id)-\(kind.rawValue)-\(account.id)-\(user.id)"
      (message.about, message.tenant) = (user.id.rawValue, TenantID("finaptic", "\(tenant)"))
      return message
    }
    if let due { try await messenger.send(due) }
  }

  struct Unreadable: FinalFailure {}
}

extension BankAccountBodies {
  struct TermsNotices: Encodable {
    let notices: [TermsNotice]
  }

  /// What holders of an account were told of a change of its terms.
  struct TermsNotice: Encodable {
    let change_id, kind, from, told_at, monthly_fee, currency: String
    let yearly_interest_millionths: Int64

    init(_ notice: FinapticFlow.TermsNotice) {
      let change = notice.change
      (change_id, kind, from) = (change.id.rawValue, notice.kind.rawValue, "\(change.from)")
      (told_at, monthly_fee, currency) = (notice.madeAt.rfc3339, change.fee.decimal, change.currency)
      yearly_interest_millionths = change.yearlyInterest
    }
  }
}

/// The words of notices in one language.
struct TermsWords: Sendable {
  let title: String
  /// With `{account}`, `{day}`, `{interest}` and `{fee}`.
  private let announced: String
  /// With `{account}` and `{day}`.
  private let withdrawn: String

  /// - Parameter language: BCP 47. Another one than English, French and Arabic gets English.
  static func of(_ language: String) -> (words: TermsWords, language: String) {
    switch language.prefix(while: { $0 != "-" }).lowercased() {
    case "fr": (french, "fr")
    case "ar": (arabic, "ar")
    default: (english, "en")
    }
  }

  func notice(_ kind: TermsNotice.Kind, of change: TermsChange, on account: String) -> String {
    (kind == .announced ? announced : withdrawn)
      .replacing("{day}", with: "\(change.from)")
      .replacing("{interest}", with: Self.percent(change.yearlyInterest))
      .replacing("{fee}", with: "\(change.fee.decimal) \(change.currency)")
      .replacing("{account}", with: account)
  }

  /// Millionths as a percentage: 25000 is 2.5.
  static func percent(_ millionths: Int64) -> String {
    var digits = String(millionths % 10_000)
    digits = String(repeating: "0", count: 4 - digits.count) + digits
    while digits.hasSuffix("0") { digits.removeLast() }
    return digits.isEmpty ? "\(millionths / 10_000)" : "\(millionths / 10_000).\(digits)"
  }

  static let english = TermsWords(
    title: "Changed terms of your account",
    announced: """
      From {day} on, other terms apply to your account “{account}”: interest of {interest} % a year, and a fee of \
      {fee} a month. You may close the account without cost before that day; if you do not, you agree to the change.
      """,
    withdrawn: """
      The change of the terms of your account “{account}” that we announced for {day} does not take place. The present \
      terms go on.
      """)

  static let french = TermsWords(
    title: "Modification des conditions de votre compte",
    announced: """
      À partir du {day}, d’autres conditions s’appliquent à votre compte « {account} » : intérêts de {interest} % par \
      an et frais de {fee} par mois. Vous pouvez fermer le compte sans frais avant cette date ; sinon, vous acceptez \
      la modification.
      """,
    withdrawn: """
      La modification des conditions de votre compte « {account} », annoncée pour le {day}, n’a pas lieu. Les \
      conditions actuelles restent en vigueur.
      """)

  static let arabic = TermsWords(
    title: "تغيير شروط حسابك",
    announced: """
      ابتداءً من {day} تسري شروط أخرى على حسابك «{account}»: فائدة {interest} % سنويًا ورسوم {fee} شهريًا. يمكنك إغلاق \
      الحساب مجانًا قبل ذلك اليوم، وإلا فأنت توافق على التغيير.
      """,
    withdrawn: """
      تغيير شروط حسابك «{account}» الذي أعلنّاه ليوم {day} لن يتم. تبقى الشروط الحالية سارية.
      """)
}
