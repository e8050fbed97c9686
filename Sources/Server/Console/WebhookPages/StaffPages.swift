/// A page of the console: self-contained, without a line of script. Templates see stored properties only.
protocol StaffPage: Page {}

extension StaffPage {
  static var parts: [String: [UInt8]] { ["frame": PackageResources.StaffFrame_mustache] }

  static var policy: String {
    "default-src 'none'; style-src 'unsafe-inline'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
  }
}

/// Where staff sign in.
struct StaffSignInPage: StaffPage {
  static var template: [UInt8] { PackageResources.StaffSignInPage_mustache }

  let csrf: String
  let asksInstitution: Bool
  var email = ""
  var institution = ""
  /// Why signing in was refused; nil before the first attempt.
  var fault: String?

  init(csrf: String, asksInstitution: Bool) { (self.csrf, self.asksInstitution) = (csrf, asksInstitution) }
}

/// What went wrong.
struct StaffProblemPage: StaffPage {
  static var template: [UInt8] { PackageResources.StaffProblemPage_mustache }

  let title: String
  let detail: String
}

/// Who is signed in, with the form by which they sign out: at the foot of their pages.
struct StaffFoot {
  let name: String
  let token: String

  init(_ visit: StaffVisit) { (name, token) = (visit.member.name, visit.csrf) }
}
