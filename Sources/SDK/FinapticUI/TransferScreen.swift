// SPDX-License-Identifier: Apache-2.0

public import CryptoPrimitives
public import Finaptic
public import Foundation
internal import GatehouseUI

/// A transfer to another account of the customer's. It is sent under a key that is drawn before, so that one whose
/// outcome is not known can be repeated and is done once.
public struct TransferScreen: Sendable, Equatable, Redacted {
  /// The events that the view model of this screen handles.
  public enum Event: Sendable, Redacted {
    case choose(String)
    case amount(String)
    case review
    case key(UUID)
    /// Sends it, also once more.
    case send
    /// Asks the bank what became of it.
    case lookUp
    case settled(TransferStatus)
    case failed(FinapticErrorCode)
    /// It was not sent this time, and why not.
    case notSent(FinapticText)
    /// What became of it is still not known, and why not.
    case unsettled(FinapticText)
    case back, done
  }

  /// The phases of this screen.
  public enum Phase: Sendable, Equatable {
    case form
    /// A key is being drawn.
    case keying
    case review
    case sending
    /// The bank is being asked what became of it.
    case asking
    /// It may have been done.
    case unknown
    case over(TransferStatus)
  }

  private static let amountMax = 20

  /// The present phase of the screen.
  public private(set) var phase = Phase.form
  /// Where to; nil until it was chosen.
  public private(set) var target: String?
  /// As it was typed.
  public private(set) var amount = ""
  /// What went wrong; nil when nothing did.
  public private(set) var problem: FinapticText?
  /// What is sent, with its key; nil before the review.
  public private(set) var request: InitiateTransferRequest?
  /// Whether the screen was left.
  private(set) var isLeft = false
  /// Whether it may have been done.
  private var isDoubtful = false
  private let source: Account?
  private let accounts: [Account]

  init(from source: Account, accounts: [Account]) {
    (self.source, self.accounts) = (source, accounts.filter { $0.id != source.id })
  }

  init(pending request: InitiateTransferRequest) {
    (self.request, source, accounts, phase, isDoubtful) = (request, nil, [], .unknown, true)
  }

  var isOver: Bool { if case .over = phase { true } else { false } }

  /// More than nothing, with two decimals at most, in digits of any script; nil when it is not.
  var money: Decimal? {
    let parts = amount.replacing(",", with: ".").replacing("\u{66b}", with: ".").split(
      separator: ".", omittingEmptySubsequences: false)
    let digits = parts.map { TypedDigits.ascii(String($0), max: Self.amountMax) }
    guard parts.count <= 2, zip(parts, digits).allSatisfy({ $0.count == $1.count && !$1.isEmpty }),
      digits.count == 1 || digits[1].count <= 2,
      let value = Decimal(string: digits.joined(separator: "."), locale: Locale(identifier: "en_US_POSIX")), value > 0
    else { return nil }
    return value
  }

  mutating func handle(_ event: Event) -> [FinapticEffect] {
    switch (event, phase) {
    case (.choose(let id), .form): target = id
    case (.amount(let text), .form): (amount, problem) = (String(text.prefix(Self.amountMax)), nil)
    case (.review, .form) where target != nil && money != nil:
      (phase, problem) = (.keying, nil)
      return [.drawKey]
    case (.key(let key), .keying): review(under: key)
    case (.send, .review), (.send, .unknown):
      (phase, problem) = (.sending, nil)
      return request.map { [.transfer($0)] } ?? []
    case (.lookUp, .unknown):
      (phase, problem) = (.asking, nil)
      return request.map { [.lookUp($0)] } ?? []
    case (.settled(let status), .sending), (.settled(let status), .asking): phase = .over(status)
    case (.failed(let code), .sending):
      let refused = source == nil ? Phase.over(.declined) : .form
      isDoubtful = Self.isUnknown(code)
      (phase, problem) = (isDoubtful ? .unknown : refused, FinapticText(code))
    case (.notSent(let why), .sending): (phase, problem) = (isDoubtful ? .unknown : .review, why)
    case (.unsettled(let why), .asking): (phase, problem) = (.unknown, why)
    case (.back, .form), (.done, .over): isLeft = true
    case (.back, .review): (phase, request, problem) = (.form, nil, nil)
    default: break
    }
    return []
  }

  /// Whether it may have been done after this answer (finaptic §9). A server that was asked too often answers before it
  /// looks whether the transfer is booked, and the SDK may have sent it before.
  static func isUnknown(_ code: FinapticErrorCode) -> Bool {
    [.cancelled, .unknown, .deadlineExceeded, .internal, .unavailable, .dataLoss, .resourceExhausted].contains(code)
  }

  private mutating func review(under key: UUID) {
    guard let source, let target, let money else { return phase = .form }
    request = InitiateTransferRequest(
      sourceAccountId: source.id, destinationAccountId: target,
      fundTransfer: Amount(amount: money, currency: source.balance.available.currency), idempotencyKey: key)
    phase = .review
  }

  // MARK: What is shown

  /// - Parameter known: all accounts, as far as they were loaded.
  func screen(
    _ texts: ScreenTexts<FinapticText>, known: Listed<Account>, in context: ScreenContext
  ) -> Screen<Event> {
    var elements: [ScreenElement<Event>] = problem.map { [.text(texts[$0], .problem)] } ?? []
    var back: ScreenButton<Event>? = ScreenButton("back", texts[.actionBack], .back)
    let state: String
    switch phase {
    case .form, .keying:
      state = phase == .keying ? "keying" : problem == nil ? "form" : "form.again"
      elements += form(texts, in: context)
    case .review:
      state = problem == nil ? "review" : "review.again"
      elements +=
        facts(texts, known, in: context) + [
          .button(ScreenButton("send", texts[.transferSend], role: .primary, .send))
        ]
    case .sending, .asking:
      // Each is the page that it was begun on.
      state = phase == .asking ? "unknown.asking" : isDoubtful ? "unknown.sending" : "review.sending"
      back = nil
      elements += facts(texts, known, in: context) + [.progress(texts[.loading])]
    case .unknown:
      (state, back) = (problem == .transferNotMade ? "unknown.not-made" : "unknown", nil)
      elements +=
        facts(texts, known, in: context) + [
          .text(texts[.transferUnknown], .body),
          .button(ScreenButton("send", texts[.transferRepeat], hint: texts[.transferOnce], role: .primary, .send)),
          .button(ScreenButton("look-up", texts[.transferLookUp], .lookUp)),
        ]
      if known.items == nil, known.isBusy { elements.append(.progress(texts[.loading])) }
    case .over(let status):
      (state, back) = ("over.\(status)", nil)
      let told: FinapticText =
        switch status {
        case .completed: .transferCompleted
        case .declined: .transferDeclined
        case .pending, .unspecified: .transferPending
        }
      elements +=
        facts(texts, known, in: context) + [
          .text(texts[told], status == .completed ? .success : status == .declined ? .problem : .body),
          .button(ScreenButton("done", texts[.actionDone], role: .primary, .done)),
        ]
    }
    return Screen(id: "transfer.\(state)", title: texts[.transferTitle], elements: elements, back: back)
  }

  private func form(_ texts: ScreenTexts<FinapticText>, in context: ScreenContext) -> [ScreenElement<Event>] {
    guard !accounts.isEmpty else { return [.text(texts[.transferNoTarget], .body)] }
    let rows = accounts.map { account in
      ScreenElement<Event>.row(
        ScreenRow(
          "to-\(account.id)", account.name, detail: context.text(account.balance.available),
          badge: account.id == target ? texts[.chosen] : "", .choose(account.id)))
    }
    let isReady = target != nil && money != nil
    return [.text(texts[.transferTo], .heading)] + rows + [
      .input(
        ScreenInput("amount", texts[.amount], kind: .amount, value: amount, isEnabled: phase == .form) { .amount($0) }),
      phase == .keying
        ? .progress(texts[.loading])
        : .button(ScreenButton("review", texts[.actionContinue], role: .primary, isEnabled: isReady, .review)),
    ]
  }

  private func facts(
    _ texts: ScreenTexts<FinapticText>, _ known: Listed<Account>, in context: ScreenContext
  ) -> [ScreenElement<Event>] {
    guard let request else { return [] }
    // Several accounts may have one name: what is available tells them apart. A kept transfer is there before they are
    // loaded, and its ids tell a person nothing.
    func name(_ id: String) -> String? {
      known.items?.first { $0.id == id }.map { "\($0.name), \(context.text($0.balance.available))" }
    }
    let ends = [(FinapticText.transferFrom, request.sourceAccountId), (.transferTo, request.destinationAccountId)]
    return ends.compactMap { label, id in name(id).map { .fact(label: texts[label], value: $0) } } + [
      .fact(label: texts[.amount], value: context.text(request.fundTransfer))
    ]
  }
}
