// SPDX-License-Identifier: Apache-2.0

import Conversations
import Delivery
import Foundation
import Ledger
import Screening
import Storage
import TestSupport
import Testing

@testable import FinapticFlow
@testable import GatehouseApp
@testable import Kit

@Suite("Finaptic: an erasure reaches copies that were made before")
struct SubjectKeyErasureTests {
  /// What an application says, and where its picture is.
  private struct Applied {
    let application: OnboardingApplication.ID
    let blob: String
  }

  /// Everything that is kept of a customer, except what a test of its own brings.
  private static func fill(_ app: CardTestApp, _ person: CardTestApp.Person) async throws -> Applied {
    let (dependencies, now) = (app.dependencies, app.accounts.clock.now)
    let (core, world) = (dependencies.core, dependencies.core.world)
    let product = try await app.open(for: person)
    #expect(try await app.pay(3_00, by: product.card).responseCode == "00")
    let application = OnboardingApplication.ID(rawValue: world.randomUUID())
    let file = UploadedFile(
      id: .init(rawValue: world.randomUUID()), application: application, expiresAt: now + .minutes(15), blob: nil)
    let link = try await dependencies.links.new(
      .verifyEmail, tenant: #require(core.database.read { try TenantStore($0).find(CardTestApp.tenant) }),
      email: person.email)
    try await core.database.write { tx in
      var begun = OnboardingApplication(
        id: application, tenant: CardTestApp.tenant, user: person.user, customer: nil, bundle: "kycV1",
        needsKYC: true, status: .dataCollection, createdAt: now, content: .init())
      try OnboardingStore(tx, vault: core.vault).insert(begun)
      begun.content.addresses = [OnboardingApplicant.Person().address]
      try OnboardingStore(tx, vault: core.vault).save(begun, at: now)
      // As a validation does; that it makes the key is another suite's.
      _ = try core.vault.subjectKey(of: KeySubject(application, ofTenant: CardTestApp.tenant), in: tx)
      let hit = Screening.Hit(
        list: "test", entityID: "1", caption: "Ada Tremblay", score: 1, topics: ["sanction"], nameScore: 1,
        dateOfBirth: .none, nationality: false, documentNumber: false)
      _ = try Screening(core).record(
        .screened(.init(lists: [], threshold: 0.85, hits: [hit])),
        of: .init(names: ["Ada Tremblay"], dateOfBirth: nil, nationalities: [], documentNumbers: []),
        for: application.rawValue, in: tx)
      try FileStore(tx).insert(file, token: "token of \(person.user)", at: now)
      let factors = SecondFactorStore(tx)
      try factors.propose(
        .sms, dependencies.factors.seal(Data("+15145550100".utf8), .sms, of: person.user, in: tx), of: person.user)
      _ = try factors.confirm(.sms, step: nil, of: person.user, at: now)
      try dependencies.links.promise(link, to: person.user, in: tx)
      try PushChannelStore(tx, vault: core.vault).put(
        PushChannel(
          id: .init(world), tenant: CardTestApp.tenant, customer: person.customer, platform: .google,
          registration: "registration of \(person.email)"), device: "phone", at: now)
      let registration = Registration(
        id: .init(world), tenant: CardTestApp.tenant, customer: person.customer, account: product.account.rawValue,
        alias: .email(person.email), confirmedAt: nil, confirmUntil: now + .days(1), expiresAt: now + .days(30),
        noticedAt: nil, createdAt: now, version: 0)
      #expect(
        try RegistrationStore(tx, vault: core.vault).insert(
          registration, network: "sandbox", token: "token of \(person.email)"))
      try IncomingTransferStore(tx, vault: core.vault).insert(
        IncomingTransfer(
          number: .init(world), tenant: CardTestApp.tenant, kind: .regular, customer: person.customer,
          status: .available, amount: Money(5_00, "CAD"),
          content: .init(
            alias: .email(person.email), senderName: "Bob", senderMemo: "Rent", question: nil, salt: nil,
            remittance: nil),
          answerDigest: nil, wrongAnswers: 0, account: nil, transaction: nil, expiresAt: now + .days(30),
          createdAt: now, endedAt: nil, version: 0))
      try InvitationStore(tx, vault: core.vault).insert(
        Invitation(
          id: .init(world), tenant: CardTestApp.tenant, account: product.account.rawValue, issuer: person.customer,
          invited: world.randomUUID(), identifierDigest: world.randomUUID(), status: .pending,
          metadata: ["note": "from \(person.email)"], createdAt: now, expiresAt: now + .days(1)))
      let chats = dependencies.conversations
      let opened = try chats.begin(
        "My card", by: person.user.rawValue, called: "Ada", tenant: FinapticTenant.session(CardTestApp.tenant),
        in: tx)
      _ = try chats.write(
        "I live at number 12", clientID: nil, over: opened.contact, of: opened.conversation, in: tx)
    }
    try await dependencies.files.take(Data([0xFF, 0xD8, 0xFF, 0xE0]), into: file)
    let blob = try await core.database.read { try FileStore($0).find(file.id.rawValue, of: application)?.blob }
    return Applied(application: application, blob: try #require(blob))
  }

  private static func key(of person: CardTestApp.Person, _ app: CardTestApp) async throws -> SubjectKey? {
    let vault = app.dependencies.core.vault
    return try await app.database.read { try vault.subjectKey(of: KeySubject(person.user), in: $0) }
  }

  /// Of users; the notes of transactions and the references of postings are of accounts.
  private static let columns =
    FinapticModule.sealedColumns.filter {
      $0.isCounted && ![FinapticModule.noteColumn.name, FinapticModule.scheduledColumn.name].contains($0.name)
    }
    + ConversationsModule.sealedColumns

  @Test("everything sealed of a customer is sealed under the customer's own key, and notes under the account's")
  func everything() async throws {
    try await CardTestApp.run { app in
      let ada = try await app.customer("ada", username: "ada")
      let applied = try await Self.fill(app, ada)
      let key = try #require(try await Self.key(of: ada, app))
      try await app.database.read { tx in
        let store = SealedColumnStore(tx)
        for column in Self.columns {
          let values = try store.count(column, of: ada.user.rawValue)
          #expect(values > 0, "\(column.name)")
          #expect(try store.count(column, sealedBy: key.id) == values, "\(column.name)")
          #expect(try store.underDataKeys(column, after: "", limit: 1).isEmpty, "\(column.name)")
        }
        let notes = try tx.query("SELECT content FROM finaptic_transaction_note").map {
          Vault.subjectKeyIDs(of: try $0.get("content", as: Data.self))
        }
        let account = try #require(notes.first?.first)
        #expect(account != key.id && notes.allSatisfy { $0 == [account] })
      }
      let object = try #require(try await app.dependencies.core.blobs.get(applied.blob))
      #expect(Vault.subjectKeyID(of: object) == key.id)
    }
  }

  @Test("a copy with the key's row, the key ring and the epoch key opens nothing of an erased customer in the end")
  func copies() async throws {
    try await CardTestApp.run { app in
      let (ada, bob) = (try await app.customer("ada"), try await app.customer("bob"))
      let applied = try await Self.fill(app, ada)
      let (core, database, clock) = (app.dependencies.core, app.database, app.accounts.clock)
      let object = try #require(try await core.blobs.get(applied.blob))
      // What a backup holds.
      let (content, keys) = try await database.read { tx in
        let row = try #require(try tx.first("SELECT content FROM finaptic_application WHERE user_id = \(ada.user)"))
        return (try row.get("content", as: Data.self), try SubjectKeyStore(tx).wrapped(in: 0..<10, limit: 10))
      }
      let context = "finaptic_application.content:\(applied.application)"
      #expect(try await !core.vault.open(content, context: context, in: database).isEmpty)

      try await app.empty(ada)
      _ = try await app.dependencies.erasure.erase(
        ada.customer, tenant: CardTestApp.tenant, reason: .ended, by: "test", despiteDuty: true)
      await #expect(throws: VaultError.erased) {
        try await core.vault.open(content, context: context, in: database)
      }
      await #expect(throws: VaultError.erased) {
        try await core.vault.open(object, context: "finaptic_file:x", in: database)
      }

      let epochs = try #require(SubjectKeyEpochs(database, vault: core.vault, world: clock.world))
      clock.advance(by: SubjectKeys.epochLength)
      try await epochs.run()
      clock.advance(by: SubjectKeys.epochKept)
      try await epochs.run()
      try await database.write { tx in for key in keys { try SubjectKeyStore(tx).insert(key) } }
      await #expect(throws: VaultError.erased) {
        try await core.vault.open(content, context: context, in: database)
      }
      let other = try await database.read { try FinapticUserStore($0, vault: core.vault).find(bob.user) }
      #expect(other?.user.profile.email == bob.email)
    }
  }

  @Test("the proof counts what went, finds nothing that opens, and is there when it is asked for again")
  func proof() async throws {
    try await CardTestApp.run { app in
      let ada = try await app.customer("ada", username: "ada")
      _ = try await Self.fill(app, ada)
      let key = try #require(try await Self.key(of: ada, app))
      let counts = try await app.database.read { tx in
        try Self.columns.reduce(into: [String: Int]()) {
          $0[$1.name] = try SealedColumnStore(tx).count($1, of: ada.user.rawValue)
        }
      }
      let (eraser, database) = (app.dependencies.erasure, app.database)
      let subject = DataSubject(ada.customer, of: "finaptic-\(CardTestApp.tenant)", by: "test")
      try await app.empty(ada)
      _ = try await eraser.erase(subject, for: .ended, despiteDuty: true)
      let name = eraser.proofName(of: subject)
      let document = try #require(try await database.read { try eraser.erasures.proof(of: name, in: $0) })
      let proof = try ErasureProof(document, by: app.dependencies.core.vault)
      #expect(proof.keys.count == 3 && proof.keys.first?.id == key.id && proof.objects == 1)
      #expect(proof.parts.first?.values == counts)
      #expect(proof.parts[1].values == ["screening.findings": 1, "screening_case.particulars": 1])
      #expect(proof.parts.last.map { Set($0.values.keys) } == ["finaptic_transaction_note.content"])
      try await app.accounts.settle()
      #expect(try await app.accounts.app.checkErasure(proof) == .init())

      // The rows that stay for the books say nothing, and are read all the same.
      let user = try await database.read { [vault = app.dependencies.core.vault] tx in
        let user = try FinapticUserStore(tx, vault: vault).find(ada.user)?.user
        #expect(try ClientProfileStore(tx, vault: vault).find(ada.customer) == ClientProfile())
        #expect(try CardStore(tx, vault: vault).all(of: ada.customer).allSatisfy { $0.content == .emptied })
        return user
      }
      #expect(user?.profile == .init(email: "", username: nil))
      #expect(try await eraser.erase(subject, for: .ended, despiteDuty: true) == ["Erased before."])
      #expect(try await database.read { try eraser.erasures.proof(of: name, in: $0) } == document)
    }
  }

  @Test("the note of a transfer opens while both sides are there, and either one's erasure ends it", arguments: [0, 1])
  func sharedNotes(erased: Int) async throws {
    try await CardTestApp.run { app in
      let people = [try await app.customer("ada"), try await app.customer("bob")]
      let products = [try await app.open(for: people[0]), try await app.open(for: people[1])]
      let (ledger, database, vault) = (app.dependencies.ledger, app.database, app.dependencies.core.vault)
      let note = try BankTransaction.Particulars(counterparty: "Ada Tremblay").note
      let order = TransferOrder(
        .transfer, tenant: CardTestApp.tenant, key: "rent", debit: products[0].account, credit: products[1].account,
        amount: Money(10_00, "CAD"))
      guard case .done(let transfer) = try await ledger.transfer(order, note: note) else { throw Problem.unexpected }
      let id = BankTransaction.ID(rawValue: transfer.id.rawValue)
      // What a backup holds.
      let sealed = try await database.read { tx in
        try #require(try tx.first("SELECT content FROM finaptic_transaction_note WHERE id = \(id)"))
          .get("content", as: Data.self)
      }
      #expect(Vault.subjectKeyIDs(of: sealed).count == 2)
      let context = "finaptic_transaction_note.content:\(id)"
      #expect(try await vault.open(sealed, context: context, in: database) == note)
      let legs = try await database.read {
        try BankTransactionStore($0, vault: vault).legs(of: id, tenant: CardTestApp.tenant)
      }
      #expect(legs.map { $0.particulars?.counterparty } == ["Ada Tremblay", "Ada Tremblay"])

      try await app.empty(people[erased])
      _ = try await app.dependencies.erasure.erase(
        people[erased].customer, tenant: CardTestApp.tenant, reason: .ended, by: "test", despiteDuty: true)
      await #expect(throws: VaultError.erased) { try await vault.open(sealed, context: context, in: database) }
      // In a copy that was restored the row is there, and is read without a note.
      _ = try await database.write { tx in
        try tx.execute("INSERT INTO finaptic_transaction_note (id, content) VALUES (\(id), \(sealed))")
      }
      let left = try await database.read {
        try BankTransactionStore($0, vault: vault).legs(of: id, tenant: CardTestApp.tenant)
      }
      #expect(left.count == 2 && left.allSatisfy { $0.particulars == nil })
      // The account of an erased customer gets no other key, also where a release before left it open.
      let account = products[erased].account
      _ = try await database.write { tx in
        try tx.execute("UPDATE ledger_account SET stopped = NULL WHERE id = \(account)")
      }
      let back = TransferOrder(
        .transfer, tenant: CardTestApp.tenant, key: "back", debit: products[1 - erased].account,
        credit: products[erased].account, amount: Money(1_00, "CAD"))
      guard case .done(let later) = try await ledger.transfer(back, note: note) else { throw Problem.unexpected }
      try await database.read { tx in
        #expect(try !vault.hasSubjectKey(of: products[erased].account.rawValue, in: tx))
        let row = try #require(
          try tx.first("SELECT content FROM finaptic_transaction_note WHERE id = \(later.id.rawValue)"))
        #expect(Vault.subjectKeyID(of: try row.get("content", as: Data.self)) != nil, "under the other one's key alone")
      }
    }
  }

  @Test("notes and invitations that data keys sealed before are sealed again, and told webhooks by the user's key")
  func before() async throws {
    try await CardTestApp.run { app in
      let ada = try await app.customer("ada", username: "ada")
      _ = try await Self.fill(app, ada)
      let (core, database, vault) = (app.dependencies.core, app.database, app.dependencies.core.vault)
      // As the release before wrote them.
      try await database.write { tx in
        for row in try tx.query("SELECT id, content FROM finaptic_transaction_note") {
          let (id, sealed) = (try row.get("id", as: String.self), try row.get("content", as: Data.self))
          let context = "finaptic_transaction_note.content:\(id)"
          let old = try vault.seal(vault.open(sealed, context: context, in: tx), context: context)
          try tx.execute("UPDATE finaptic_transaction_note SET content = \(old) WHERE id = \(id)")
        }
        for row in try tx.query("SELECT id, sealed_metadata FROM finaptic_invitation") {
          let (id, sealed) = (try row.get("id", as: String.self), try row.get("sealed_metadata", as: Data.self))
          let context = "finaptic_invitation.sealed_metadata:\(id)"
          let old = try vault.seal(vault.open(sealed, context: context, in: tx), context: context)
          try tx.execute("UPDATE finaptic_invitation SET sealed_metadata = \(old) WHERE id = \(id)")
        }
        let body = try vault.seal(Data("{}".utf8), context: "webhook_message.sealed:w")
        try tx.execute(
          """
          INSERT INTO webhook_message (id, tenant, name, type, subject_id, key_subject, sealed, created_at)
          VALUES ('w', 'finaptic/1', 'w', 'CardUpdated', \(ada.customer), \(ada.customer), \(body), 0)
          """)
      }
      let report = try await SubjectReseal(core, columns: FinapticModule.sealedColumns, objects: []).run()
      #expect(report.unreadable == 0 && report.values >= 3)
      let key = try #require(try await Self.key(of: ada, app))
      try await database.read { tx in
        let store = SealedColumnStore(tx)
        for column in FinapticModule.sealedColumns {
          #expect(try store.underDataKeys(column, after: "", limit: 1).isEmpty, "\(column.name)")
        }
        #expect(try store.count(FinapticModule.noteColumn, of: "none") == 0)
        let body = try #require(try tx.first("SELECT sealed FROM webhook_message WHERE id = 'w'"))
        #expect(Vault.subjectKeyID(of: try body.get("sealed", as: Data.self)) == key.id)
      }
    }
  }

  @Test("no value of an erased customer can be read in any table of a copy, with all keys of the installation at hand")
  func nothingReadable() async throws {
    try await CardTestApp.run { app in
      let ada = try await app.customer("ada", username: "ada")
      _ = try await Self.fill(app, ada)
      let texts = [ada.email, "Tremblay", "+15145550100", "number 12", "registration of", "Rent", "1990-05-17"]
      let copy = try await CopiedData.taken(of: app.database, Engine.current)
      #expect(copy.places(of: texts) == [])
      #expect(copy.placesUnderDataKeys.subtracting(CopiedData.ownSecrets) == [])
      try await app.empty(ada)
      _ = try await app.dependencies.erasure.erase(
        ada.customer, tenant: CardTestApp.tenant, reason: .ended, by: "test", despiteDuty: true)
      let left = try await app.database.read { try SubjectKeyStore($0).all(after: "", limit: 100).map(\.id) }
      #expect(!copy.subjectKeys.isEmpty && copy.subjectKeys.isDisjoint(with: left))
      try await app.accounts.settle()
      let live = try await CopiedData.taken(of: app.database, Engine.current)
      #expect(live.places(of: texts) == [] && live.subjectKeys.isDisjoint(with: left))
    }
  }

  @Test("the erasure of a user whose key is gone is repeated in a copy that was restored")
  func restored() async throws {
    try await CardTestApp.run { app in
      let ada = try await app.customer("ada", username: "ada")
      let applied = try await Self.fill(app, ada)
      let (eraser, database, vault) = (app.dependencies.erasure, app.database, app.dependencies.core.vault)
      // The rows of a copy from before the erasure, with the keys of one from after it.
      _ = try await database.write { try vault.destroySubjectKey(of: ada.user.rawValue, in: $0) }
      await #expect(throws: VaultError.erased) {
        try await database.read { _ = try FinapticUserStore($0, vault: vault).find(ada.user) }
      }
      let subject = DataSubject("ada", of: "finaptic-\(CardTestApp.tenant)", by: "test")
      #expect(try await eraser.erase(subject, for: .ended, despiteDuty: true) != ["Erased before."])
      let kept = try await database.read { tx in
        try Self.columns.reduce(0) { try $0 + SealedColumnStore(tx).count($1, of: ada.user.rawValue) }
      }
      #expect(kept == 0)
      #expect(try await database.read { try FinapticUserStore($0, vault: vault).find(ada.user)?.passwordHash } == "")
      #expect(try await eraser.erase(subject, for: .ended, despiteDuty: true) == ["Erased before."])
      try await app.accounts.settle()
      #expect(try await app.dependencies.core.blobs.get(applied.blob) == nil)
    }
  }
}
