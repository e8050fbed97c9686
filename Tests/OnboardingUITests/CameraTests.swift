import Foundation
import GatehouseUI
import GatehouseWire
import ScreenSpecimens
import Testing

@testable import OnboardingScreens

@Suite("Onboarding screens: the camera", .serialized)
struct CameraTests {
  @Test("each fault of the picture has its hint, the most useful first")
  func hints() {
    let wanted: [CameraHint] = [
      .findSubject, .showWhole, .comeCloser, .goAway, .holdStill, .avoidReflections, .ready,
    ]
    #expect(ScreenSpecimen.readings.map { CameraRules().hint(for: $0) } == wanted)
    #expect(CameraRules().hint(for: CameraReading(subject: .whole, extent: .nan, sharpness: 1)) == .comeCloser)
    #expect(CameraRules().hint(for: CameraReading(subject: .whole, extent: 0.8, sharpness: .nan)) == .holdStill)
    #expect(
      CameraRules().hint(for: CameraReading(subject: .whole, extent: 0.8, sharpness: 1, glare: .nan))
        == .avoidReflections)
    #expect(CameraRules.face.hint(for: CameraReading(subject: .whole, extent: 0.4, sharpness: 0.5)) == .ready)
  }

  @Test("a hint changes when two readings in a row ask for it")
  func steady() {
    var hint = SteadyHint()
    let taken: [CameraHint] = [.ready, .holdStill, .ready, .ready, .holdStill, .ready, .holdStill, .holdStill]
    let shown: [CameraHint] = taken.map {
      hint.take($0)
      return hint.shown
    }
    #expect(shown == [.findSubject, .findSubject, .findSubject, .ready, .ready, .ready, .ready, .holdStill])
  }

  @Test("a picture is sent when the user has looked at it, and only then")
  func review() {
    var capture = CaptureScreen(.capturePassport, .passport)
    #expect(capture.handle(.use) == nil)
    #expect(capture.handle(.taken(Data())) == nil && capture.phase == .aiming)
    _ = capture.handle(.taken(Data([1])))
    #expect(capture.phase == .reviewing(Data([1])))
    _ = capture.handle(.again)
    #expect(capture.phase == .aiming)
    _ = capture.handle(.taken(Data([2])))
    #expect(capture.handle(.use) == Data([2]) && capture.phase == .sending)
    #expect(capture.handle(.use) == nil && capture.handle(.taken(Data([3]))) == nil)
    capture.refuse(.refusedQuality)
    #expect(capture.phase == .aiming && capture.problem == .refusedQuality)
  }
}

@Suite("Onboarding screens: codes and texts")
struct CodeTests {
  private static let now = ScreenSpecimen.now

  @Test("a whole code is checked at once, in whatever digits it was typed")
  func whole() {
    var code = CodeScreen(digits: 6)
    #expect(code.handle(.typed("12345")) == nil)
    #expect(code.handle(.confirm) == nil)
    #expect(code.handle(.typed("١٢٣٤٥٦")) == .check("123456"))
    #expect(code.handle(.typed("999999")) == nil && code.handle(.resend) == nil, "it is being checked")
    code.refuse(.wrongCode(left: 2))
    #expect(code.typed.isEmpty && code.problem == .wrongCode(left: 2) && code.phase == .asking)
  }

  @Test("a code of unknown length waits for the button")
  func unknown() {
    var code = CodeScreen()
    #expect(code.handle(.typed("123")) == nil && code.handle(.confirm) == nil)
    #expect(code.handle(.typed("123456789")) == nil)
    #expect(code.handle(.confirm) == .check("12345678"))
    #expect(CodeScreen(digits: 400).digits == nil)
  }

  @Test("another code can be asked for when its time has come")
  func resend() {
    let at = WireInstant(millisecondsSince1970: Self.now.millisecondsSince1970 + 1500)
    let code = CodeScreen(digits: 6, resendAt: at)
    let texts = OnboardingTexts(.english)
    #expect(code.secondsLeft(at: Self.now) == 2)
    #expect(code.screen(texts, in: ScreenSpecimen.context).press("resend") == nil)
    var later = ScreenSpecimen.context
    later.now = at
    #expect(code.screen(texts, in: later).press("resend") != nil)
    let none = CodeScreen(digits: 6, canResend: false)
    #expect(none.screen(texts, in: later).press("resend") == nil)
  }

  @Test("every text is there in each language, with the same placeholders")
  func texts() {
    #expect(ScreenSpecimen.faults(in: OnboardingText.self) == [])
    let english = OnboardingTexts(.english)
    #expect(english[.codeSentTo, ["destination": "{count}"]] == "We have sent a code to {count}.")
  }
}
