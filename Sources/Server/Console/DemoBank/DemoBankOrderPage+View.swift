// SPDX-License-Identifier: Apache-2.0

import Foundation
import Kit
import ReferenceData

extension DemoBankOrderPage {
  /// - Parameter version: whose code is shown, 1 or 2.
  /// - Throws: `CVisionFailure` for a link that is too long for a code.
  init(
    _ order: BankOrder, for visitor: DemoBankVisitor, version: Int, evidence: ServiceAnswers.Evidence?
  ) throws {
    let payment = order.content.payment.map {
      Payment(
        payee: $0.payee, account: IBAN($0.account)?.grouped ?? $0.account, amount: "\($0.amount) \($0.currency)",
        reference: $0.reference)
    }
    self.init(
      csrf: visitor.csrf, id: order.id.rawValue, title: payment.map { "Pay \($0.amount)" } ?? "Sign in",
      state: order.state.words(order.kind), mark: order.state.mark, words: order.explanation, payment: payment,
      until: order.expiresAt.timeOfDay, isOpen: order.isOpen, isSignIn: order.kind == .signIn,
      isReady: order.kind == .signIn && order.state == .confirmed, isSignedIn: visitor.customer != nil)
    if order.isOpen, let links = order.content.links {
      code = try DemoBankCode(
        version == 1 ? links.v1 : links.v2, version: version,
        otherPage: "\(DemoBankRoutes.base)/orders/\(order.id)?api=\(version == 1 ? 2 : 1)")
    }
    proof = evidence.map {
      Proof(
        shown: $0.shown, device: "\($0.connection_id), version \($0.api_version)",
        proven: $0.authorization_type ?? "not said", decidedAt: $0.decided_at,
        signature: String($0.signature.suffix(24)))
    }
  }
}

extension BankOrder {
  /// What the customer has to do, or what came of it.
  fileprivate var explanation: String {
    switch (state, kind) {
    case (.draft, _): "The service cannot be reached right now. This page tries again."
    case (.waiting, .signIn): "Scan the code with the Authenticator on your phone."
    case (.waiting, .payment) where content.links != nil:
      "Scan the code with the Authenticator, look at what it shows, and confirm."
    case (.waiting, .payment) where devices == 0: "You have no connected phone. Connect one: the payment waits there."
    case (.waiting, .payment): "Open the Authenticator on your phone, look at what it shows, and confirm or deny."
    case (.confirmed, .signIn): "Your phone says that it is you."
    case (.confirmed, .payment): "You confirmed this payment with your phone."
    case (.denied, _): "You denied it with your phone. Nothing was done."
    case (.expired, _): "It was not confirmed in time. Nothing was done."
    case (.used, _): "You signed in with it. It cannot be used again."
    }
  }
}

extension BankOrder.State {
  func words(_ kind: BankOrder.Kind) -> String {
    switch self {
    case .draft, .waiting: "Waiting"
    case .confirmed: kind == .payment ? "Paid" : "Confirmed"
    case .denied: "Denied"
    case .expired: "Timed out"
    case .used: "Signed in"
    }
  }

  /// The class that its colour hangs on.
  var mark: String {
    switch self {
    case .draft, .waiting: "open"
    case .confirmed, .used: "good"
    case .denied, .expired: "bad"
    }
  }
}

extension Instant {
  /// `14:05 UTC`.
  var timeOfDay: String { "\(rfc3339.dropFirst(11).prefix(5)) UTC" }
  /// `2026-11-21`.
  var day: String { String(rfc3339.prefix(10)) }
}
