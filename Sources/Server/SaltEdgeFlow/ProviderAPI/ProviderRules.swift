// SPDX-License-Identifier: Apache-2.0

import Foundation
import Kit
import ReferenceData

/// What a bank may ask for.
enum ProviderRules {
  private static let lifetime = 30...3600
  private static let lifetimeStandard = 300

  /// The operation that a bank asks for, checked.
  /// - Throws: `Problem` validation.
  static func operation(
    _ asked: AuthorizationRequest, of provider: SaltEdgeProvider, core: CoreDependencies
  ) throws -> Operation {
    var faults = Faults()
    faults.check(
      "/reference", (try? EnrolmentRules.reference(asked.reference)) != nil, "1 to 128 letters, digits, . _ ~ -")
    faults.name("/user_id", asked.user_id, atMost: 256)
    faults.text("/title", asked.title, atMost: 256)
    faults.text("/text", asked.text, atMost: 4096, lines: true)
    let seconds = asked.expires_in_seconds ?? lifetimeStandard
    faults.check("/expires_in_seconds", lifetime.contains(seconds), "\(lifetime.lowerBound) to \(lifetime.upperBound).")
    let needsConfirmation = asked.needs_confirmation ?? true
    faults.check(
      "/needs_confirmation", needsConfirmation || (asked.user_id == nil && asked.payment == nil),
      "A payment, and whatever has a customer already, needs to be confirmed.")
    faults.check(
      "/needs_confirmation", needsConfirmation || provider.allowsUnconfirmed,
      "This bank has not chosen to sign customers in by a scan alone.")
    if let payment = asked.payment {
      faults.text("/payment/payee", payment.payee, atMost: 256)
      faults.check(
        "/payment/amount", payment.amount.wholeMatch(of: #/(0|[1-9][0-9]{0,14})(\.[0-9]{1,4})?/#) != nil,
        "A decimal number with a point, up to 15 digits before it and 4 behind.")
      faults.check("/payment/currency", Currency.with(code: payment.currency) != nil, "A code of ISO 4217.")
      faults.text("/payment/account", payment.account, atMost: 64)
      faults.text("/payment/reference", payment.reference, atMost: 256)
      faults.text("/payment/date", payment.date, atMost: 64)
    }
    faults.text("/origin/device", asked.origin?.device, atMost: 128)
    faults.text("/origin/location", asked.origin?.location, atMost: 128)
    faults.text("/origin/ip", asked.origin?.ip, atMost: 64)
    try faults.end()
    // To the second: the code binds what the devices are shown.
    let now = Instant(milliseconds: core.world.now().seconds * 1000)
    return Operation(
      id: core.number(), provider: provider.id, reference: asked.reference,
      userDigest: asked.user_id.map { core.digest(user: $0, of: provider.id) }, needsConfirmation: needsConfirmation,
      state: asked.user_id == nil ? .offered : .pending, expiresAt: now + .seconds(seconds), createdAt: now,
      content: .init(
        user: asked.user_id, title: asked.title, text: asked.text,
        payment: asked.payment.map {
          .init(
            payee: $0.payee, amount: $0.amount, currency: $0.currency, account: $0.account, reference: $0.reference,
            date: $0.date)
        },
        origin: asked.origin.map { .init(device: $0.device, location: $0.location, ip: $0.ip) },
        salt: Data(core.world.random(16))))
  }

  /// - Throws: `Problem` validation.
  static func user(_ id: String) throws {
    var faults = Faults()
    faults.name("/user_id", id, atMost: 256)
    try faults.end()
  }

  /// - Throws: `Problem` validation.
  static func consent(_ asked: ConsentRequest, core: CoreDependencies, policy: SaltEdgePolicy) throws -> Instant {
    var faults = Faults()
    faults.check(
      "/reference", (try? EnrolmentRules.reference(asked.reference)) != nil, "1 to 128 letters, digits, . _ ~ -")
    faults.name("/user_id", asked.user_id, atMost: 256)
    faults.text("/tpp_name", asked.tpp_name, atMost: 256)
    faults.check(
      "/consent_type", ["aisp", "pisp_future", "pisp_recurring"].contains(asked.consent_type),
      "aisp, pisp_future or pisp_recurring.")
    faults.check("/accounts", (1...100).contains(asked.accounts.count), "1 to 100 accounts.")
    for (index, account) in asked.accounts.prefix(100).enumerated() {
      for (name, value) in [
        ("name", account.name), ("account_number", account.account_number), ("sort_code", account.sort_code),
        ("iban", account.iban),
      ] { faults.text("/accounts/\(index)/\(name)", value, atMost: 128) }
    }
    let end = try? EnrolmentRules.expiry(
      asked.expires_at, after: core.world.now(), atMost: policy.consentLifetimeMax)
    faults.check("/expires_at", end != nil, "An instant of RFC 3339 in the future, at most ten years ahead.")
    try faults.end()
    return end ?? core.world.now()
  }

  /// Gathers what is wrong.
  private struct Faults {
    private var fields: [Problem.Field] = []

    mutating func check(_ pointer: String, _ isFine: Bool, _ message: String) {
      if !isFine { fields.append(.init(pointer, "format", message)) }
    }

    /// A text that customers are shown.
    /// - Parameter lines: whether it may have several.
    mutating func text(_ pointer: String, _ text: String?, atMost length: Int, lines: Bool = false) {
      guard let text else { return }
      check(
        pointer, !text.isEmpty && text.utf8.count <= length && ShownText.isPlain(text, lines: lines),
        "1 to \(length) bytes of UTF-8 that can be seen, \(lines ? "" : "in one line, ")without markup.")
    }

    /// The bank's own name for a customer, which is not shown.
    mutating func name(_ pointer: String, _ name: String?, atMost length: Int) {
      guard let name else { return }
      check(
        pointer,
        (1...length).contains(name.utf8.count)
          && !name.unicodeScalars.contains { $0.properties.generalCategory == .control },
        "1 to \(length) bytes of UTF-8 without control characters.")
    }

    /// - Throws: `Problem` validation.
    func end() throws {
      guard fields.isEmpty else { throw Problem.validation(fields) }
    }
  }
}
