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

  let title: String
  let text: String
  /// Whether it went well.
  var isDone = false
  var form: Form?

  static func reset(_ holder: AccountDesk.Holder, token: String, problem: String? = nil) -> AccountPage {
    AccountPage(
      title: "Set a new password",
      text: "For \(holder.email) at \(holder.institution). 12 characters or more, with a lower-case letter, "
        + "an upper-case letter and a digit. It ends every session.",
      form: Form(action: "\(AccountRoutes.base)/reset-password/\(token)", email: holder.email, problem: problem))
  }

  static let passwordSet = AccountPage(
    title: "The password is set", text: "Go back to the app and sign in with it.", isDone: true)

  static func verified(_ holder: AccountDesk.Holder) -> AccountPage {
    AccountPage(
      title: "The address is confirmed", text: "\(holder.email) is yours at \(holder.institution). Go back to the app.",
      isDone: true)
  }
}
