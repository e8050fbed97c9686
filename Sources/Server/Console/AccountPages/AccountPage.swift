// SPDX-License-Identifier: Apache-2.0

/// A page of one heading, some words, and a form where there is something to type. Works without script.
struct AccountPage: Page {
  static var template: [UInt8] { PackageResources.AccountPage_mustache }

  struct Form {
    let action: String
    let email: String
    /// What was wrong with what was just sent.
    let problem: Phrase?
  }

  /// A question with one answer.
  struct Question {
    let action: String
  }

  let title: Phrase
  let text: Phrase
  /// Whether it went well.
  var isDone = false
  var form: Form?
  var question: Question?

  static func reset(_ holder: AccountPageService.Holder, token: String, problem: Phrase? = nil) -> AccountPage {
    AccountPage(
      title: Phrase("reset_title"),
      text: Phrase("reset_text", ["email": holder.email, "institution": holder.institution]),
      form: Form(action: "\(AccountRoutes.base)/reset-password/\(token)", email: holder.email, problem: problem))
  }

  static let passwordSet = AccountPage(
    title: Phrase("reset_done_title"), text: Phrase("reset_done_text"), isDone: true)

  static func verifyEmail(_ holder: AccountPageService.Holder, token: String) -> AccountPage {
    AccountPage(
      title: Phrase("verify_title"),
      text: Phrase("verify_text", ["email": holder.email, "institution": holder.institution]),
      question: Question(action: "\(AccountRoutes.base)/verify-email/\(token)"))
  }

  static let emailVerified = AccountPage(
    title: Phrase("verify_done_title"), text: Phrase("verify_done_text"), isDone: true)

  static func confirmAlias(_ holder: AccountPageService.Alias, token: String) -> AccountPage {
    AccountPage(
      title: Phrase("alias_title"),
      text: Phrase("alias_text", ["alias": holder.alias, "institution": holder.institution]),
      question: Question(action: "\(AccountRoutes.base)/confirm-autodeposit/\(token)"))
  }

  static let aliasConfirmed = AccountPage(
    title: Phrase("alias_done_title"), text: Phrase("alias_done_text"), isDone: true)
}
