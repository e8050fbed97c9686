// SPDX-License-Identifier: Apache-2.0

public import GatehouseUI
public import SaltEdgeAuthenticator

/// The whole Authenticator: the lock in front, four sections, and what lies open above them.
public struct AuthenticatorScreens: ScreenFlow, Equatable {
  /// What stands before the app.
  public enum Gate: Sendable, Equatable {
    case starting
    /// The lock cannot be read.
    case failed(AuthenticatorError)
    /// There is no passcode; true when everything was erased just now.
    case welcome(isErased: Bool)
    case creating(PasscodeSetting)
    /// Asks whether biometrics shall open the app.
    case offering
    case locked(PresenceEntry)
    case open
  }
  /// What lies above the sections.
  public enum Page: Sendable, Equatable {
    case authorization(AuthorizationScreen)
    case connection(ConnectionScreen)
    case consents(ConsentsScreen)
    case connect(ConnectScreen)
    case passcode(PasscodeSetting)
  }

  /// Of texts.
  public internal(set) var language: ScreenLanguage
  /// What stands before the app.
  public internal(set) var gate = Gate.starting
  /// The section that is shown.
  public internal(set) var tab = AuthenticatorTab.authorizations
  /// What lies above it, the last on top.
  public internal(set) var pages: [Page] = []
  /// The section of the same name.
  public internal(set) var list = AuthorizationListScreen()
  /// The section of the same name.
  public internal(set) var connections = ConnectionListScreen()
  /// The section of the same name.
  public internal(set) var history = HistoryScreen()
  /// The section of the same name.
  public internal(set) var settings: SettingsScreen
  /// What is to be opened as soon as the app is.
  public internal(set) var entryPoint: AuthenticatorEntryPoint?
  var offersBiometrics = false
  private var isListWatched = false
  private var isLockWatched = false

  /// Begins.
  /// - Parameter version: of the app, for people; empty where it is not to be shown.
  public init(language: ScreenLanguage, version: String = "") {
    self.language = language
    settings = SettingsScreen(usesBiometrics: nil, language: language, version: version)
  }

  /// Takes an event in.
  public mutating func handle(_ event: AuthenticatorEvent) -> [AuthenticatorEffect] {
    let touch: [AuthenticatorEffect] = gate == .open && event.isTouch ? [.touch] : []
    let effects = react(event)
    return touch + effects + watching()
  }

  /// The same state in another language.
  public func inLanguage(_ language: ScreenLanguage) -> Self {
    var copy = self
    copy.language = language
    copy.settings.speak(language)
    return copy
  }

  private mutating func react(_ event: AuthenticatorEvent) -> [AuthenticatorEffect] {
    let isLocked = event.failure?.errorClass == .appLocked
    if gate != .open || isLocked, case .connect(let inner) = event { takeEnrolment(inner) }
    if gate == .open, isLocked { return closeGate() + [.askLock] }
    if gate == .open, let outcome = event.outcome {
      switch outcome {
      case .wiped, .noPasscode: return erase(isErased: outcome == .wiped)
      case .blocked: return closeGate() + [.askLock]
      default: break
      }
    }
    switch event {
    case .started: return gate == .starting ? [.askLock] : []
    case .lockState(let state, let offers, let has): return take(state, offers: offers, has: has)
    case .failed(let error):
      if gate == .starting { gate = .failed(error) }
      return []
    case .retry:
      guard case .failed = gate else { return [] }
      gate = .starting
      return [.askLock]
    case .wiped: return erase(isErased: true)
    case .wentToBackground: return isOpening ? closeGate() + [.lock] : []
    case .opened(let entryPoint):
      self.entryPoint = entryPoint
      return gate == .open ? openEntryPoint() : []
    case .begin:
      if case .welcome = gate { gate = .creating(PasscodeSetting(.create)) }
      return []
    case .offer(let allows):
      guard gate == .offering else { return [] }
      return allows ? [.useBiometrics(true)] + open() : open()
    case .presence(let inner): return presence(inner)
    case .passcode(let inner): return passcode(inner)
    default: return gate == .open ? inside(event) : []
    }
  }

  /// An enrolment goes on behind the lock, and so does its page; what is asked for next waits until the app is open.
  private mutating func takeEnrolment(_ event: ConnectScreen.Event) {
    guard case .connect(var screen) = pages.last, screen.isEnrolling else { return }
    switch event {
    case .page, .connected, .failed:
      _ = screen.handle(event)
      pages[pages.count - 1] = .connect(screen)
    default: break
    }
  }

  /// Whether the app is open, or may be as soon as a call ends.
  private var isOpening: Bool {
    switch gate {
    case .open, .offering, .locked: true
    case .creating(let setting): setting.isBusy || setting.isDone
    case .starting, .failed, .welcome: false
    }
  }

  private mutating func take(_ state: LockState, offers: Bool, has: Bool) -> [AuthenticatorEffect] {
    // Whatever was open goes, should the app have been locked by another way than its own.
    let leaving = gate == .open && state != .unlocked ? closeGate() : []
    offersBiometrics = offers
    settings = SettingsScreen(usesBiometrics: has ? offers : nil, language: language, version: settings.version)
    switch state {
    case .noPasscode:
      if case .creating = gate { return [] }
      gate = .welcome(isErased: false)
      return leaving
    case .locked: gate = .locked(PresenceEntry(.open, offersBiometrics: offers))
    case .blocked(let rest): gate = .locked(PresenceEntry(.open, offersBiometrics: false, blockedFor: rest))
    case .unlocked:
      if case .creating = gate, has, !offers {
        gate = .offering
        return []
      }
      return gate == .open ? [] : open()
    }
    return leaving
  }

  private mutating func open() -> [AuthenticatorEffect] {
    gate = .open
    return [.loadConnections] + openEntryPoint()
  }

  private mutating func openEntryPoint() -> [AuthenticatorEffect] {
    guard let entryPoint else { return [] }
    self.entryPoint = nil
    let leaving = clearPages()
    switch entryPoint {
    case .push(let push):
      return leaving + show(.authorization(AuthorizationScreen(push, offersBiometrics: offersBiometrics)))
    case .link(let text): return leaving + show(.connect(ConnectScreen(link: text)))
    }
  }

  /// What was open goes, but a bank's page: its sign-in goes on, and what the bank says yes to is kept.
  private mutating func closeGate() -> [AuthenticatorEffect] {
    let kept = pages.filter(\.isConnecting)
    let leaving = pages.filter { !$0.isConnecting }.flatMap(\.lastEffects)
    (pages, gate) = (kept, .starting)
    (list, connections) = (AuthorizationListScreen(), ConnectionListScreen())
    return leaving
  }

  private mutating func erase(isErased: Bool) -> [AuthenticatorEffect] {
    let leaving = clearPages()
    (gate, tab, entryPoint) = (.welcome(isErased: isErased), .authorizations, nil)
    (list, connections, history) = (AuthorizationListScreen(), ConnectionListScreen(), HistoryScreen())
    return leaving
  }

  private mutating func presence(_ event: PresenceEntry.Event) -> [AuthenticatorEffect] {
    // Everything is gone, whatever stands before the app meanwhile.
    if gate != .open, case .outcome(.wiped) = event { return erase(isErased: true) }
    guard case .locked(var entry) = gate else { return [] }
    let isAsked = entry.isBusy
    let effects = entry.handle(event)
    gate = .locked(entry)
    guard isAsked, case .outcome(let outcome) = event else { return effects }
    switch outcome {
    case .passed: return effects + open()
    case .noPasscode: return effects + erase(isErased: false)
    default: return effects
    }
  }

  private mutating func passcode(_ event: PasscodeSetting.Event) -> [AuthenticatorEffect] {
    if case .creating(var setting) = gate {
      let effects = setting.handle(event)
      gate = .creating(setting)
      return effects + (setting.isDone ? [.askLock] : [])
    }
    // It was set while the app was in the background, which opened the app.
    if gate != .open, case .outcome(.set) = event { return [.lock] }
    guard gate == .open, case .passcode(var setting) = pages.last else { return [] }
    let effects = setting.handle(event)
    pages[pages.count - 1] = .passcode(setting)
    return effects
  }

  /// The list is asked for while it is what is shown, and the lock while the app is open: most screens make no call
  /// that would tell that the app has locked itself.
  private mutating func watching() -> [AuthenticatorEffect] {
    let wantsLock = gate == .open
    let wantsList = wantsLock && pages.isEmpty && tab == .authorizations && list.error == nil
    defer { (isListWatched, isLockWatched) = (wantsList, wantsLock) }
    return (wantsList == isListWatched ? [] : [wantsList ? .watchList : .endList])
      + (wantsLock == isLockWatched ? [] : [wantsLock ? .watchLock : .endLockWatch])
  }
}

extension AuthenticatorScreens.Page {
  /// A sign-in at a bank that goes on while the app is locked.
  var isConnecting: Bool {
    if case .connect(let screen) = self { screen.isEnrolling } else { false }
  }

  /// What is done when it goes.
  var lastEffects: [AuthenticatorEffect] {
    switch self {
    case .authorization(let screen): screen.lastEffects
    case .connect(let screen): screen.lastEffects
    case .connection, .consents, .passcode: []
    }
  }

  /// Whether a call is under way whose end is to be seen.
  var isBusy: Bool {
    switch self {
    case .authorization(let screen):
      switch screen.phase {
      case .sending: true
      case .presence(let entry): entry.isBusy
      default: false
      }
    case .connection(let screen): screen.phase == .working
    case .consents(let screen): if case .working = screen.phase { true } else { false }
    case .connect(let screen): screen.phase == .submitting
    case .passcode(let screen): screen.isBusy
    }
  }
}
