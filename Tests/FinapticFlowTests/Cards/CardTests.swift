// SPDX-License-Identifier: Apache-2.0

import Foundation
import GatehouseWire
import FinapticWire
import Kit
import Testing

@testable import FinapticFlow

@Suite("Finaptic: cards")
struct CardTests {
  private typealias Wire = FinapticAPI

  private struct Scene {
    let app: CardTestApp
    let owner: CardTestApp.Person
    let guest: CardTestApp.Person
    let stranger: CardTestApp.Person
    let product: CardTestApp.Product

    /// An owner with a card, an authorized user without one, and another customer.
    init(_ app: CardTestApp) async throws {
      self.app = app
      owner = try await app.customer("ada")
      guest = try await app.customer("bob")
      stranger = try await app.customer("eve")
      product = try await app.open(for: owner)
      try await app.authorize(guest, on: product.account)
    }

    func call(
      _ method: FinapticMethod, _ card: String?, as person: CardTestApp.Person, scope: FinapticScope? = nil
    ) async throws -> CardTestApp.Answer {
      try await app.call(method, Wire.CardRequest(cardId: card), as: person, scope: scope)
    }

    func create(
      for holder: String, by person: CardTestApp.Person? = nil, type: String = "CARD_TYPE_PREPAID",
      account: String? = nil, description: String? = "Bob's"
    ) async throws -> CardTestApp.Answer {
      try await app.call(
        .createAuthorizedUserCard,
        Wire.CreateAuthorizedUserCardRequest(
          card: .init(cardType: type, accountId: account ?? product.account.rawValue, description: description),
          authorizedUserId: holder), as: person ?? owner)
    }

    func cards(of person: CardTestApp.Person, size: Int = 10, after token: String? = nil) async throws
      -> Wire.CardsResponse
    {
      try await app.call(.listCards, Wire.PageRequest(pageSize: size, pageToken: token), as: person).view()
    }

    func token(of card: String, as person: CardTestApp.Person, scope: FinapticScope? = nil) async throws
      -> Wire.CardTokenResponse
    {
      try await call(.createCardSDKSignOnToken, card, as: person, scope: scope).view()
    }

    func show(_ token: Wire.CardTokenResponse, reference: String? = nil, key: String? = nil) async throws
      -> CardTestApp.Answer
    {
      try await app.accounts.call(
        .post, "\(FinapticDialect.base)/cardProcessor/showCard",
        try WireJSON.encode(
          Wire.ShowCardRequest(token: token.token, cardRefNumber: reference ?? token.cardRefNumber)),
        headers: ["X-Client-Key": key ?? app.accounts.key])
    }
  }

  @Test("a card is shown only to its holder and the owners of its account, without its number")
  func looking() async throws {
    try await CardTestApp.run { app in
      let scene = try await Scene(app)
      let card = try await scene.call(.getCard, scene.product.card, as: scene.owner).view(Wire.Card.self)
      #expect(card.cardType == "CARD_TYPE_PREPAID" && card.state == "CARD_STATE_ACTIVE")
      #expect(card.accountId == scene.product.account.rawValue && card.ownerId == scene.owner.customer)
      #expect(card.description?.wholeMatch(of: /•••• [0-9]{4}/) != nil)
      for (id, person) in [
        (scene.product.card, scene.guest), (scene.product.card, scene.stranger),
        (app.dependencies.core.world.randomUUID(), scene.owner),
      ] { #expect(try await scene.call(.getCard, id, as: person).refusal == "404 NOT_FOUND NOT_FOUND") }
      #expect(try await scene.call(.getCard, "x", as: scene.owner).code == "INVALID_ARGUMENT")
      app.accounts.clock.advance(by: .seconds(1))
      let made = try await scene.create(for: scene.guest.customer).view(Wire.CardResponse.self).card
      #expect(made.ownerId == scene.guest.customer && made.description == "Bob's")
      #expect(try await scene.call(.getCard, made.id, as: scene.owner).status == 200)
      #expect(try await scene.call(.getCard, made.id, as: scene.guest).status == 200)
      #expect(try await scene.cards(of: scene.owner).cards.map(\.id) == [scene.product.card, made.id])
      #expect(try await scene.cards(of: scene.guest).cards.map(\.id) == [made.id])
      #expect(try await scene.cards(of: scene.stranger).cards.isEmpty)
    }
  }

  @Test("pages hold each card once while cards are made, and a page's token is its owner's alone")
  func paging() async throws {
    try await CardTestApp.run { app in
      let scene = try await Scene(app)
      var (made, seen, token) = ([scene.product.card], [String](), String?.none)
      for _ in 0..<4 {
        made.append(try await scene.create(for: scene.guest.customer).view(Wire.CardResponse.self).card.id)
      }
      repeat {
        let page = try await scene.cards(of: scene.owner, size: 2, after: token)
        seen += page.cards.map(\.id)
        token = page.nextPageToken
        app.accounts.clock.advance(by: .seconds(1))
        if made.count < 8 {
          made.append(try await scene.create(for: scene.guest.customer).view(Wire.CardResponse.self).card.id)
        }
      } while token != nil
      #expect(seen.count == made.count && Set(seen) == Set(made))
      let first = try await scene.cards(of: scene.owner, size: 1)
      let stolen = try await app.call(
        .listCards, Wire.PageRequest(pageSize: 1, pageToken: first.nextPageToken), as: scene.guest)
      #expect(stolen.code == "INVALID_ARGUMENT")
      for size in [0, -1] {
        #expect(
          try await app.call(.listCards, Wire.PageRequest(pageSize: size), as: scene.owner).code
            == "INVALID_ARGUMENT")
      }
    }
  }

  @Test("locked and unlocked by holder and owner, again as well, and not by others")
  func locking() async throws {
    try await CardTestApp.run { app in
      let scene = try await Scene(app)
      let card = try await scene.create(for: scene.guest.customer).view(Wire.CardResponse.self).card.id
      for (method, person, state) in [
        (FinapticMethod.lockCard, scene.guest, "CARD_STATE_LOCKED"), (.lockCard, scene.owner, "CARD_STATE_LOCKED"),
        (.unlockCard, scene.owner, "CARD_STATE_ACTIVE"), (.unlockCard, scene.guest, "CARD_STATE_ACTIVE"),
      ] { #expect(try await scene.call(method, card, as: person).view(Wire.CardResponse.self).card.state == state) }
      #expect(
        try await app.accounts.story(chain: "card-\(card)") == [
          "finaptic.card.issued", "finaptic.card.locked", "finaptic.card.unlocked",
        ])
      for method in [FinapticMethod.lockCard, .unlockCard] {
        #expect(
          try await scene.call(method, card, as: scene.stranger).refusal
            == "400 INVALID_ARGUMENT CARDS_INVALID_CARD_ID")
      }
      // Taken off the account: what they carry is locked, and stays so.
      let removed = try await app.call(
        .removeAuthorizedUser,
        Wire.RemoveAuthorizedUserRequest(
          accountId: scene.product.account.rawValue, authorizedUser: scene.guest.customer), as: scene.owner,
        scope: .removeAuthorizedUser)
      #expect(removed.status == 200)
      #expect(try await scene.call(.getCard, card, as: scene.guest).view(Wire.Card.self).state == "CARD_STATE_LOCKED")
      for person in [scene.guest, scene.owner] {
        #expect(try await scene.call(.unlockCard, card, as: person).code == "FAILED_PRECONDITION")
      }
      #expect(
        try await scene.call(.getCard, scene.product.card, as: scene.owner).view(Wire.Card.self).state
          == "CARD_STATE_ACTIVE")
    }
  }

  @Test("cards of authorized users: by owners, for authorized users, of a kind that there is")
  func creating() async throws {
    try await CardTestApp.run { app in
      let scene = try await Scene(app)
      let (guest, invalidAccount) = (scene.guest.customer, "400 INVALID_ARGUMENT CARDS_INVALID_ACCOUNT")
      #expect(try await scene.create(for: guest, by: scene.guest).refusal == invalidAccount)
      #expect(try await scene.create(for: guest, by: scene.stranger).refusal == invalidAccount)
      #expect(
        try await scene.create(for: guest, account: app.dependencies.core.world.randomUUID()).refusal == invalidAccount)
      for holder in [scene.stranger.customer, scene.owner.customer, app.dependencies.core.world.randomUUID()] {
        #expect(
          try await scene.create(for: holder).refusal == "400 INVALID_ARGUMENT CARDS_INVALID_AUTHORIZED_USER")
      }
      for type in ["CARD_TYPE_UNSPECIFIED", "CARD_TYPE_CREDIT", ""] {
        #expect(try await scene.create(for: guest, type: type).refusal == "400 INVALID_ARGUMENT INVALID_ARGUMENT")
      }
      #expect(
        try await scene.create(for: guest, description: String(repeating: "x", count: 101)).code == "INVALID_ARGUMENT")
      #expect(try await scene.cards(of: scene.guest).cards.isEmpty)
      for _ in 0..<CardCommands.perHolderMax { #expect(try await scene.create(for: guest).status == 200) }
      #expect(try await scene.create(for: guest).code == "FAILED_PRECONDITION")
    }
  }

  @Test("a sign-on token shows the card once, to the app that it was made for, while its session lives")
  func signOn() async throws {
    try await CardTestApp.run { app in
      let scene = try await Scene(app)
      let token = try await scene.token(of: scene.product.card, as: scene.owner)
      #expect(try await scene.show(token, reference: "other").status == 404)
      #expect(try await scene.show(token, key: app.accounts.otherKey).status == 404)
      let shown = try await scene.show(token)
      let card = try shown.view(Wire.ShowCardResponse.self)
      #expect(CardNumber(card.number) != nil && card.number.hasPrefix(SandboxIssuer.range))
      #expect(card.nameOnCard == "Ada Tremblay" && shown.headers[.cacheControl] == "no-store")
      #expect(try await scene.show(token).status == 404)
      let again = try await scene.show(scene.token(of: scene.product.card, as: scene.owner))
      #expect(try again.view(Wire.ShowCardResponse.self) == card)
      // Five minutes, and not after signing out.
      let late = try await scene.token(of: scene.product.card, as: scene.owner)
      app.accounts.clock.advance(by: .minutes(5))
      #expect(try await scene.show(late).status == 404)
      let ended = try await scene.token(of: scene.product.card, as: scene.owner)
      try await app.database.write { [dependencies = app.dependencies] in
        try dependencies.sessions.revokeAll(of: scene.owner.user.rawValue, in: $0)
      }
      #expect(try await scene.show(ended).status == 404)
      // Not for owners of the account who do not carry it.
      let other = try await scene.create(for: scene.guest.customer).view(Wire.CardResponse.self).card.id
      #expect(try await scene.call(.createCardSDKSignOnToken, other, as: scene.owner).code == "NOT_FOUND")
      let log = app.accounts.log.records.map { "\($0)" }.joined()
      #expect(!log.contains(card.number) && !log.contains(token.token))
      let bytes = try await app.accounts.made.bytesOnDisk()
      for secret in [card.number, token.token] { #expect(bytes.range(of: Data(secret.utf8)) == nil) }
    }
  }

  @Test("of readers side by side one sees the card, and where the tenant asks for it they have to step up")
  func signOnOnce() async throws {
    try await CardTestApp.run { app in
      let scene = try await Scene(app)
      let token = try await scene.token(of: scene.product.card, as: scene.owner)
      let seen = try await withThrowingTaskGroup(of: Int.self) { group in
        for _ in 0..<4 { group.addTask { try await scene.show(token).status } }
        return try await group.reduce(into: []) { $0.append($1) }.sorted()
      }
      #expect(seen == [200, 404, 404, 404])
      try await app.accounts.service.dependencies.cardPolicy.setRequiresStepUp(true, of: CardTestApp.tenant, by: "test")
      let plain = try await scene.call(.createCardSDKSignOnToken, scene.product.card, as: scene.owner)
      #expect(plain.code == "PERMISSION_DENIED" && plain.message.contains("view:card_number"))
      let stepped = try await scene.token(of: scene.product.card, as: scene.owner, scope: .viewCardNumber)
      #expect(try await scene.show(stepped).status == 200)
    }
  }

  @Test("invalid tokens are counted: a network that guesses is told to wait, other networks are not")
  func guesses() async throws {
    try await CardTestApp.run { app in
      let scene = try await Scene(app)
      func guess(from address: String) async throws -> Int {
        try await app.accounts.call(
          .post, "\(FinapticDialect.base)/cardProcessor/showCard",
          try WireJSON.encode(Wire.ShowCardRequest(token: "fnc_\(UUID().uuidString)", cardRefNumber: "x")),
          headers: ["X-Client-Key": app.accounts.key, "X-Forwarded-For": address]
        ).status
      }
      for _ in 0..<app.dependencies.policy.pageRefusals.count { #expect(try await guess(from: "198.51.100.7") == 404) }
      #expect(try await guess(from: "198.51.100.7") == 429)
      #expect(try await guess(from: "203.0.113.9") == 404)
      #expect(try await scene.show(scene.token(of: scene.product.card, as: scene.owner)).status == 200)
    }
  }

  @Test("where customers are real and there is no card issuer, opening one is refused, and nothing is left of it")
  func noIssuer() async throws {
    try await CardTestApp.run { app in
      let (dependencies, other) = (app.dependencies, AccountTestApp.otherTenant)
      let person = try await app.customer("kim", tenant: other)
      let order = ProductOpening.Order(
        application: .init(rawValue: "none"), tenant: other, customer: person.customer, profile: ClientProfile(),
        products: [.account, .prepaidCard],
        ids: [dependencies.core.world.randomUUID(), dependencies.core.world.randomUUID()])
      await #expect(throws: CardOpening.noIssuer) {
        try await dependencies.core.database.write(retrying: .outdated) {
          try dependencies.opening.open(order, in: $0)
        }
      }
      let accounts = try await app.database.read {
        try AccountStore($0).all(of: person.customer, tenant: other, limit: 5)
      }
      #expect(accounts.isEmpty)
    }
  }

  @Test("a card that its issuer makes after its holder was taken off the account is locked, and stays so")
  func issuedLate() async throws {
    try await CardTestApp.run { app in
      let scene = try await Scene(app)
      var dependencies = app.dependencies
      dependencies.cardIssuer = CardIssuer { _ in
        .init(reference: "made-late", number: "4111111111111111", expiryYear: 2029, expiryMonth: 2)
      }
      let card = PaymentCard(
        id: .init(rawValue: dependencies.core.world.randomUUID()), tenant: CardTestApp.tenant,
        account: scene.product.account,
        holder: scene.guest.customer, kind: .prepaid, state: .ordered,
        content: .init(description: nil, nameOnCard: "Bob Tremblay", billingAddress: nil),
        createdAt: dependencies.core.world.now())
      try await app.database.write { [dependencies] in
        try CardStore($0, vault: dependencies.core.vault).insert(card, nil)
      }
      let removed = try await app.call(
        .removeAuthorizedUser,
        Wire.RemoveAuthorizedUserRequest(
          accountId: scene.product.account.rawValue, authorizedUser: scene.guest.customer), as: scene.owner,
        scope: .removeAuthorizedUser)
      #expect(removed.status == 200)
      let item = OutboxItem(
        id: .init(rawValue: "1"), topic: CardOpening.topic, subject: card.id.rawValue, payload: "", attempts: 0,
        enqueuedAt: dependencies.core.world.now(), origin: nil)
      // The second time there is nothing to do.
      for _ in 0..<2 { try await dependencies.cardOpening.perform(item) }
      let made = try await scene.call(.getCard, card.id.rawValue, as: scene.owner).view(Wire.Card.self)
      #expect(made.state == "CARD_STATE_LOCKED")
      #expect(
        try await scene.call(.unlockCard, card.id.rawValue, as: scene.owner).code == "FAILED_PRECONDITION")
      #expect(
        try await app.accounts.story(chain: "card-\(card.id)") == ["finaptic.card.issued", "finaptic.card.locked"])
    }
  }
}
