// SPDX-License-Identifier: Apache-2.0

package import AuthenticatorUI
package import SaltEdgeAuthenticator

extension ScreenSpecimen {
  /// One of each kind of event, and of what it may carry.
  package static var events: [AuthenticatorEvent] { gate + lists + decisions + connecting + keeping }

  /// Of the demonstration: a push, an action and a link.
  package static let push = PushPayload(fcm: ["connection_id": "9", "authorization_id": "1"])
  package static let action = ActionLink(.v2(actionID: "3", providerID: "9"))
  package static let link = ConnectLink(configuration: bank, connectQuery: nil)

  private static var gate: [AuthenticatorEvent] {
    [
      .started, .retry, .begin, .back, .wentToBackground, .wiped, .failed(offline), .offer(allows: true),
      .offer(allows: false), .opened(.link(link.text)),
    ] + (push.map { [.opened(.push($0))] } ?? [])
      + [LockState.noPasscode, .locked, .unlocked, .blocked(for: .seconds(300))].map {
        .lockState($0, offersBiometrics: false, hasBiometrics: true)
      } + [.lockState(.locked, offersBiometrics: true, hasBiometrics: true)]
      + AuthenticatorTab.allCases.map { .show($0) } + outcomes.map { .presence(.outcome($0)) }
      + [
        .presence(.biometrics), .presence(.failed(offline)), .presence(.retry), .presence(.forgot), .presence(.keep),
        .presence(.erase), .passcode(.outcome(.set)), .passcode(.outcome(.malformed)),
        .passcode(.outcome(.refused(.wrong(attemptsLeft: 4)))), .passcode(.failed(offline)),
      ]
  }

  private static let outcomes: [LockOutcome] = [
    .wrong(attemptsLeft: 4), .blocked(for: .seconds(60)), .wiped, .noPasscode, .biometricsRefused,
    .biometricsLockedOut, .deviceRefused,
  ]

  private static var lists: [AuthenticatorEvent] {
    [
      .list(.listed([authorization()], failures: [:])), .list(.listed([], failures: ["C1": offline])),
      .list(.failed(offline)), .list(.failed(locked)), .list(.retry), .list(.scan), .list(.chosen(authorization())),
      .connections(.listed([])), .connections(.listed([connection(), connection("C2", "Lost Bank", .inactive)])),
      .connections(.failed(offline)), .connections(.retry), .connections(.add), .connections(.chosen(connection())),
      .connections(.chosen(connection("C2", "Lost Bank", .inactive))), .history(.clear),
    ]
  }

  private static var decisions: [AuthenticatorEvent] {
    [AuthorizationState.pending, .processing, .confirmed, .denied, .error, .timeOut, .unavailable].map {
      .authorization(.shown(authorization("1", $0)))
    }
      + outcomes.map { .authorization(.presence(.outcome($0))) }
      + [
        .authorization(.confirm), .authorization(.deny), .authorization(.cancelPresence), .authorization(.retry),
        .authorization(.closingDue), .authorization(.presence(.biometrics)),
        .authorization(.failed(authorization().id, offline)), .authorization(.failed(nil, offline)),
        .authorization(.failed(authorization().id, AuthenticatorError(.outOfOrder, .userPresenceMissing))),
        .authorization(.failed(authorization().id, locked)),
      ]
  }

  private static var connecting: [AuthenticatorEvent] {
    [
      .connect(.scanned(link.text)), .connect(.byHand), .connect(.typed(link.text)), .connect(.take),
      .connect(.read(nil)), .connect(.read(.connect(link))), .connect(.read(.action(action))),
      .connect(.page(SignInRequest(specimen: bank))), .connect(.pageEnded(nil)), .connect(.connected(connection())),
      .connect(.found(action, [])), .connect(.found(action, [connection()])),
      .connect(.found(action, [connection(), connection("C3", "Second Bank")])), .connect(.chosen("C1")),
      .connect(.outcome(.done(returnTo: bank))), .connect(.outcome(.refused)),
      .connect(.outcome(.confirm(authorization().id, returnTo: bank))), .connect(.failed(offline)), .connect(.again),
      .connect(.done),
    ]
  }

  private static var keeping: [AuthenticatorEvent] {
    [
      .connection(.rename), .connection(.typed("Mine")), .connection(.save), .connection(.cancel),
      .connection(.askRemove), .connection(.remove), .connection(.reconnect), .connection(.consents),
      .connection(.renamed(connection("C1", "Mine"))), .connection(.removed(guid: "C1", isHeard: true)),
      .connection(.removed(guid: "C1", isHeard: false)), .connection(.failed(offline)),
      .connection(.failed(AuthenticatorError(.outOfOrder, .nameTaken))),
      .consents(.listed(guid: "C1", [consent()])), .consents(.listed(guid: "C1", [])), .consents(.chosen(consent())),
      .consents(.askRevoke), .consents(.revoke), .consents(.cancel), .consents(.revoked(id: "7", true)),
      .consents(.revoked(id: "7", false)), .consents(.failed(offline)), .consents(.retry),
      .settings(.changePasscode), .settings(.biometrics(true)), .settings(.biometricsKept(true)),
      .settings(.languages), .settings(.language(.english)), .settings(.lock), .settings(.askErase),
      .settings(.erase), .settings(.cancel), .settings(.failed(offline)),
    ]
  }
}
