// SPDX-License-Identifier: Apache-2.0

internal import Finaptic
public import GatehouseUI

/// The app of a bank's customer: signing in, accounts with transactions and transfers, cards, and conversations.
public struct FinapticScreens: ScreenFlow, Equatable {
  /// Whether a user is signed in.
  public enum Gate: Sendable, Equatable {
    case starting
    case signedOut(SignInScreen)
    case open
    /// The session is being ended.
    case leaving
  }

  /// Of texts.
  public private(set) var language: ScreenLanguage
  /// Whether a user is signed in.
  public private(set) var gate = Gate.starting
  /// The section that is shown.
  public private(set) var tab = FinapticTab.accounts
  /// The sections; new ones after each signing in.
  public private(set) var accounts = AccountsScreen()
  public private(set) var cards = CardsScreen()
  public private(set) var chat = ChatScreen()

  /// Begins.
  public init(language: ScreenLanguage) { self.language = language }

  /// The same state in another language.
  public func inLanguage(_ language: ScreenLanguage) -> Self {
    var copy = self
    copy.language = language
    return copy
  }

  /// Takes an event in.
  public mutating func handle(_ event: FinapticEvent) -> [FinapticEffect] {
    switch (event, gate) {
    case (.started, .starting): return [.look]
    case (.signedIn, .starting), (.signedIn, .signedOut):
      self = Self(language: language)
      gate = .open
      return accounts.load()
    case (.signedOut, .starting), (.signedOut, .leaving): gate = .signedOut(SignInScreen())
    case (.sessionOver, .starting), (.sessionOver, .open):
      gate = .signedOut(SignInScreen(problem: .failureSession))
      return [.closeChat]
    case (.sign(let inner), .signedOut(var screen)):
      let effects = screen.handle(inner)
      gate = .signedOut(screen)
      return effects
    case (_, .open): return inside(event)
    default: break
    }
    return []
  }

  private mutating func inside(_ event: FinapticEvent) -> [FinapticEffect] {
    switch event {
    case .pending(let request):
      tab = .accounts
      accounts.take(pending: request)
    case .tab(let chosen) where chosen != tab:
      tab = chosen
      return load()
    case .signOut:
      gate = .leaving
      return [.closeChat, .signOut]
    case .accounts(let inner): return accounts.handle(inner)
    case .cards(let inner): return cards.handle(inner)
    case .chat(let inner): return chat.handle(inner)
    default: break
    }
    return []
  }

  /// A section that is shown for the first time has nothing yet.
  private mutating func load() -> [FinapticEffect] {
    switch tab {
    // A transfer that is shown loads them when it is left.
    case .accounts where accounts.transfer == nil && accounts.list.items == nil && !accounts.list.isBusy:
      accounts.load()
    case .cards where cards.list.items == nil && !cards.list.isBusy: cards.load()
    case .chat where chat.list.items == nil && !chat.list.isBusy: chat.load()
    default: []
    }
  }

  /// What is shown, in the machine's language whatever the context's is.
  public func screen(in context: ScreenContext) -> Screen<FinapticEvent> {
    let texts = ScreenTexts<FinapticText>(language)
    switch gate {
    case .starting, .leaving:
      return Screen(
        id: gate == .starting ? "starting" : "leaving", title: texts[.appTitle], elements: [.progress(texts[.loading])])
    case .signedOut(let screen): return screen.screen(texts).map { .sign($0) }
    case .open: break
    }
    var screen: Screen<FinapticEvent> =
      switch tab {
      case .accounts: accounts.screen(texts, in: context).map { .accounts($0) }
      case .cards: cards.screen(texts).map { .cards($0) }
      case .chat: chat.screen(texts, in: context).map { .chat($0) }
      }
    // Only at the top of a section, so that nothing is left half done; and beside a transfer whose outcome is not
    // known, which stays kept: a card can be locked meanwhile.
    let isWaiting = tab == .accounts && accounts.transfer?.phase == .unknown
    guard isWaiting || screen.back == nil && screen.id.hasPrefix("\(tab.rawValue).") else { return screen }
    screen.elements.append(.button(ScreenButton("sign-out", texts[.signOut], .signOut)))
    screen.tabs = FinapticTab.allCases.map { one in
      let title: FinapticText =
        switch one {
        case .accounts: .tabAccounts
        case .cards: .tabCards
        case .chat: .tabChat
        }
      return ScreenTab(one.rawValue, texts[title], isSelected: one == tab, .tab(one))
    }
    return screen
  }
}
