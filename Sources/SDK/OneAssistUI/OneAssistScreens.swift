// SPDX-License-Identifier: Apache-2.0

internal import Foundation
public import GatehouseUI
internal import OneAssistCore
internal import OneAssistSDK

/// The activation of a membership: from its code to its card. After every call the SDK says what is next, and that is
/// shown; after a restart of the app it goes on where the server says.
public struct OneAssistScreens: ScreenFlow, Equatable {
  /// What is shown; with whether a call is under way, and what went wrong, it is the whole state.
  public enum Stage: String, Sendable {
    case starting
    /// The app knows the code, and the activation could not be started with it.
    case failed
    /// The code of the activation is typed.
    case code
    /// The phone's number is read from a screenshot.
    case device
    /// PIN code and address.
    case details
    /// A link goes to the second phone, which takes the photos.
    case link
    /// The secure screen is open.
    case secure
    case membership
  }

  /// How long the text of a field is, in characters: addresses by oneassist §4.4, numbers by ITU-T E.164 with a plus.
  static let lengths: [OneAssistEvent.Field: ClosedRange<Int>] = [
    .code: 1...100, .pincode: 6...6, .address: 5...255, .mobile: 8...16,
  ]

  /// Of texts.
  public private(set) var language: ScreenLanguage
  /// What is shown.
  public private(set) var stage = Stage.starting
  /// Whether a call is under way.
  public private(set) var isBusy = false
  /// What went wrong last; nil when nothing did.
  public private(set) var problem: OneAssistText?
  /// Whether the phone's number was read while the app runs.
  public private(set) var isNumberRead = false
  /// Whether a link was sent while the app runs.
  public private(set) var isLinkSent = false
  /// Whether the secure screen may be opened.
  public private(set) var canShow = false
  /// What the app's server says of the membership; nil before it did.
  public private(set) var card: MembershipCard?
  private var typed: [OneAssistEvent.Field: String] = [:]
  private var isSending = false
  private let isCodeKnown: Bool

  /// Begins.
  /// - Parameter code: of the activation, or of the order; nil lets the user type it.
  public init(language: ScreenLanguage, code: String? = nil) {
    (self.language, isCodeKnown) = (language, code != nil)
    typed[.code] = code
  }

  /// The same state in another language.
  public func inLanguage(_ language: ScreenLanguage) -> Self {
    var copy = self
    copy.language = language
    return copy
  }

  /// What stands in a field.
  public subscript(field: OneAssistEvent.Field) -> String { typed[field] ?? "" }

  /// Whether a field has what the server would take, as far as its length tells.
  func isFilled(_ field: OneAssistEvent.Field) -> Bool {
    Self.lengths[field]?.contains(self[field].trimmingCharacters(in: .whitespacesAndNewlines).count) == true
  }

  /// Takes an event in.
  public mutating func handle(_ event: OneAssistEvent) -> [OneAssistEffect] {
    switch event {
    case .started where stage == .starting && !isBusy:
      if isCodeKnown { return call(.begin(self[.code])) }
      stage = .code
    case .stands(let action) where isBusy: return enter(action)
    case .refused(let error) where isBusy: return refuse(error)
    case .card(let card) where isBusy && stage == .membership:
      isBusy = false
      self.card = card ?? self.card
      if card == nil { problem = .failureOther }
    case .cancel where isBusy && stage == .device:
      isBusy = false
      return [.stop]
    // Whatever the screen was open for, the server knows where it stands now.
    case .cancel where isBusy && stage == .secure: return look()
    case .typed(let text, let field) where !isBusy: type(text, field)
    case .next where !isBusy: return next()
    case .show where !isBusy && stage == .link && canShow:
      stage = .secure
      return call(.showScreen)
    case .look where !isBusy && (stage == .link || stage == .membership): return call(.look)
    default: break
    }
    return []
  }

  private mutating func call(_ effect: OneAssistEffect) -> [OneAssistEffect] {
    (isBusy, problem) = (true, nil)
    if case .sendLink = effect { isSending = true } else { isSending = false }
    return [effect]
  }

  private mutating func look() -> [OneAssistEffect] {
    if stage == .secure { stage = .link }
    return call(.look)
  }

  private mutating func type(_ text: String, _ field: OneAssistEvent.Field) {
    let max = Self.lengths[field]?.upperBound ?? 0
    switch field {
    case .pincode: typed[field] = TypedDigits.ascii(text, max: max)
    // Some partners serve other countries than India: those numbers begin with a plus.
    case .mobile: typed[field] = (text.hasPrefix("+") ? "+" : "") + TypedDigits.ascii(text, max: max - 1)
    case .address: typed[field] = String(text.prefix(max))
    // Codes are printed in capitals and compared exactly; an order's UUID, which may stand for one, has small letters.
    case .code:
      let isOrder = UUID(uuidString: text.trimmingCharacters(in: .whitespacesAndNewlines)) != nil
      typed[field] = String((isOrder ? text.lowercased() : text.uppercased()).prefix(max))
    }
  }

  private mutating func next() -> [OneAssistEffect] {
    switch stage {
    case .code where isFilled(.code), .failed: return call(.begin(self[.code]))
    case .device: return call(.readDevice)
    case .details where isFilled(.pincode) && isFilled(.address):
      return call(.submit(pincode: self[.pincode], address: self[.address]))
    case .link where isFilled(.mobile): return call(.sendLink(self[.mobile]))
    default: return []
    }
  }

  // MARK: Where it stands

  private mutating func enter(_ action: OAAction) -> [OneAssistEffect] {
    isNumberRead = isNumberRead || stage == .device
    isLinkSent = isLinkSent || isSending
    isBusy = false
    switch action {
    case .initializedSDK: isBusy = true
    case .fetchDeviceId: stage = .device
    case .provideUserBasicDetail: stage = .details
    case .sendUploadLink, .sendUploadLinkOrOpenSecureScreen:
      (stage, canShow) = (.link, action == .sendUploadLinkOrOpenSecureScreen)
    case .secureScreenDismissed: return look()
    case .completed:
      stage = .membership
      return call(.loadCard)
    }
    return []
  }

  private mutating func refuse(_ error: OAError) -> [OneAssistEffect] {
    // The membership went on without this phone: its card says where to.
    if MembershipStatus.refusals.contains(error) {
      stage = .membership
      return call(.loadCard)
    }
    (isBusy, problem) = (false, OneAssistText(error))
    switch stage {
    case .starting: stage = isCodeKnown ? .failed : .code
    case .secure: stage = .link
    // A token is over after half an hour (§9.1): the app gets another one with the code.
    case _ where problem == .failureSession: stage = .failed
    default: break
    }
    return []
  }
}

extension MembershipStatus {
  /// Errors that only say that the membership's status does not allow the call (§4.2).
  static let refusals: Set<OAError> = [
    .ERROR_MEMBERSHIP_IN_PROGRESS, .ERROR_MEMBERSHIP_PENDING, .ERROR_MEMBERSHIP_APPROVED, .ERROR_MEMBERSHIP_QUEUED,
    .ERROR_MEMBERSHIP_REJECTED, .ERROR_MEMBERSHIP_CANCELLED,
  ]
}
