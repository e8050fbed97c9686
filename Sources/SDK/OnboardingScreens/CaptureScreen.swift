// SPDX-License-Identifier: Apache-2.0

public import CryptoPrimitives
public import Foundation
public import GatehouseUI

/// Taking one picture: camera with hints, a look at it, and again if it is not good.
public struct CaptureScreen: Sendable, Equatable, Redacted {
  /// The phases of this screen.
  public enum Phase: Sendable, Equatable {
    case aiming
    /// The user looks at the picture.
    case reviewing(Data)
    /// It is on its way.
    case sending
  }

  /// The events that the view model of this screen handles.
  public enum Event: Sendable, Redacted {
    /// The camera measured something.
    case seen(CameraReading)
    /// The bytes of a JPEG or PNG file.
    case taken(Data)
    case again
    case use
  }

  /// What the picture is of, for people.
  public let subject: OnboardingText
  /// Which camera, and which frame is drawn.
  public let frame: CameraFrame
  /// What the user is asked to do beside, such as to turn the head.
  public let instruction: OnboardingText?
  /// What a person at the institution says about it, as it is; nil without words.
  public var words: String?
  /// The present phase of the screen.
  public private(set) var phase = Phase.aiming
  /// What is wrong with the last picture; nil before the first.
  public private(set) var problem: OnboardingText?
  private var hint = SteadyHint()

  /// - Parameter problem: why another picture is needed; nil for the first.
  public init(
    _ subject: OnboardingText, _ frame: CameraFrame, instruction: OnboardingText? = nil, problem: OnboardingText? = nil
  ) {
    (self.subject, self.frame, self.instruction, self.problem) = (subject, frame, instruction, problem)
  }

  /// What is shown of the camera's measurements.
  public var shownHint: CameraHint { hint.shown }

  /// Takes an event in.
  /// - Returns: the picture that is to be sent now.
  public mutating func handle(_ event: Event) -> Data? {
    switch (event, phase) {
    case (.seen(let reading), .aiming):
      hint.take((frame == .face ? CameraRules.face : CameraRules()).hint(for: reading))
    case (.taken(let data), .aiming):
      // An empty file is no picture: the camera goes on.
      if !data.isEmpty { (phase, problem) = (.reviewing(data), nil) }
    case (.again, .reviewing): (phase, hint) = (.aiming, SteadyHint())
    case (.use, .reviewing(let data)):
      phase = .sending
      return data
    default: break
    }
    return nil
  }

  /// The picture was not taken, or did not arrive: another one, and why.
  public mutating func refuse(_ problem: OnboardingText) {
    (phase, self.problem, hint) = (.aiming, problem, SteadyHint())
  }

  /// What is shown; the way back is the app's.
  public func screen(_ texts: OnboardingTexts) -> Screen<Event> {
    switch phase {
    case .aiming:
      let begin: [ScreenElement<Event>] = problem.map { [.text(texts[$0], .problem)] } ?? []
      let told = [words, instruction.map { texts[$0] }].compactMap(\.self).map { ScreenElement<Event>.text($0, .body) }
      return Screen(
        id: "capture.aiming\(problem == nil ? "" : "-again")", title: texts[subject],
        elements: begin + told + [
          .camera(
            ScreenCamera(
              label: texts[frame == .face ? .cameraFace : .cameraDocument], frame: frame,
              hint: texts[hint.shown, frame], isReady: hint.shown == .ready, seen: { .seen($0) }, taken: { .taken($0) })
          )
        ])
    case .reviewing(let data):
      return Screen(
        id: "capture.reviewing", title: texts[subject],
        elements: [
          .text(texts[.reviewQuestion], .body), .picture(ScreenPicture(label: texts[.reviewPicture], data: data)),
          .button(ScreenButton("use", texts[.reviewUse], role: .primary, .use)),
          .button(ScreenButton("again", texts[.reviewAgain], .again)),
        ])
    case .sending:
      return Screen(id: "capture.sending", title: texts[subject], elements: [.progress(texts[.captureSending])])
    }
  }
}
