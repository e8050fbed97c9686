/// What stands on a locked screen: that something waits, and at which bank. Never what it is about.
struct PushTexts: Sendable {
  let title: String
  let body: String

  private static let languageStandard = "en"

  /// - Parameter language: one of `language(_:)`; nil is English.
  init(bank: String, language: String?) {
    switch language {
    case "ar": (title, body) = ("طلب تأكيد", "يطلب \(bank) تأكيدك. اضغط للعرض.")
    default: (title, body) = ("Confirmation requested", "\(bank) asks you to confirm something. Tap to see it.")
    }
  }

  /// BCP 47.
  static func locale(_ language: String?) -> String { language ?? languageStandard }

  /// The language that a device asks for first (`Accept-Language`, RFC 9110 §12.5.4), if we have it.
  static func language(_ field: String?) -> String? {
    let first = field?.prefix { $0 != "," && $0 != ";" && $0 != "-" }.filter { $0 != " " }.lowercased()
    return first.flatMap { ["en", "ar"].contains($0) ? $0 : nil }
  }
}
