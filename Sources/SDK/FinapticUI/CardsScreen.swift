// SPDX-License-Identifier: Apache-2.0

public import CryptoPrimitives
public import Finaptic
internal import GatehouseUI

/// The customer's cards: looked at, locked and unlocked.
public struct CardsScreen: Sendable, Equatable, Redacted {
  /// The events that the view model of this screen handles.
  public enum Event: Sendable, Redacted {
    case listed([Card])
    case changed(Card)
    case failed(FinapticErrorCode)
    case reload, back
    case open(String)
    case lock(Bool)
  }

  /// All cards.
  public private(set) var list = Listed<Card>()
  /// The card that is looked at; nil for all.
  public private(set) var open: Card?
  /// Whether it is being locked or unlocked.
  public private(set) var isChanging = false
  /// Why that failed; nil when it did not.
  public private(set) var problem: FinapticText?

  init() {}

  mutating func load() -> [FinapticEffect] {
    list.begin()
    return [.loadCards]
  }

  mutating func handle(_ event: Event) -> [FinapticEffect] {
    switch event {
    case .listed(let cards) where list.isBusy: list.take(cards)
    case .changed(let card) where isChanging: (open, isChanging) = (card, false)
    case .failed(let code) where isChanging: (isChanging, problem) = (false, FinapticText(code))
    case .failed(let code) where list.isBusy: list.fail(code)
    case .reload where open == nil && !list.isBusy: return load()
    case .back where open != nil && !isChanging:
      (open, problem) = (nil, nil)
      return load()
    case .open(let id) where open == nil && !list.isBusy: open = list.items?.first { $0.id == id }
    case .lock(let isLocked) where !isChanging:
      guard let open else { break }
      (isChanging, problem) = (true, nil)
      return [.lock(card: open.id, isLocked)]
    default: break
    }
    return []
  }

  func screen(_ texts: ScreenTexts<FinapticText>) -> Screen<Event> {
    guard let open else {
      return Screen(
        id: "cards.\(list.state)", title: texts[.tabCards],
        elements: list.elements(texts, empty: .cardsNone, retry: .reload) { card in
          .row(
            ScreenRow(
              "card-\(card.id)", Self.name(card, texts), badge: texts[Self.text(of: card.state)], .open(card.id)))
        })
    }
    var elements: [ScreenElement<Event>] = problem.map { [.text(texts[$0], .problem)] } ?? []
    elements += [
      .fact(label: texts[.cardState], value: texts[Self.text(of: open.state)]),
      .toggle(
        ScreenToggle("locked", texts[.cardLock], isOn: open.state == .locked, isEnabled: !isChanging) { .lock($0) }),
      .text(texts[.cardLockText], .note),
    ]
    if isChanging { elements.append(.progress(texts[.loading])) }
    return Screen(
      id: "card.\(open.state)\(isChanging ? ".busy" : problem == nil ? "" : ".again")", title: Self.name(open, texts),
      elements: elements, back: isChanging ? nil : ScreenButton("back", texts[.actionBack], .back))
  }

  private static func name(_ card: Card, _ texts: ScreenTexts<FinapticText>) -> String {
    card.description.flatMap { $0.isEmpty ? nil : $0 } ?? texts[.card]
  }

  private static func text(of state: CardState) -> FinapticText {
    switch state {
    case .active: .cardActive
    case .locked: .cardLocked
    case .unspecified: .cardUnknown
    }
  }
}
