// SPDX-License-Identifier: Apache-2.0

internal import GatehouseUI
internal import SaltEdgeAuthenticator

/// What happens while the app is open.
extension AuthenticatorScreens {
  mutating func inside(_ event: AuthenticatorEvent) -> [AuthenticatorEffect] {
    switch event {
    case .back: return pages.last?.isBusy == false ? pop() : []
    case .show(let tab):
      guard pages.last?.isBusy != true else { return [] }
      let leaving = clearPages()
      self.tab = tab
      return leaving + (tab == .connections ? [.loadConnections] : [])
    case .list(.chosen(let authorization)):
      guard pages.isEmpty else { return [] }
      let bank = list.banks[authorization.id.connection] ?? ""
      return show(
        .authorization(AuthorizationScreen(authorization, bank: bank, offersBiometrics: offersBiometrics)))
    case .list(.scan), .connections(.add): return pages.isEmpty ? show(.connect(ConnectScreen())) : []
    case .list(let inner): return list.handle(inner)
    case .connections(.chosen(let connection)):
      return pages.isEmpty ? show(.connection(ConnectionScreen(connection))) : []
    case .connections(let inner): return take(inner)
    case .authorization(let inner): return authorization(inner)
    case .connection(let inner): return connection(inner)
    case .consents(let inner):
      guard case .consents(var screen) = pages.last else { return [] }
      let effects = screen.handle(inner)
      pages[pages.count - 1] = .consents(screen)
      return effects
    case .connect(let inner): return connect(inner)
    case .history(let inner): return history.handle(inner)
    case .settings(let inner): return settings(inner)
    default: return []
    }
  }

  mutating func show(_ page: Page) -> [AuthenticatorEffect] {
    pages.append(page)
    switch page {
    case .authorization(let screen): return screen.firstEffects
    case .consents(let screen): return screen.firstEffects
    case .connect(let screen): return screen.firstEffects
    case .connection, .passcode: return []
    }
  }

  mutating func clearPages() -> [AuthenticatorEffect] {
    defer { pages = [] }
    return pages.flatMap(\.lastEffects)
  }

  private mutating func pop() -> [AuthenticatorEffect] {
    guard let page = pages.popLast() else { return [] }
    return page.lastEffects
  }

  private mutating func take(_ event: ConnectionListScreen.Event) -> [AuthenticatorEffect] {
    let effects = connections.handle(event)
    guard case .listed(let all) = event else { return effects }
    _ = list.handle(.connections(all))
    for (place, page) in pages.enumerated() {
      guard case .authorization(var screen) = page, let guid = screen.id?.connection,
        let bank = all.first(where: { $0.guid == guid })
      else { continue }
      _ = screen.handle(.bank(bank.name))
      pages[place] = .authorization(screen)
    }
    return effects
  }

  private mutating func authorization(_ event: AuthorizationScreen.Event) -> [AuthenticatorEffect] {
    guard case .authorization(var screen) = pages.last else { return [] }
    let wasOver = screen.phase == .over
    var effects = screen.handle(event)
    if let guid = screen.id?.connection, screen.bank.isEmpty, let bank = list.banks[guid] {
      effects += screen.handle(.bank(bank))
    }
    pages[pages.count - 1] = .authorization(screen)
    if screen.phase == .over, !wasOver, let authorization = screen.authorization {
      effects += history.handle(.over(.init(authorization, bank: screen.bank)))
      effects += list.handle(.over(authorization.id))
    }
    return screen.isClosed ? pop() + effects : effects
  }

  private mutating func connection(_ event: ConnectionScreen.Event) -> [AuthenticatorEffect] {
    guard case .connection(var screen) = pages.last else { return [] }
    switch event {
    case .reconnect:
      guard screen.phase == .shown, screen.connection.status == .inactive else { return [] }
      pages.removeLast()
      return show(.connect(ConnectScreen(reconnecting: screen.connection.guid)))
    case .consents:
      guard screen.phase == .shown, screen.connection.status == .active else { return [] }
      return show(.consents(ConsentsScreen(screen.connection)))
    default:
      let effects = screen.handle(event)
      pages[pages.count - 1] = .connection(screen)
      if case .renamed = event { return effects + [.loadConnections] }
      return effects
    }
  }

  private mutating func connect(_ event: ConnectScreen.Event) -> [AuthenticatorEffect] {
    guard case .connect(var screen) = pages.last else { return [] }
    if case .outcome(.confirm(let id, let address)) = event, screen.phase == .submitting {
      pages.removeLast()
      return show(
        .authorization(
          AuthorizationScreen(
            id, returnTo: address, bank: list.banks[id.connection] ?? "", offersBiometrics: offersBiometrics)))
    }
    let effects = screen.handle(event)
    pages[pages.count - 1] = .connect(screen)
    guard case .done = event else { return effects }
    switch screen.phase {
    case .connected, .actionDone: return pop() + effects
    default: return effects
    }
  }

  private mutating func settings(_ event: SettingsScreen.Event) -> [AuthenticatorEffect] {
    switch event {
    case .changePasscode:
      guard tab == .settings, pages.isEmpty, settings.phase == .shown else { return [] }
      return show(.passcode(PasscodeSetting(.change)))
    case .biometricsKept(let uses): offersBiometrics = uses
    default: break
    }
    let effects = settings.handle(event)
    language = settings.language
    return effects
  }
}
