// SPDX-License-Identifier: Apache-2.0

import Foundation
import HTTP
import HTTPTypes
import Hummingbird
import Kit
import ReferenceData
import SaltEdgeCore

/// `/demo-bank/…`: the demonstration bank's pages, and the webhook that the service calls.
package struct DemoBankRoutes: Sendable {
  package static let base = "/demo-bank"
  private static let webhookMax = 64 * 1024

  let bank: DemoBank

  package init(_ bank: DemoBank) { self.bank = bank }

  package func add(to root: RouterGroup<PublicContext>) {
    let group = root.group(RouterPath(Self.base))
    group.get("", use: page(home))
    group.post("sign-in", use: form(signIn))
    group.post("sign-out", use: form(signOut))
    group.get("pay", use: page(pay))
    group.get("connect", use: page(connect))
    group.post("connect", use: form(connectAtOnce))
    group.post("devices/{id}/revoke", use: form(revoke))
    group.get("enrol", use: page(enrol))
    group.post("enrol", use: form(enrolled))
    group.post("orders/sign-in", use: form(orderSignIn))
    group.post("orders/payment", use: form(orderPayment))
    group.get("orders/{id}", use: page(order))
    group.post("orders/{id}/continue", use: form(redeem))
    group.post("webhook", use: webhook)
  }

  /// A request, whose it is, and where it came from.
  struct Visit: Sendable {
    let request: Request
    let parameters: Parameters
    let source: String
    var visitor: DemoBankVisitor

    func query(_ name: String) -> String? {
      request.uri.queryParameters[Substring(name)].map(String.init)
    }

    /// The version of the wire that a code is shown for.
    var version: Int { query("api") == "1" ? 1 : 2 }
  }

  private typealias Handler = @Sendable (Request, PublicContext) async throws -> Response

  private func page(_ show: @escaping @Sendable (Visit) async throws -> Response) -> Handler {
    { request, context in
      let visit = try await visit(request, context)
      return visit.visitor.marked(try await show(visit), isSecure: isSecure)
    }
  }

  /// A form of a page's own: one of another site is refused before anything is done.
  private func form(_ act: @escaping @Sendable (Visit, FormFields) async throws -> Response) -> Handler {
    { request, context in
      let visit = try await visit(request, context)
      return try await act(visit, try await visit.visitor.form(request))
    }
  }

  private func visit(_ request: Request, _ context: PublicContext) async throws -> Visit {
    Visit(
      request: request, parameters: context.parameters,
      source: context.clientAddress.map(ClientNetwork.subscriber) ?? ClientNetwork.unknown,
      visitor: try await DemoBankVisitor.of(request, bank, isSecure: isSecure))
  }

  private var isSecure: Bool { bank.book.address.hasPrefix("https:") }

  static func redirect(_ location: String) -> Response {
    Response(status: .seeOther, headers: [.location: location])
  }

  // MARK: Signing in and out

  private func home(_ visit: Visit) async throws -> Response {
    guard let customer = visit.visitor.customer else {
      return try DemoBankHomePage(csrf: visit.visitor.csrf, order: bank.world.randomUUID()).response()
    }
    let devices = try? await bank.service.devices(of: customer.id)
    return try DemoBankAccountPage(
      csrf: visit.visitor.csrf, name: customer.name, account: IBAN(customer.account)?.grouped ?? customer.account,
      devices: devices?.map {
        .init(id: $0.id, name: "\($0.platform), version \($0.api_version)", since: String($0.created_at.prefix(10)))
      },
      rows: try await bank.payments(of: customer).compactMap { order in
        order.content.payment.map {
          .init(
            id: order.id.rawValue, payee: $0.payee, amount: "\($0.amount) \($0.currency)",
            state: order.state.words(.payment), mark: order.state.mark, day: order.createdAt.day)
        }
      }
    ).response()
  }

  private func signIn(_ visit: Visit, _ form: FormFields) async throws -> Response {
    let username = form["username"] ?? ""
    guard
      let customer = try await bank.customer(
        username: username, password: form["password"] ?? "", from: visit.source)
    else {
      return try DemoBankHomePage(
        csrf: visit.visitor.csrf, order: bank.world.randomUUID(), username: username, isRefused: true
      ).response(status: .unprocessableContent)
    }
    return try await begin(customer)
  }

  /// Under a new cookie: the cookie before it is no longer valid.
  private func begin(_ customer: DemoCustomer) async throws -> Response {
    let visitor = DemoBankVisitor.fresh(bank)
    try await bank.signIn(customer, as: visitor.digest)
    return visitor.marked(Self.redirect(Self.base), isSecure: isSecure)
  }

  private func signOut(_ visit: Visit, _ form: FormFields) async throws -> Response {
    try await bank.signOut(visit.visitor.digest)
    return DemoBankVisitor.fresh(bank).marked(Self.redirect(Self.base), isSecure: isSecure)
  }

  // MARK: Orders

  private func pay(_ visit: Visit) async throws -> Response { try payPage(visit, PaymentForm(), faults: []) }

  private func payPage(_ visit: Visit, _ form: PaymentForm, faults: [String]) throws -> Response {
    try DemoBankPayPage(
      csrf: visit.visitor.csrf, order: bank.world.randomUUID(), form: form, faults: faults,
      isSignedIn: visit.visitor.customer != nil
    ).response(status: faults.isEmpty ? .ok : .unprocessableContent)
  }

  private func orderPayment(_ visit: Visit, _ form: FormFields) async throws -> Response {
    let typed = PaymentForm(form)
    switch typed.read {
    case .failure(let faults): return try payPage(visit, typed, faults: faults.lines)
    case .success(let payment):
      let customer = form["how"] == "code" ? nil : visit.visitor.customer
      return try await begin(visit, form, .payment, payment, for: customer)
    }
  }

  private func orderSignIn(_ visit: Visit, _ form: FormFields) async throws -> Response {
    try await begin(visit, form, .signIn, nil, for: nil)
  }

  private static let changed = """
    The payment was sent before, as it said then, and that one stands. To make this one as well, send it again.
    """

  /// The form brings the order's id: sent twice, it is one order. One that was changed in between, as by the browser's
  /// way back, is shown again under an id of its own.
  private func begin(
    _ visit: Visit, _ form: FormFields, _ kind: BankOrder.Kind, _ payment: BankOrder.Payment?,
    for customer: DemoCustomer?
  ) async throws -> Response {
    guard let id = form["order"].flatMap(UUID.init(uuidString:)).map({ $0.uuidString.lowercased() }) else {
      throw Problem(.badRequest, "order-missing", "The form has no order. Load the page again and retry.")
    }
    do {
      let begun = try await bank.begin(
        .init(rawValue: id), kind, payment, for: customer, in: visit.visitor.digest, from: visit.source)
      guard begun == .taken else { return try payPage(visit, PaymentForm(form), faults: [Self.changed]) }
    } catch is ProviderClient.Failure { throw Self.refused }
    return Self.redirect("\(Self.base)/orders/\(id)")
  }

  private static let refused = Problem(
    .providerFailed, "service-refused", "The service does not take this order. Nothing was done.")

  private func order(_ visit: Visit) async throws -> Response {
    let order = try await bank.order(
      .init(rawValue: visit.parameters.require("id")), browser: visit.visitor.digest, customer: visit.visitor.customer)
    var evidence: ServiceAnswers.Evidence?
    if !order.isOpen, let authorization = order.authorization {
      evidence = try? await bank.service.evidence(authorization)
    }
    return try DemoBankOrderPage(order, for: visit.visitor, version: visit.version, evidence: evidence).response()
  }

  private func redeem(_ visit: Visit, _ form: FormFields) async throws -> Response {
    try await begin(
      try await bank.redeem(.init(rawValue: visit.parameters.require("id")), browser: visit.visitor.digest))
  }

  // MARK: What the service calls

  @Sendable
  private func webhook(_ request: Request, _ context: PublicContext) async throws -> Response {
    let content = try await RequestContent(request, limit: Self.webhookMax)
    func field(_ name: String) -> String? { HTTPField.Name(name).flatMap { request.headers[$0] } }
    try await bank.hear(
      content.bytes, id: field("webhook-id"), timestamp: field("webhook-timestamp"),
      signatures: field("webhook-signature"))
    return Response(status: .noContent)
  }
}
