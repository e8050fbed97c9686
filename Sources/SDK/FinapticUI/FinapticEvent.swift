// SPDX-License-Identifier: Apache-2.0

public import CryptoPrimitives
public import Finaptic
public import GatehouseUI

/// A section of the app; the raw value is its id.
public enum FinapticTab: String, Sendable, CaseIterable {
  case accounts, cards, chat
}

/// What happens: what the user does, and what calls answer.
public enum FinapticEvent: Sendable, Redacted {
  /// The app comes up.
  case started
  case signedIn, signedOut
  /// The server takes the session no more, whichever call was told.
  case sessionOver
  /// A transfer of this user's was sent before, and what became of it is not known.
  case pending(InitiateTransferRequest)
  case sign(SignInScreen.Event)
  case tab(FinapticTab)
  case signOut
  case accounts(AccountsScreen.Event)
  case cards(CardsScreen.Event)
  case chat(ChatScreen.Event)
}

/// What the screens want done: each is one call of the SDK.
public enum FinapticEffect: ScreenEffect, Redacted {
  /// Asks whether a user is signed in.
  case look
  /// Makes a user, and signs in.
  case signUp(Credential)
  case signIn(Credential, code: String?)
  /// Has a link sent with which a new password is chosen.
  case resetPassword(email: String)
  case signOut
  case loadAccounts
  /// - Parameter from: a page's token; nil for the newest.
  case loadTransactions(account: String, from: String?)
  /// A key for a transfer that is not sent yet.
  case drawKey
  case transfer(InitiateTransferRequest)
  /// Asks what became of a transfer.
  case lookUp(InitiateTransferRequest)
  case loadCards
  case lock(card: String, Bool)
  case loadThreads
  /// Opens a conversation, and follows it.
  case openChat(thread: String?, subject: String)
  case say(String)
  case closeChat

  /// One call after the other for each part of the app; what is said waits for no other sentence.
  public var lane: String? {
    switch self {
    case .look, .signUp, .signIn, .resetPassword, .signOut: "session"
    case .loadAccounts, .loadTransactions: "accounts"
    case .drawKey, .transfer, .lookUp: "transfer"
    case .loadCards, .lock: "cards"
    case .loadThreads: "threads"
    case .openChat, .closeChat: "chat"
    case .say: nil
    }
  }

  /// Whether it only ends what runs in its lane.
  public var endsLane: Bool { self == .closeChat }

  /// Whether it goes on by itself.
  public var isWatch: Bool { if case .openChat = self { true } else { false } }
}

/// A list that is loaded: what it has, whether a call is under way, and what went wrong.
public struct Listed<Item: Sendable & Equatable>: Sendable, Equatable {
  /// Nil before it was loaded.
  public internal(set) var items: [Item]?
  /// Whether it is being loaded.
  public internal(set) var isBusy = false
  /// Why it could not be; nil when it could.
  public internal(set) var problem: FinapticText?

  mutating func begin() { (isBusy, problem) = (true, nil) }
  mutating func take(_ items: [Item]) { self = Listed(items: items) }
  mutating func fail(_ code: FinapticErrorCode) { (isBusy, problem) = (false, FinapticText(code)) }

  /// Names the state in the id of a screen.
  var state: String {
    isBusy ? "loading" : problem != nil ? "failed" : items?.isEmpty == false ? "list" : "empty"
  }

  /// Rows, or what is shown instead of them.
  func elements<Event: Sendable>(
    _ texts: ScreenTexts<FinapticText>, empty: FinapticText, retry: Event, row: (Item) -> ScreenElement<Event>
  ) -> [ScreenElement<Event>] {
    var elements = (items ?? []).map(row)
    if isBusy { return elements + [.progress(texts[.loading])] }
    if let problem {
      elements.append(.text(texts[problem], .problem))
    } else if elements.isEmpty {
      elements.append(.text(texts[empty], .body))
    }
    return elements + [.button(ScreenButton("reload", texts[.actionReload], retry))]
  }
}

extension ScreenContext {
  /// For people.
  func text(_ amount: Amount) -> String { amountText(amount.amount, amount.currency) }
}
