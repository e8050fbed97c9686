// SPDX-License-Identifier: Apache-2.0

public import SaltEdgeAuthenticator

/// What happens to the app: what the user does, and what calls answer.
public enum AuthenticatorEvent: Sendable, Redacted {
  /// The app comes up.
  case started
  /// Where the lock stands, whether biometrics open it, and whether the device has any.
  case lockState(LockState, offersBiometrics: Bool, hasBiometrics: Bool)
  /// The lock could not be asked.
  case failed(AuthenticatorError)
  /// Everything was erased.
  case wiped
  case wentToBackground
  /// Another app, the system or a push leads here.
  case opened(AuthenticatorEntryPoint)
  case begin
  case offer(allows: Bool)
  case retry
  case back
  case show(AuthenticatorTab)
  case presence(PresenceEntry.Event)
  case passcode(PasscodeSetting.Event)
  case list(AuthorizationListScreen.Event)
  case authorization(AuthorizationScreen.Event)
  case connections(ConnectionListScreen.Event)
  case connection(ConnectionScreen.Event)
  case consents(ConsentsScreen.Event)
  case connect(ConnectScreen.Event)
  case history(HistoryScreen.Event)
  case settings(SettingsScreen.Event)
}

/// What leads into the app from outside.
public enum AuthenticatorEntryPoint: Sendable, Equatable, Redacted {
  /// A push notification was tapped.
  case push(PushPayload)
  /// A link of the app's scheme was opened.
  case link(String)
}

/// The sections of the app.
public enum AuthenticatorTab: String, Sendable, CaseIterable {
  case authorizations, connections, history, settings
}

extension AuthenticatorEvent {
  /// What a call failed with; nil for everything else.
  var failure: AuthenticatorError? {
    switch self {
    case .failed(let error), .presence(.failed(let error)), .passcode(.failed(let error)), .list(.failed(let error)),
      .authorization(.failed(_, let error)), .authorization(.presence(.failed(let error))),
      .connections(.failed(let error)), .connection(.failed(let error)), .consents(.failed(let error)),
      .connect(.failed(let error)), .settings(.failed(let error)):
      error
    default: nil
    }
  }

  /// What the lock said to a passcode or biometrics while the app was open.
  var outcome: LockOutcome? {
    switch self {
    case .authorization(.presence(.outcome(let outcome))), .passcode(.outcome(.refused(let outcome))): outcome
    default: nil
    }
  }

  /// Whether the user did it, and not a call.
  var isTouch: Bool {
    guard failure == nil, outcome == nil else { return false }
    switch self {
    case .lockState, .wiped, .wentToBackground, .started, .presence(.outcome), .passcode(.outcome), .list(.listed),
      .list(.connections), .list(.over), .authorization(.shown), .authorization(.bank), .authorization(.closingDue),
      .connections(.listed), .connection(.renamed), .connection(.removed), .consents(.listed), .consents(.revoked),
      .connect(.read), .connect(.page), .connect(.connected), .connect(.found), .connect(.outcome), .history(.over),
      .settings(.biometricsKept):
      return false
    default: return true
    }
  }
}
