// SPDX-License-Identifier: Apache-2.0

internal import Foundation
public import OnboardingScreens
public import WultraDigitalOnboarding

/// Taking the pictures of one document, side by side; they are sent together (wultra-onboarding.md §6.3).
public struct ScanStage: Sendable, Equatable {
  /// Which document.
  public let type: WDODocumentType
  /// The sides that are still to be taken, the one in front of the camera first.
  public private(set) var sides: [WDODocumentSide]
  /// The camera.
  public private(set) var capture: CaptureScreen
  private var taken: [WultraPicture] = []
  private let replaced: [WDODocumentSide: String]
  private let words: [WDODocumentSide: String]

  /// - Parameters:
  ///   - document: the one that the server asks for.
  ///   - problem: told when it was refused before.
  init(_ document: WDOScannedDocument, problem: OnboardingText) {
    type = document.type
    let accepted = document.sides.filter { $0.uploadState == .accepted }.map(\.type)
    let missing = document.type.sides.filter { !accepted.contains($0) }
    // A server that refused a document as a whole names no side.
    let wanted = missing.isEmpty ? document.type.sides : missing
    sides = wanted
    replaced = Dictionary(document.sides.map { ($0.type, $0.serverId) }) { first, _ in first }
    words = Dictionary(document.sides.compactMap { side in side.words.map { (side.type, $0) } }) { first, _ in first }
    capture = Self.camera(type, wanted.first ?? .front, document.uploadState == .rejected ? problem : nil, words)
  }

  /// Takes an event in.
  /// - Returns: the pictures to be sent, when the last one was taken.
  mutating func handle(_ event: CaptureScreen.Event) -> [WultraPicture]? {
    guard let data = capture.handle(event), let side = sides.first else { return nil }
    taken.append(WultraPicture(type: type, side: side, data: data, replaces: replaced[side]))
    guard sides.count > 1 else { return taken }
    sides.removeFirst()
    capture = Self.camera(type, sides[0], nil, words)
    return nil
  }

  /// The pictures did not arrive: the same document from its first side on.
  mutating func refuse(_ problem: OnboardingText) {
    sides = taken.map(\.side) + sides.filter { side in !taken.contains { $0.side == side } }
    taken = []
    capture = Self.camera(type, sides.first ?? .front, problem, words)
  }

  /// Whether it is the same document, and nothing was refused since.
  func goesOn(_ document: WDOScannedDocument) -> Bool {
    document.type == type && capture.phase != .sending
      && Set(document.sides.filter { $0.uploadState == .accepted }.map(\.type)).isDisjoint(with: sides)
  }

  private static func camera(
    _ type: WDODocumentType, _ side: WDODocumentSide, _ problem: OnboardingText?, _ words: [WDODocumentSide: String]
  ) -> CaptureScreen {
    let subject: OnboardingText =
      switch (type, side) {
      case (.idCard, .front): .captureIDFront
      case (.idCard, .back): .captureIDBack
      case (.passport, _): .capturePassport
      case (.driversLicense, .front): .captureLicence
      case (.driversLicense, .back): .captureLicenceBack
      }
    var screen = CaptureScreen(subject, type == .passport ? .passport : .card, problem: problem)
    screen.words = words[side]
    return screen
  }
}

/// Choosing a PIN, typed twice.
public struct PINStage: Sendable, Equatable {
  /// How many digits it has.
  public let digits: Int
  /// The PIN as it was typed first; nil until then.
  private var first: String?
  /// What stands in the field.
  public private(set) var typed = ""
  /// Whether the PIN that was typed second differed.
  public private(set) var differs = false
  /// Whether the PIN is being stored.
  public private(set) var isBusy = false

  init(digits: Int) { self.digits = digits }

  /// Whether it is typed for the second time.
  public var isSecond: Bool { first != nil }

  /// - Returns: the PIN, when it was typed the same twice.
  mutating func type(_ digits: String) -> String? {
    guard !isBusy else { return nil }
    typed = digits
    guard digits.count == self.digits else { return nil }
    typed = ""
    guard let first else {
      (self.first, differs) = (digits, false)
      return nil
    }
    self.first = nil
    (differs, isBusy) = (first != digits, first == digits)
    return isBusy ? digits : nil
  }

  /// The PIN could not be stored.
  mutating func refuse() { (isBusy, first, typed) = (false, nil, "") }
}
