// SPDX-License-Identifier: Apache-2.0

import Delivery
import Foundation
import GatehouseWire
import Identity
import Kit
import Storage

/// A bank to try the Authenticator with: invented customers, payments that move no money. It has a web page and the
/// provider API, and nothing else of this server: what it knows of the service, it asks or is told.
package struct DemoBank: Sendable {
  static let sessionLifetime = Duration.minutes(30)
  static let orderLifetime = Duration.minutes(5)
  static let ordersKept = Duration.days(30)
  static let listMax = 20
  /// Passwords tried for one name and from one address.
  static let tries = RateLimit("demobank-name", 10, per: .minutes(15))
  static let triesByAddress = RateLimit("demobank-address", 30, per: .minutes(15))
  /// Orders begun and personal codes made from one address.
  static let orders = RateLimit("demobank-order", 30, per: .minutes(1))

  let book: DemoBankService
  let database: any SQLDatabase
  let vault: Vault
  let world: World
  let audit: Audit
  let limits: RateLimits
  let service: ProviderClient
  package let threads: BlockingThreadPool
  private let webhookSecret: WebhookSecret
  /// Compared with when no customer has the name, so that the answer takes as long.
  private let decoy: PasswordHash

  /// - Parameters:
  ///   - http: the line to the service.
  ///   - threads: where passwords are hashed.
  /// - Throws: `DemoBankService.Unusable`.
  package init(
    _ book: DemoBankService, database: any SQLDatabase, vault: Vault, world: World, audit: Audit, limits: RateLimits,
    http: PeerHTTP, threads: BlockingThreadPool
  ) throws {
    guard let webhookSecret = WebhookSecret(book.webhookSecret) else {
      throw DemoBankService.Unusable(description: "the demonstration bank's webhook secret is not a valid one")
    }
    (self.book, self.database, self.vault, self.world) = (book, database, vault, world)
    (self.audit, self.limits, self.threads) = (audit, limits, threads)
    (service, self.webhookSecret) = (ProviderClient(book: book, http: http), webhookSecret)
    let other = book.customers.first.flatMap { PasswordHash($0.passwordHash) }
    decoy = other.map { PasswordHash(decoyOf: $0, world: world) } ?? PasswordHash(decoy: .standard, world: world)
  }

  // MARK: Customers

  /// - Parameter source: the browser's address.
  /// - Returns: nil for a wrong name or password, without saying which.
  /// - Throws: `Problem` rate-limited, or unavailable when too many sign-ins wait for a thread.
  func customer(username: String, password: String, from source: String) async throws -> DemoCustomer? {
    let name = username.lowercased().trimmingCharacters(in: .whitespaces)
    let (byName, byAddress) = (vault.digest(name, for: "demo bank name"), vault.digest(source, for: "address"))
    // Counted before it is compared, so that tries side by side cannot pass the limit.
    try await database.write { [limits] tx in
      try limits.spend(Self.triesByAddress, by: byAddress, in: tx)
      try limits.spend(Self.tries, by: byName, isTold: false, in: tx)
    }
    let found = book.customers.first { $0.username == name }
    let hash = found.flatMap { PasswordHash($0.passwordHash) } ?? decoy
    guard password.utf8.count <= 256 else { return nil }
    do {
      return try await threads.compare(for: source) { try hash.matches(password) } ? found : nil
    } catch is BlockingThreadPoolFull, is PasswordHash.Failure {
      throw Problem.unavailable.with { $0.retryAfterSeconds = 1 }
    }
  }

  /// - Parameter digest: of the browser's cookie.
  func customer(session digest: String) async throws -> DemoCustomer? {
    let now = world.now()
    let id = try await database.read { [vault] in
      try DemoBankStore($0, vault: vault).customer(session: digest, at: now)
    }
    return book.customers.first { $0.id == id }
  }

  func signIn(_ customer: DemoCustomer, as digest: String) async throws {
    let now = world.now()
    try await database.write { [self] tx in
      try DemoBankStore(tx, vault: vault).insertSession(digest, of: customer.id, until: now + Self.sessionLifetime)
      try audit.append("demobank.signedIn", to: "demobank-\(customer.id)", by: "customer:\(customer.id)", in: tx)
    }
  }

  func signOut(_ digest: String) async throws {
    try await database.write { [vault] in try DemoBankStore($0, vault: vault).endSession(digest) }
  }

  /// A link that connects a phone of this customer, once.
  /// - Throws: `Problem` rate-limited; `ProviderClient.Failure`.
  func connectLink(
    for customer: DemoCustomer, version: Int, from source: String
  ) async throws -> ServiceAnswers.Link {
    let address = vault.digest(source, for: "address")
    try await database.write { [limits] tx in _ = try limits.spend(Self.orders, by: address, in: tx) }
    return try await service.connectLink(for: customer.id, version: version)
  }

  // MARK: Orders

  /// What came of an order that was sent.
  enum OrderOutcome: Sendable {
    case taken
    /// There is an order of that id with another content: the form was changed after it had been sent.
    case differs
  }

  /// Writes an order down and takes it to the service. The same id again is the same order.
  /// - Throws: `Problem` not-found for another browser's id; rate-limited.
  func begin(
    _ id: BankOrder.ID, _ kind: BankOrder.Kind, _ payment: BankOrder.Payment?, for customer: DemoCustomer?,
    in browser: String, from source: String
  ) async throws -> OrderOutcome {
    let now = world.now()
    let order = BankOrder(
      id: id, kind: kind, browser: browser, customer: customer?.id, state: .draft, authorization: nil,
      content: .init(payment: payment), createdAt: now, expiresAt: now + Self.orderLifetime)
    let known = try await database.write { [self] tx -> BankOrder? in
      let store = DemoBankStore(tx, vault: vault)
      guard try store.insert(order) else {
        guard let known = try store.find(id), known.browser == browser else { throw Problem.notFound }
        return known
      }
      try limits.spend(Self.orders, by: vault.digest(source, for: "address"), in: tx)
      try audit.append(
        "demobank.order.begun", to: "demobank-order-\(id)", by: customer.map { "customer:\($0.id)" } ?? "visitor",
        facts: ["kind": kind.rawValue], in: tx)
      return nil
    }
    if let known { return known.kind == kind && known.content.payment == payment ? .taken : .differs }
    // A service that cannot be reached now is asked again whenever the page is looked at.
    do { try await submit(order) } catch ProviderClient.Failure.unreachable {}
    return .taken
  }

  private func submit(_ order: BankOrder) async throws {
    let payment = order.content.payment
    let opened = try await service.open(
      .init(
        reference: order.id.rawValue, user_id: order.customer,
        title: payment.map { "Pay \($0.amount) \($0.currency)" } ?? "Sign in",
        text: payment == nil ? "Sign in to the demonstration bank." : nil,
        payment: payment.map {
          .init(
            payee: $0.payee, amount: $0.amount, currency: $0.currency, account: $0.account, reference: $0.reference,
            date: String(order.createdAt.rfc3339.prefix(10)))
        },
        origin: .init(device: "Web browser"), expires_in_seconds: Self.orderLifetime.wholeSeconds,
        needs_confirmation: order.kind == .payment),
      key: order.id.rawValue)
    var known = order
    known.authorization = opened.authorization.id
    known.devices = opened.devices
    known.expiresAt = Instant(rfc3339: opened.authorization.expires_at) ?? order.expiresAt
    if let v1 = opened.link_v1, let v2 = opened.link_v2 { known.content.links = .init(v1: v1, v2: v2) }
    try await database.write { [vault, known] in try DemoBankStore($0, vault: vault).setOpened(known) }
  }

  /// An order as its browser or its customer sees it, after the service was asked once more.
  /// - Throws: `Problem` not-found for everybody else.
  func order(_ id: BankOrder.ID, browser: String, customer: DemoCustomer?) async throws -> BankOrder {
    let found = try await find(id)
    guard let found, found.browser == browser || (found.customer != nil && found.customer == customer?.id) else {
      throw Problem.notFound
    }
    guard found.isOpen else { return found }
    do {
      if let authorization = found.authorization {
        try await take(try await service.authorization(authorization), for: found)
      } else if world.now() < found.expiresAt {
        try await submit(found)
      } else {
        try await end(found, as: .expired, customer: nil)
      }
    } catch is ProviderClient.Failure {
      // Then the webhook tells, or the next look.
      return found
    }
    return try await find(id) ?? found
  }

  func payments(of customer: DemoCustomer) async throws -> [BankOrder] {
    try await database.read { [vault] in
      try DemoBankStore($0, vault: vault).payments(of: customer.id, limit: Self.listMax)
    }
  }

  /// A sign-in that was confirmed, for the browser that it was begun in, once.
  /// - Throws: `Problem` not-found.
  func redeem(_ id: BankOrder.ID, browser: String) async throws -> DemoCustomer {
    let used = try await database.write { [vault] tx -> String? in
      let store = DemoBankStore(tx, vault: vault)
      guard let order = try store.find(id), order.browser == browser, try store.use(id) else { return nil }
      return order.customer
    }
    guard let customer = book.customers.first(where: { $0.id == used }) else { throw Problem.notFound }
    return customer
  }

  // MARK: What the service tells

  /// A webhook's call.
  /// - Throws: `Problem` unauthenticated when it is not the service's, unprocessable when it is about something else
  ///   than was ordered.
  func hear(_ body: Data, id: String?, timestamp: String?, signatures: String?) async throws {
    guard webhookSecret.accepts(body, id: id, timestamp: timestamp, signatures: signatures, at: world.wall()) else {
      throw Problem(.unauthenticated, "webhook-refused", "The signature does not fit, or is not of now.")
    }
    // Phones and consents that go are the service's to know: this bank asks it.
    if let notice = try? WireJSON.decode(ServiceAnswers.Notice.self, from: body),
      !notice.type.hasPrefix("authorization.")
    {
      return
    }
    guard let event = try? WireJSON.decode(ServiceAnswers.Event.self, from: body) else {
      throw Problem(.unprocessable, "webhook-unreadable", "This is no event of an authorization.")
    }
    // One that is not known here is no concern of this bank; a repetition changes nothing.
    guard let order = try await find(.init(rawValue: event.data.reference)) else { return }
    try await take(event.data, for: order)
  }

  /// Takes the service's word for how an order ended, when it speaks of the very payment that was ordered.
  private func take(_ said: ServiceAnswers.Authorization, for order: BankOrder) async throws {
    let payment = order.content.payment
    guard said.reference == order.id.rawValue, said.amount == payment?.amount, said.currency == payment?.currency,
      said.payee == payment?.payee, order.customer == nil || order.customer == said.user_id
    else { throw Problem(.unprocessable, "not-what-was-ordered", "The authorization is not what was ordered.") }
    let known = book.customers.contains { $0.id == said.user_id }
    switch said.state {
    case "confirmed" where known: try await end(order, as: .confirmed, customer: said.user_id)
    case "confirmed", "denied", "cancelled": try await end(order, as: .denied, customer: known ? said.user_id : nil)
    case "expired": try await end(order, as: .expired, customer: nil)
    default: return
    }
  }

  private func end(_ order: BankOrder, as state: BankOrder.State, customer: String?) async throws {
    try await database.write { [self] tx in
      guard try DemoBankStore(tx, vault: vault).end(order.id, as: state, customer: customer) else { return }
      try audit.append(
        "demobank.order.ended", to: "demobank-order-\(order.id)", by: "service", facts: ["to": state.rawValue], in: tx)
    }
  }

  private func find(_ id: BankOrder.ID) async throws -> BankOrder? {
    try await database.read { [vault] in try DemoBankStore($0, vault: vault).find(id) }
  }

  /// Deletes what is no longer read. A scheduled job.
  package func sweep() async throws {
    let now = world.now()
    try await database.sweep { try DemoBankStore.sweepSessions(before: now, limit: $1, in: $0) }
    try await database.sweep { try DemoBankStore.sweepOrders(before: now - Self.ordersKept, limit: $1, in: $0) }
  }
}
