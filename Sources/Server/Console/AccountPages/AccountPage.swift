/// A page of one heading, some words, and a form where there is something to type. Works without script.
struct AccountPage: Page {
  static var template: [UInt8] { PackageResources.AccountPage_mustache }
  static var policy: String {
    "default-src 'none'; style-src 'unsafe-inline'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
  }

  struct Form {
    let action: String
    let email: String
    /// What was wrong with what was just sent.
    let problem: String?
  }

  /// A question with one answer.
  struct Question {
    let action: String
    let button: String
  }

  let title: String
  let text: String
  /// Whether it went well.
  var isDone = false
  var form: Form?
  var question: Question?

  static func reset(_ holder: AccountPageService.Holder, token: String, problem: String? = nil) -> AccountPage {
    AccountPage(
      title: "Set a new password",
      text: "For \(holder.email) at \(holder.institution). 12 characters or more, with a lower-case letter, "
        + "an upper-case letter and a digit. It ends every session.",
      form: Form(action: "\(AccountRoutes.base)/reset-password/\(token)", email: holder.email, problem: problem))
  }

  static let passwordSet = AccountPage(
    title: "The password is set", text: "Go back to the app and sign in with it.", isDone: true)

  static func verifyEmail(_ holder: AccountPageService.Holder, token: String) -> AccountPage {
    AccountPage(
      title: "Confirm your e-mail address",
      text: "\(holder.email) was given to \(holder.institution). If you did not sign up there, close this page.",
      question: Question(action: "\(AccountRoutes.base)/verify-email/\(token)", button: "Confirm"))
  }

  static let emailVerified = AccountPage(
    title: "The address is confirmed", text: "Go back to the app.", isDone: true)

  static func confirmAlias(_ holder: AccountPageService.Alias, token: String) -> AccountPage {
    AccountPage(
      title: "Confirm autodeposit",
      text: "Money that is sent to \(holder.alias) goes straight to an account at \(holder.institution) from then on. "
        + "If you did not ask for it, close this page.",
      question: Question(action: "\(AccountRoutes.base)/confirm-autodeposit/\(token)", button: "Confirm"))
  }

  static let aliasConfirmed = AccountPage(
    title: "Autodeposit is on", text: "You can close this page.", isDone: true)
}
