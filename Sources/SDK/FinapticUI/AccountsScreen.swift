// SPDX-License-Identifier: Apache-2.0

public import CryptoPrimitives
public import Finaptic
internal import GatehouseUI
internal import GatehouseWire

/// The customer's accounts, the transactions of one of them, and a transfer from it.
public struct AccountsScreen: Sendable, Equatable, Redacted {
  /// The events that the view model of this screen handles.
  public enum Event: Sendable, Redacted {
    case listed([Account])
    /// A page of transactions, newest first.
    case history([Transaction], next: String?, isFirst: Bool)
    case failed(FinapticErrorCode)
    case reload, more, back
    case open(String)
    case beginTransfer
    /// What someone needs who pays into the account that is looked at.
    case receive
    case transfer(TransferScreen.Event)
  }

  /// All accounts.
  public private(set) var list = Listed<Account>()
  /// The account that is looked at; nil for all.
  public private(set) var open: Account?
  /// Whether the customer sees what someone needs who pays into it.
  public private(set) var isReceiving = false
  /// Its transactions, as far as they were loaded.
  public private(set) var history = Listed<Transaction>()
  private var next: String?
  /// The transfer that is being made; nil when none is.
  public private(set) var transfer: TransferScreen?

  init() {}

  mutating func load() -> [FinapticEffect] {
    list.begin()
    return [.loadAccounts]
  }

  /// A transfer whose outcome is not known.
  mutating func take(pending request: InitiateTransferRequest) { transfer = TransferScreen(pending: request) }

  mutating func handle(_ event: Event) -> [FinapticEffect] {
    switch event {
    case .listed(let accounts) where list.isBusy: list.take(accounts)
    case .history(let page, let next, let isFirst) where history.isBusy:
      history.take((isFirst ? [] : history.items ?? []) + page)
      self.next = next
    case .failed(let code) where history.isBusy: history.fail(code)
    case .failed(let code) where list.isBusy: list.fail(code)
    case .transfer(let inner): return handle(inner)
    case .open(let id) where open == nil && transfer == nil:
      guard let account = list.items?.first(where: { $0.id == id }) else { break }
      // The account's own call ends that of the list.
      (open, history, next, list.isBusy) = (account, Listed(), nil, false)
      return page(from: nil)
    case .reload where transfer == nil && open != nil && !history.isBusy: return page(from: nil)
    case .reload where transfer == nil && open == nil && !list.isBusy, .reload where isUnnamed: return load()
    case .more where transfer == nil && open != nil && !history.isBusy: return next.map { page(from: $0) } ?? []
    case .back where isReceiving: isReceiving = false
    case .receive where transfer == nil && open?.number != nil: isReceiving = true
    case .back where transfer == nil && open != nil:
      (open, history) = (nil, Listed())
      return load()
    case .beginTransfer:
      guard transfer == nil, !isReceiving, let open else { break }
      transfer = TransferScreen(from: open, accounts: list.items ?? [])
    default: break
    }
    return []
  }

  /// Whether a kept transfer cannot say between which accounts it is, since they could not be loaded.
  private var isUnnamed: Bool { transfer?.phase == .unknown && list.items == nil && !list.isBusy }

  private mutating func page(from token: String?) -> [FinapticEffect] {
    history.begin()
    return open.map { [.loadTransactions(account: $0.id, from: token)] } ?? []
  }

  private mutating func handle(_ event: TransferScreen.Event) -> [FinapticEffect] {
    guard let isOver = transfer?.isOver, let effects = transfer?.handle(event) else { return [] }
    // Balances are others after a transfer.
    guard transfer?.isLeft == true else { return effects }
    transfer = nil
    if !isOver { return effects }
    (open, history) = (nil, Listed())
    return load()
  }

  func screen(_ texts: ScreenTexts<FinapticText>, in context: ScreenContext) -> Screen<Event> {
    if let transfer {
      var screen = transfer.screen(texts, known: list, in: context).map { Event.transfer($0) }
      if isUnnamed { screen.elements.append(.button(ScreenButton("reload", texts[.actionReload], .reload))) }
      return screen
    }
    guard let open else {
      return Screen(
        id: "accounts.\(list.state)", title: texts[.tabAccounts],
        elements: list.elements(texts, empty: .accountsNone, retry: .reload) { account in
          .row(
            ScreenRow(
              "account-\(account.id)", account.name, detail: context.text(account.balance.available),
              .open(account.id)))
        })
    }
    guard !isReceiving else { return receiving(open, texts) }
    var elements: [ScreenElement<Event>] = [
      .fact(label: texts[.balance], value: context.text(open.balance.actual)),
      .fact(label: texts[.available], value: context.text(open.balance.available)),
    ]
    elements += open.number?.elements(texts) ?? []
    elements.append(.button(ScreenButton("transfer", texts[.transferTitle], role: .primary, .beginTransfer)))
    if open.number != nil { elements.append(.button(ScreenButton("receive", texts[.receiveTitle], .receive))) }
    elements.append(.text(texts[.transactions], .heading))
    elements += history.elements(texts, empty: .transactionsNone, retry: .reload) { one in
      .row(
        ScreenRow(
          one.transactionId, one.transactorName, detail: context.dateText(WireInstant(one.transactionTime)),
          badge: context.text(one.amount), nil))
    }
    if next != nil, !history.isBusy { elements.append(.button(ScreenButton("more", texts[.actionMore], .more))) }
    return Screen(
      id: "account.\(history.state)\(next == nil ? "" : "-more")", title: open.name, elements: elements,
      back: ScreenButton("back", texts[.actionBack], .back))
  }

  private func receiving(_ account: Account, _ texts: ScreenTexts<FinapticText>) -> Screen<Event> {
    Screen(
      id: "receive", title: texts[.receiveTitle],
      elements: [.text(texts[.receiveText], .body), .fact(label: texts[.receiveTo], value: account.name)]
        + (account.number?.elements(texts) ?? []),
      back: ScreenButton("back", texts[.actionBack], .back))
  }
}

extension AccountNumber {
  /// As forms of payers ask for it: the IBAN, or one by one transit, institution and account.
  fileprivate func elements<Event: Sendable>(_ texts: ScreenTexts<FinapticText>) -> [ScreenElement<Event>] {
    func element(_ id: String, _ label: FinapticText, _ value: String, shown: String? = nil) -> ScreenElement<Event> {
      .copyable(
        ScreenCopyable(
          id, label: texts[label], value: shown ?? value, copied: value, action: texts[.actionCopy],
          done: texts[.copied]))
    }
    if let iban { return [element("iban", .iban, iban, shown: formatted)] }
    return [
      transit.map { element("transit", .transit, $0) }, element("institution", .institution, institution),
      element("number", .accountNumber, number),
    ].compactMap(\.self)
  }
}
