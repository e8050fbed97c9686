// SPDX-License-Identifier: Apache-2.0
/// The words of notices in one language.
struct TermsTexts: Sendable {
  let title: String
  /// With `{account}`, `{day}`, `{interest}` and `{fee}`.
  private let announced: String
  /// With `{account}`, and without a day: that of the account may have been another one than the change's.
  private let withdrawn: String

  /// - Parameter language: BCP 47. Another one than English, French and Arabic gets English.
  static func of(_ language: String) -> (words: TermsTexts, language: String) {
    switch language.prefix(while: { $0 != "-" }).lowercased() {
    case "fr": (french, "fr")
    case "ar": (arabic, "ar")
    default: (english, "en")
    }
  }

  /// - Parameter account: its name.
  func body(_ notice: TermsNotice, on account: String) -> String {
    (notice.kind == .announced ? announced : withdrawn)
      .replacing("{day}", with: "\(notice.from)")
      .replacing("{interest}", with: Self.percent(notice.change.yearlyInterest))
      .replacing("{fee}", with: "\(notice.change.fee.decimal) \(notice.change.currency)")
      .replacing("{account}", with: account)
  }

  /// Millionths as a percentage: 25000 is 2.5.
  static func percent(_ millionths: Int64) -> String {
    var digits = String(millionths % 10_000)
    digits = String(repeating: "0", count: 4 - digits.count) + digits
    while digits.hasSuffix("0") { digits.removeLast() }
    return digits.isEmpty ? "\(millionths / 10_000)" : "\(millionths / 10_000).\(digits)"
  }

  static let english = TermsTexts(
    title: "Changed terms of your account",
    announced: """
      From {day} on, other terms apply to your account “{account}”: interest of {interest} % a year, and a fee of \
      {fee} a month. You may close the account without cost before that day; if you do not, you agree to the change.
      """,
    withdrawn: """
      The change of the terms of your account “{account}” that we announced does not take place. The present terms \
      go on.
      """)

  static let french = TermsTexts(
    title: "Modification des conditions de votre compte",
    announced: """
      À partir du {day}, d’autres conditions s’appliquent à votre compte « {account} » : intérêts de {interest} % par \
      an et frais de {fee} par mois. Vous pouvez fermer le compte sans frais avant cette date ; sinon, vous acceptez \
      la modification.
      """,
    withdrawn: """
      La modification annoncée des conditions de votre compte « {account} » n’a pas lieu. Les conditions actuelles \
      restent en vigueur.
      """)

  static let arabic = TermsTexts(
    title: "تغيير شروط حسابك",
    announced: """
      ابتداءً من {day} تسري شروط أخرى على حسابك «{account}»: فائدة {interest} % سنويًا ورسوم {fee} شهريًا. يمكنك إغلاق \
      الحساب مجانًا قبل ذلك اليوم، وإلا فأنت توافق على التغيير.
      """,
    withdrawn: """
      تغيير شروط حسابك «{account}» الذي أعلنّاه لن يتم. تبقى الشروط الحالية سارية.
      """)
}
