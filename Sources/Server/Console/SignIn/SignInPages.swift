// SPDX-License-Identifier: Apache-2.0

import Foundation
import Identity
import Kit

/// Where staff sign in.
struct StaffSignInPage: StaffPage {
  static var template: [UInt8] { PackageResources.StaffSignInPage_mustache }
  static var scripts: [Asset] { [.passkey] }

  let csrf: String
  /// Nil where no institution lets its staff in by what they have here.
  let passkey: PasskeyPrompt?
  let asksInstitution: Bool
  let asksPassword: Bool
  let providers: [ProviderLink]
  /// The provider of a member who signed out just now.
  var leaving: ProviderLink?
  var email = ""
  var institution = ""
  /// Whether the page before was locked because nothing was done on it.
  var isLocked = false
  /// Why signing in was refused; nil before the first attempt.
  var fault: Phrase?

  init(csrf: String, _ signIn: StaffSignIn) throws {
    (self.csrf, asksInstitution, asksPassword) = (csrf, signIn.asksInstitution, signIn.asksPassword)
    passkey =
      signIn.asksPassword
      ? PasskeyPrompt(try signIn.passkeys.question(for: csrf), party: signIn.webAuthn.relyingParty) : nil
    providers = signIn.openID.providers.map(ProviderLink.init(to:))
  }
}

/// What `passkey.js` asks a passkey with that signs in alone.
struct PasskeyPrompt {
  let challenge: String
  let ticket: String
  let party: String

  init(_ question: StaffPasskeys.Question, party: String) {
    (challenge, ticket, self.party) = (question.challenge.base64URL, question.ticket, party)
  }
}

/// Where staff give their second factor.
struct SecondFactorPage: StaffPage {
  static var template: [UInt8] { PackageResources.SecondFactorPage_mustache }
  static var scripts: [Asset] { [.passkey] }

  let csrf: String
  /// Nil for those who have no security key.
  let key: KeyPrompt?
  /// Why the last one was refused; nil before.
  var fault: Phrase?
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
  /// Of those who gave none just now, and have one.
  let asksPassword: Bool
  var fault: Phrase?
  /// Nil for those who are not signed in yet.
  let foot: StaffFooter?

  init(_ enrolment: StaffFactors.Enrolment, csrf: String, asksPassword: Bool, fault: Phrase?, foot: StaffFooter?) {
    secret = stride(from: 0, to: enrolment.secret.count, by: 4).map { start in
      String(enrolment.secret.dropFirst(start).prefix(4))
    }.joined(separator: " ")
    (address, self.csrf, self.fault, self.foot) = (enrolment.address, csrf, fault, foot)
    self.asksPassword = asksPassword
  }
}

/// Recovery codes, the only time that they are shown.
struct RecoveryCodesPage: StaffPage {
  static var template: [UInt8] { PackageResources.RecoveryCodesPage_mustache }

  let codes: [String]
}

/// A security key of the member.
struct SecurityKeyRow {
  let credential: String
  let added: Moment

  init(_ key: StaffFactors.Key) { (credential, added) = (key.credential.id.base64URL, Moment(key.createdAt)) }
}

/// What staff change about their own account.
struct StaffAccountPage: ConsolePage {
  static var template: [UInt8] { PackageResources.StaffAccountPage_mustache }
  static var scripts: [Asset] { [.idle, .passkey] }

  let email: String
  let permissions: String
  /// Which language the pages have; none is on where the browser says.
  let languages: [Frame.Choice]
  let hasAuthenticator: Bool
  let codesLeft: Count
  let keys: [SecurityKeyRow]
  /// Nil for those who may not add another security key.
  let key: KeyPrompt?
  /// Whether changes ask for the current password; else they ask for a code.
  let hasPassword: Bool
  let csrf: String
  let passwordMin = StaffRules.passwordMin
  let newPassword = Phrase("new_password", ["count": "\(StaffRules.passwordMin)"])
  /// What was done just now.
  let note: Phrase?
  let fault: Phrase?
  let foot: StaffFooter

  init(
    _ visit: StaffVisit, _ state: StaffFactors.State, language: Language?, key: KeyPrompt?, hasPassword: Bool,
    note: Phrase? = nil, fault: Phrase? = nil
  ) {
    (email, csrf, foot) = (visit.member.email, visit.csrf, StaffFooter(visit))
    permissions = visit.member.permissions.sorted().map(\.rawValue).joined(separator: ", ")
    (hasAuthenticator, codesLeft) = (state.hasAuthenticator, Count(state.recoveryCodesLeft))
    languages = Language.allCases.map { .init(code: $0.rawValue, label: $0.label, isOn: $0 == language) }
    (keys, self.key, self.hasPassword) = (state.keys.map(SecurityKeyRow.init), key, hasPassword)
    (self.note, self.fault) = (note, fault)
  }
}
