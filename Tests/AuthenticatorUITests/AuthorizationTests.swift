// SPDX-License-Identifier: Apache-2.0

import AuthenticatorUI
import GatehouseUI
import SaltEdgeAuthenticator
import Testing

@Suite("Screens: one authorization")
struct AuthorizationTests {
  private let asked = Specimen.authorization()

  private func details(biometrics: Bool = false) -> AuthorizationScreen {
    AuthorizationScreen(asked, bank: "Utopia Bank", offersBiometrics: biometrics)
  }

  @Test("from the list, confirming asks for the passcode before anything is sent, and the row's screen closes after it")
  func confirm() {
    var screen = details()
    #expect(screen.firstEffects == [.watch(asked.id)])
    #expect(screen.handle(.confirm) == [])
    #expect(screen.screen(in: Specimen.context).id == "authorization.confirm.asking")
    let passcode = TypedPasscode("1234")
    #expect(screen.handle(.presence(.typed("1234"))) == [.endWatch, .confirm(asked, .passcode(passcode))])
    #expect(screen.handle(.presence(.outcome(.wrong(attemptsLeft: 3)))) == [.watch(asked.id)])
    #expect(screen.handle(.presence(.typed("4321"))) == [.endWatch, .confirm(asked, .passcode(TypedPasscode("4321")))])
    #expect(screen.handle(.shown(Specimen.authorization("1", .processing))) == [.watch(asked.id)])
    #expect(screen.phase == .following)
    #expect(screen.handle(.shown(Specimen.authorization("1", .confirmed))) == [.endWatch, .closeSoon])
    #expect(screen.screen(in: Specimen.context).id == "authorization.over-confirmed")
    #expect(screen.handle(.closingDue) == [] && screen.isClosed)
  }

  @Test("denying asks for nothing, and is sent once")
  func deny() {
    var screen = details()
    #expect(screen.handle(.deny) == [.endWatch, .deny(asked)])
    #expect(screen.handle(.deny) == [] && screen.handle(.confirm) == [])
    #expect(screen.handle(.shown(Specimen.authorization("1", .denied))) == [.endWatch, .closeSoon])
  }

  @Test("from a push, what opened the app confirms, and success closes the app; a used proof asks again")
  func push() throws {
    let push = try #require(PushPayload(fcm: ["connection_id": "9", "authorization_id": "1"]))
    var screen = AuthorizationScreen(push, offersBiometrics: false)
    #expect(screen.firstEffects == [.open(push)])
    #expect(screen.handle(.shown(asked)) == [.watch(asked.id)])
    #expect(screen.handle(.confirm) == [.endWatch, .confirm(asked, .opening)])
    let used = AuthenticatorError(.outOfOrder, .userPresenceMissing)
    #expect(screen.handle(.failed(asked.id, used)) == [.watch(asked.id)])
    #expect(screen.screen(in: Specimen.context).id == "authorization.confirm.asking")
    _ = screen.handle(.presence(.typed("1234")))
    _ = screen.handle(.shown(Specimen.authorization("1", .confirmed)))
    #expect(screen.handle(.closingDue) == [.leave(nil)])
  }

  @Test("a failure of the network shows the buttons again; polling tells whether the decision was made")
  func failure() {
    var screen = details()
    _ = screen.handle(.deny)
    #expect(screen.handle(.failed(asked.id, Specimen.offline)) == [.watch(asked.id)])
    #expect(screen.screen(in: Specimen.context).id == "authorization.asking-again")
    #expect(screen.handle(.shown(Specimen.authorization("1", .denied))).contains(.closeSoon))
  }

  @Test("polling that fails for good ends: what a service does not know any more is over, and others are asked by hand")
  func pollingEnds() {
    let refused = AuthenticatorError(.refused(status: 500), .apiResponse)
    let gone: [AuthenticatorError] = [
      .init(.refused(status: 404), .authorizationNotFound), .init(.outOfOrder, .authorizationOver),
    ]
    for error in gone {
      var screen = details()
      _ = screen.handle(.deny)
      #expect(screen.handle(.failed(asked.id, error)) == [.watch(asked.id)], "the decision may have been made")
      #expect(screen.handle(.failed(asked.id, error)) == [.endWatch])
      #expect(screen.phase == .over && screen.authorization?.state == .unavailable)
      #expect(screen.handle(.failed(asked.id, error)) == [])
    }
    var undecided = details()
    _ = undecided.handle(.deny)
    #expect(undecided.handle(.failed(asked.id, refused)) == [.watch(asked.id)] && undecided.problem == refused)
    #expect(undecided.handle(.failed(asked.id, refused)) == [] && undecided.phase == .failed(refused))
    #expect(undecided.handle(.failed(asked.id, refused)) == [])
    #expect(undecided.handle(.retry) == [.watch(asked.id)] && undecided.phase == .loading)
    #expect(undecided.handle(.shown(asked)) == [] && undecided.phase == .asking)
    let lost: [AuthenticatorError] = [
      .init(.refused(status: 401), .connectionRevoked), .init(.outOfOrder, .connectionInactive),
      .init(.keyMissing, .apiRequest),
    ]
    for error in lost {
      var screen = details()
      #expect(screen.handle(.failed(asked.id, error)) == [] && screen.phase == .failed(error))
    }
  }

  @Test("a push that failed after it was resolved is polled by its id, and resolving and polling share a lane")
  func resolved() throws {
    let push = try #require(PushPayload(fcm: ["connection_id": "9", "authorization_id": "1"]))
    var screen = AuthorizationScreen(push, offersBiometrics: false)
    _ = screen.handle(.shown(asked))
    _ = screen.handle(.failed(asked.id, AuthenticatorError(.refused(status: 500), .apiResponse)))
    #expect(screen.handle(.retry) == [.watch(asked.id)])
    #expect(AuthenticatorEffect.open(push).lane == AuthenticatorEffect.endWatch.lane)
    #expect(AuthenticatorEffect.loadConsents("C1").lane != nil)
  }

  @Test("what another answer is about is not heard, and what is over stays over")
  func foreign() {
    var screen = details()
    #expect(screen.handle(.shown(Specimen.authorization("2", .confirmed))) == [])
    #expect(screen.handle(.failed(.init(connection: "C1", id: "2"), Specimen.offline)) == [])
    #expect(screen.phase == .asking && screen.problem == nil)
    _ = screen.handle(.shown(Specimen.authorization("1", .timeOut)))
    #expect(screen.phase == .over)
    for event in [AuthorizationScreen.Event.confirm, .deny, .shown(asked), .retry] {
      #expect(screen.handle(event) == [] && screen.phase == .over)
    }
  }

  @Test("nothing can be pressed once the time has run out, whatever was polled")
  func late() {
    let late = Specimen.authorization("1", .pending, seconds: 0)
    let screen = AuthorizationScreen(late, bank: "", offersBiometrics: false).screen(in: Specimen.context)
    #expect(screen.press("confirm") == nil && screen.press("deny") == nil)
  }
}
