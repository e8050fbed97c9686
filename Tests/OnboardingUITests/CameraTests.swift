// SPDX-License-Identifier: Apache-2.0

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

  /// Stripes of 32 pixels whose edges are spread over so many pixels, 256 pixels wide and 64 high.
  private static func stripes(spread: Int, from dark: Int, to bright: Int) -> [UInt8] {
    let line = (0..<256).map { column in
      let place = column % 64
      let part = min(1, Double(place % 32 + 1) / Double(spread))
      return UInt8(Double(dark) + Double(bright - dark) * (place < 32 ? part : 1 - part))
    }
    return Array(repeatElement(line, count: 64).joined())
  }

  private static func reading(_ luma: [UInt8], _ box: CameraBox?, bytesPerRow: Int = 256) -> CameraReading {
    luma.withUnsafeBytes {
      CameraMeter.reading(luma: $0, width: 256, height: 64, bytesPerRow: bytesPerRow, subject: box)
    }
  }

  @Test("what the camera measures: wider edges are less sharp whatever their strength, and what shines is glare")
  func meter() {
    let box = CameraBox(x: 0.1, y: 0.1, width: 0.75, height: 0.8)
    for (dark, bright) in [(40, 200), (100, 150)] {
      let sharpness = [1, 2, 4, 8, 16].map {
        Self.reading(Self.stripes(spread: $0, from: dark, to: bright), box).sharpness
      }
      #expect(sharpness == sharpness.sorted(by: >) && sharpness[0] > 0.95 && sharpness[4] < 0.2, "\(sharpness)")
    }
    let sharp = Self.reading(Self.stripes(spread: 1, from: 40, to: 200), box)
    #expect(sharp.subject == .whole && sharp.extent == 0.8 && sharp.glare == 0)
    #expect(CameraRules().hint(for: sharp) == .ready)
    // Half of it is blown out.
    let shining = Self.reading(Self.stripes(spread: 1, from: 40, to: 255), box)
    #expect((0.4...0.6).contains(shining.glare) && CameraRules().hint(for: shining) == .avoidReflections)
    #expect(Self.reading(Self.stripes(spread: 1, from: 100, to: 102), box).sharpness == 0)
  }

  @Test("a subject at the picture's edge is cut, and what cannot be measured is missing")
  func boxes() {
    let luma = Self.stripes(spread: 1, from: 40, to: 200)
    let boxes: [(CameraBox?, CameraReading.Subject)] = [
      (CameraBox(x: 0, y: 0.1, width: 0.5, height: 0.5), .cut),
      (CameraBox(x: 0.6, y: 0.1, width: 0.5, height: 0.5), .cut),
      (CameraBox(x: 0.1, y: 0.6, width: 0.5, height: 0.4), .cut),
      (CameraBox(x: 2, y: 0.1, width: 0.5, height: 0.5), .missing),
      (CameraBox(x: 0.1, y: 0.1, width: 0.01, height: 0.5), .missing),
      (CameraBox(x: .nan, y: 0.1, width: 0.5, height: 0.5), .missing),
      (CameraBox(x: 0.1, y: 0.1, width: .infinity, height: 0.5), .missing),
      (CameraBox(x: 0.1, y: 0.1, width: -1, height: 0.5), .missing), (nil, .missing),
    ]
    for (box, subject) in boxes { #expect(Self.reading(luma, box).subject == subject, "\(box.debugDescription)") }
    let whole = CameraBox(x: 0.1, y: 0.1, width: 0.5, height: 0.5)
    #expect(Self.reading(Array(luma.dropLast()), whole).subject == .missing)
    #expect(Self.reading(luma, whole, bytesPerRow: 255).subject == .missing)
    #expect(Self.reading([], whole).subject == .missing)
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
