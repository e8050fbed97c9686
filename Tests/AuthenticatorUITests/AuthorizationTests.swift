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
