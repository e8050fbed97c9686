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
    let house: CardHouse
    let owner: CardHouse.Person
    let guest: CardHouse.Person
    let stranger: CardHouse.Person
    let product: CardHouse.Product

    /// An owner with a card, an authorized user without one, and somebody else.
    init(_ house: CardHouse) async throws {
      self.house = house
      owner = try await house.customer("ada")
      guest = try await house.customer("bob")
      stranger = try await house.customer("eve")
      product = try await house.open(for: owner)
      try await house.authorize(guest, on: product.account)
    }

    func call(
      _ method: FinapticMethod, _ card: String?, as person: CardHouse.Person, scope: FinapticScope? = nil
    ) async throws -> CardHouse.Answer {
      try await house.call(method, Wire.CardRequest(cardId: card), as: person, scope: scope)
    }

    func create(
      for holder: String, by person: CardHouse.Person? = nil, type: String = "CARD_TYPE_PREPAID",
      account: String? = nil, description: String? = "Bob's"
    ) async throws -> CardHouse.Answer {
      try await house.call(
        .createAuthorizedUserCard,
        Wire.CreateAuthorizedUserCardRequest(
          card: .init(cardType: type, accountId: account ?? product.account.rawValue, description: description),
          authorizedUserId: holder), as: person ?? owner)
    }

    func cards(of person: CardHouse.Person, size: Int = 10, after token: String? = nil) async throws
      -> Wire.CardsResponse
    {
      try await house.call(.listCards, Wire.PageRequest(pageSize: size, pageToken: token), as: person).view()
    }

    func token(of card: String, as person: CardHouse.Person, scope: FinapticScope? = nil) async throws
      -> Wire.CardTokenResponse
    {
      try await call(.createCardSDKSignOnToken, card, as: person, scope: scope).view()
    }

    func show(_ token: Wire.CardTokenResponse, reference: String? = nil, key: String? = nil) async throws
      -> CardHouse.Answer
    {
      try await house.accounts.call(
        .post, "\(FinapticDialect.base)/cardProcessor/showCard",
        try WireJSON.encode(
          Wire.ShowCardRequest(token: token.token, cardRefNumber: reference ?? token.cardRefNumber)),
        headers: ["X-Client-Key": key ?? house.accounts.key])
    }
  }

  @Test("a card is shown to who carries it and who owns its account, and to nobody else, without its number")
  func looking() async throws {
    try await CardHouse.run { house in
      let scene = try await Scene(house)
      let card = try await scene.call(.getCard, scene.product.card, as: scene.owner).view(Wire.Card.self)
      #expect(card.cardType == "CARD_TYPE_PREPAID" && card.state == "CARD_STATE_ACTIVE")
      #expect(card.accountId == scene.product.account.rawValue && card.ownerId == scene.owner.customer)
      #expect(card.description?.wholeMatch(of: /•••• [0-9]{4}/) != nil)
      for (id, person) in [
        (scene.product.card, scene.guest), (scene.product.card, scene.stranger),
        (house.parts.core.world.randomUUID(), scene.owner),
      ] { #expect(try await scene.call(.getCard, id, as: person).refusal == "404 NOT_FOUND NOT_FOUND") }
      #expect(try await scene.call(.getCard, "x", as: scene.owner).code == "INVALID_ARGUMENT")
      house.accounts.clock.advance(by: .seconds(1))
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
    try await CardHouse.run { house in
      let scene = try await Scene(house)
      var (made, seen, token) = ([scene.product.card], [String](), String?.none)
      for _ in 0..<4 {
        made.append(try await scene.create(for: scene.guest.customer).view(Wire.CardResponse.self).card.id)
      }
      repeat {
        let page = try await scene.cards(of: scene.owner, size: 2, after: token)
        seen += page.cards.map(\.id)
        token = page.nextPageToken
        house.accounts.clock.advance(by: .seconds(1))
        if made.count < 8 {
          made.append(try await scene.create(for: scene.guest.customer).view(Wire.CardResponse.self).card.id)
        }
      } while token != nil
      #expect(seen.count == made.count && Set(seen) == Set(made))
      let first = try await scene.cards(of: scene.owner, size: 1)
      let stolen = try await house.call(
        .listCards, Wire.PageRequest(pageSize: 1, pageToken: first.nextPageToken), as: scene.guest)
      #expect(stolen.code == "INVALID_ARGUMENT")
      for size in [0, -1] {
        #expect(
          try await house.call(.listCards, Wire.PageRequest(pageSize: size), as: scene.owner).code
            == "INVALID_ARGUMENT")
      }
    }
  }

  @Test("locked and unlocked by holder and owner, again as well, and not by others")
  func locking() async throws {
    try await CardHouse.run { house in
      let scene = try await Scene(house)
      let card = try await scene.create(for: scene.guest.customer).view(Wire.CardResponse.self).card.id
      for (method, person, state) in [
        (FinapticMethod.lockCard, scene.guest, "CARD_STATE_LOCKED"), (.lockCard, scene.owner, "CARD_STATE_LOCKED"),
        (.unlockCard, scene.owner, "CARD_STATE_ACTIVE"), (.unlockCard, scene.guest, "CARD_STATE_ACTIVE"),
      ] { #expect(try await scene.call(method, card, as: person).view(Wire.CardResponse.self).card.state == state) }
      #expect(
        try await house.accounts.story(chain: "card-\(card)") == [
          "finaptic.card.issued", "finaptic.card.locked", "finaptic.card.unlocked",
        ])
      for method in [FinapticMethod.lockCard, .unlockCard] {
        #expect(
          try await scene.call(method, card, as: scene.stranger).refusal
            == "400 INVALID_ARGUMENT CARDS_INVALID_CARD_ID")
      }
      // Taken off the account: what they carry is locked, and stays so.
      let removed = try await house.call(
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
    try await CardHouse.run { house in
      let scene = try await Scene(house)
      let (guest, invalidAccount) = (scene.guest.customer, "400 INVALID_ARGUMENT CARDS_INVALID_ACCOUNT")
      #expect(try await scene.create(for: guest, by: scene.guest).refusal == invalidAccount)
      #expect(try await scene.create(for: guest, by: scene.stranger).refusal == invalidAccount)
      #expect(
        try await scene.create(for: guest, account: house.parts.core.world.randomUUID()).refusal == invalidAccount)
      for holder in [scene.stranger.customer, scene.owner.customer, house.parts.core.world.randomUUID()] {
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
    try await CardHouse.run { house in
      let scene = try await Scene(house)
      let token = try await scene.token(of: scene.product.card, as: scene.owner)
      #expect(try await scene.show(token, reference: "other").status == 404)
      #expect(try await scene.show(token, key: house.accounts.otherKey).status == 404)
      let shown = try await scene.show(token)
      let card = try shown.view(Wire.ShowCardResponse.self)
      #expect(CardNumber(card.number) != nil && card.number.hasPrefix(SandboxIssuer.range))
      #expect(card.nameOnCard == "Ada Tremblay" && shown.headers[.cacheControl] == "no-store")
      #expect(try await scene.show(token).status == 404)
      let again = try await scene.show(scene.token(of: scene.product.card, as: scene.owner))
      #expect(try again.view(Wire.ShowCardResponse.self) == card)
      // Five minutes, and not after signing out.
      let late = try await scene.token(of: scene.product.card, as: scene.owner)
      house.accounts.clock.advance(by: .minutes(5))
      #expect(try await scene.show(late).status == 404)
      let ended = try await scene.token(of: scene.product.card, as: scene.owner)
      try await house.database.write { [parts = house.parts] in
        try parts.sessions.revokeAll(of: scene.owner.user.rawValue, in: $0)
      }
      #expect(try await scene.show(ended).status == 404)
      // Not for owners of the account who do not carry it.
      let other = try await scene.create(for: scene.guest.customer).view(Wire.CardResponse.self).card.id
      #expect(try await scene.call(.createCardSDKSignOnToken, other, as: scene.owner).code == "NOT_FOUND")
      let log = house.accounts.log.records.map { "\($0)" }.joined()
      #expect(!log.contains(card.number) && !log.contains(token.token))
      let bytes = try await house.accounts.made.bytesOnDisk()
      for secret in [card.number, token.token] { #expect(bytes.range(of: Data(secret.utf8)) == nil) }
    }
  }

  @Test("of readers side by side one sees the card, and where the tenant says so they have to step up")
  func signOnOnce() async throws {
    try await CardHouse.run { house in
      let scene = try await Scene(house)
      let token = try await scene.token(of: scene.product.card, as: scene.owner)
      let seen = try await withThrowingTaskGroup(of: Int.self) { group in
        for _ in 0..<4 { group.addTask { try await scene.show(token).status } }
        return try await group.reduce(into: []) { $0.append($1) }.sorted()
      }
      #expect(seen == [200, 404, 404, 404])
      try await house.accounts.room.parts.cardPolicy.setRequiresStepUp(true, of: CardHouse.tenant, by: "test")
      let plain = try await scene.call(.createCardSDKSignOnToken, scene.product.card, as: scene.owner)
      #expect(plain.code == "PERMISSION_DENIED" && plain.message.contains("view:card_number"))
      let stepped = try await scene.token(of: scene.product.card, as: scene.owner, scope: .viewCardNumber)
      #expect(try await scene.show(stepped).status == 200)
    }
  }

  @Test("tokens that are none are counted: who guesses from one network is told to wait, nobody else is")
  func guesses() async throws {
    try await CardHouse.run { house in
      let scene = try await Scene(house)
      func guess(from address: String) async throws -> Int {
        try await house.accounts.call(
          .post, "\(FinapticDialect.base)/cardProcessor/showCard",
          try WireJSON.encode(Wire.ShowCardRequest(token: "fnc_\(UUID().uuidString)", cardRefNumber: "x")),
          headers: ["X-Client-Key": house.accounts.key, "X-Forwarded-For": address]
        ).status
      }
      for _ in 0..<house.parts.policy.pageRefusals.count { #expect(try await guess(from: "198.51.100.7") == 404) }
      #expect(try await guess(from: "198.51.100.7") == 429)
      #expect(try await guess(from: "203.0.113.9") == 404)
      #expect(try await scene.show(scene.token(of: scene.product.card, as: scene.owner)).status == 200)
    }
  }

  @Test("where customers are real and nobody makes cards, opening one is refused, and nothing is left of it")
  func noIssuer() async throws {
    try await CardHouse.run { house in
      let (parts, other) = (house.parts, AccountHouse.otherTenant)
      let person = try await house.customer("kim", tenant: other)
      let order = ProductOpening.Order(
        application: .init(rawValue: "none"), tenant: other, customer: person.customer, profile: ClientProfile(),
        products: [.account, .prepaidCard], ids: [parts.core.world.randomUUID(), parts.core.world.randomUUID()])
      await #expect(throws: CardOpening.noIssuer) {
        try await parts.core.database.write(retrying: .outdated) {
          try parts.opening.open(order, in: $0)
        }
      }
      let accounts = try await house.database.read {
        try AccountStore($0).all(of: person.customer, tenant: other, limit: 5)
      }
      #expect(accounts.isEmpty)
    }
  }

  @Test("a card that its issuer makes after its holder was taken off the account is locked, and stays so")
  func issuedLate() async throws {
    try await CardHouse.run { house in
      let scene = try await Scene(house)
      var parts = house.parts
      parts.cardIssuer = CardIssuer { _ in
        .init(reference: "made-late", number: "4111111111111111", expiryYear: 2029, expiryMonth: 2)
      }
      let card = PaymentCard(
        id: .init(rawValue: parts.core.world.randomUUID()), tenant: CardHouse.tenant, account: scene.product.account,
        holder: scene.guest.customer, kind: .prepaid, state: .ordered,
        content: .init(description: nil, nameOnCard: "Bob Tremblay", billingAddress: nil),
        createdAt: parts.core.world.now())
      try await house.database.write { [parts] in try CardStore($0, vault: parts.core.vault).insert(card, nil) }
      let removed = try await house.call(
        .removeAuthorizedUser,
        Wire.RemoveAuthorizedUserRequest(
          accountId: scene.product.account.rawValue, authorizedUser: scene.guest.customer), as: scene.owner,
        scope: .removeAuthorizedUser)
      #expect(removed.status == 200)
      let item = OutboxItem(
        id: .init(rawValue: "1"), topic: CardOpening.topic, subject: card.id.rawValue, payload: "", attempts: 0,
        enqueuedAt: parts.core.world.now(), origin: nil)
      // The second time there is nothing to do.
      for _ in 0..<2 { try await parts.cardOpening.perform(item) }
      let made = try await scene.call(.getCard, card.id.rawValue, as: scene.owner).view(Wire.Card.self)
      #expect(made.state == "CARD_STATE_LOCKED")
      #expect(
        try await scene.call(.unlockCard, card.id.rawValue, as: scene.owner).code == "FAILED_PRECONDITION")
      #expect(
        try await house.accounts.story(chain: "card-\(card.id)") == ["finaptic.card.issued", "finaptic.card.locked"])
    }
  }
}
