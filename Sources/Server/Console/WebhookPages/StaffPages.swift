import Foundation
import Identity
import Kit

/// A page of the console: self-contained, without a line of script but for security keys, which browsers ask by script
/// only. Templates see stored properties only.
protocol StaffPage: Page {}

extension StaffPage {
  static var parts: [String: [UInt8]] { ["frame": PackageResources.StaffFrame_mustache] }

  static var policy: String {
    "default-src 'none'; style-src 'unsafe-inline'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
  }

  static var scriptedPolicy: String { "\(StaffSignInPage.policy); script-src 'self'" }
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

/// Where staff give their second factor.
struct SecondFactorPage: StaffPage {
  static var template: [UInt8] { PackageResources.SecondFactorPage_mustache }
  static var policy: String { scriptedPolicy }

  let csrf: String
  /// Nil for those who have no security key.
  let key: KeyPrompt?
  /// Why the last one was refused; nil before.
  var fault: String?
}

/// What `passkey.js` asks a security key with.
struct KeyPrompt {
  let challenge: String
  let party: String
  /// Ids of the member's keys, with commas between.
  let credentials: String
  let member: String
  let email: String

  init(_ challenge: Data, _ visit: StaffVisit, _ state: StaffFactors.State, _ webAuthn: WebAuthn) {
    (self.challenge, party) = (challenge.base64URL, webAuthn.relyingParty)
    credentials = state.keys.map { $0.credential.id.base64URL }.joined(separator: ",")
    (member, email) = (Data(visit.member.id.rawValue.utf8).base64URL, visit.member.email)
  }
}

/// Where staff set an authenticator app up.
struct AuthenticatorPage: StaffPage {
  static var template: [UInt8] { PackageResources.AuthenticatorPage_mustache }

  let csrf: String
  /// For typing, in groups of four.
  let secret: String
  let address: String
  var fault: String?
  /// Nil for those who are not signed in yet.
  let foot: StaffFoot?

  init(_ enrolment: StaffFactors.Enrolment, csrf: String, fault: String?, foot: StaffFoot?) {
    secret = stride(from: 0, to: enrolment.secret.count, by: 4).map { start in
      String(enrolment.secret.dropFirst(start).prefix(4))
    }.joined(separator: " ")
    (address, self.csrf, self.fault, self.foot) = (enrolment.address, csrf, fault, foot)
  }
}

/// Recovery codes, the only time that they are shown.
struct RecoveryCodesPage: StaffPage {
  static var template: [UInt8] { PackageResources.RecoveryCodesPage_mustache }

  let codes: [String]
}

/// A security key of the member.
struct KeyLine {
  let credential: String
  let added: String

  init(_ key: StaffFactors.Key) { (credential, added) = (key.credential.id.base64URL, key.createdAt.rfc3339) }
}

/// What staff change about their own account.
struct StaffAccountPage: StaffPage {
  static var template: [UInt8] { PackageResources.StaffAccountPage_mustache }
  static var policy: String { scriptedPolicy }

  let email: String
  let permissions: String
  let hasAuthenticator: Bool
  let codesLeft: Int
  let keys: [KeyLine]
  /// Nil for those who may not add another security key.
  let key: KeyPrompt?
  let csrf: String
  let passwordMin = StaffRules.passwordMin
  /// What was done just now.
  let note: String?
  let fault: String?
  let foot: StaffFoot

  init(
    _ visit: StaffVisit, _ state: StaffFactors.State, key: KeyPrompt?, note: String? = nil, fault: String? = nil
  ) {
    (email, csrf, foot) = (visit.member.email, visit.csrf, StaffFoot(visit))
    permissions = visit.member.permissions.sorted().map(\.rawValue).joined(separator: ", ")
    (hasAuthenticator, codesLeft) = (state.hasAuthenticator, state.recoveryCodesLeft)
    (keys, self.key) = (state.keys.map(KeyLine.init), key)
    (self.note, self.fault) = (note, fault)
  }
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
