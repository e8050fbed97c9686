// SPDX-License-Identifier: Apache-2.0

import Evidence
import Foundation
import Kit

/// A page of the demonstration bank, which developers read: in English only. It works without script.
protocol DemoBankPage: Page {}

extension DemoBankPage {
  static var parts: [String: [UInt8]] {
    ["code": PackageResources.DemoBankCode_mustache]
  }

  /// Pictures stand in the page itself: a link that connects a customer is in no URL.
  static var pictures: String? { "data:" }
  static var brand: Brand { .bank }
  static var onlyLanguage: Language? { .english }
}

/// A link of the Authenticator's: as a code for another device, and to open on this one.
struct DemoBankCode {
  let link: String
  /// PNG, in base64.
  let picture: String
  let isV1: Bool
  /// The page for the other version.
  let otherPage: String?

  /// - Throws: `CVisionFailure` for a link that is too long for a code.
  init(_ link: String, version: Int, otherPage: String?) throws {
    (self.link, self.otherPage) = (link, otherPage)
    isV1 = version == 1
    picture = try QRCode.png(link).base64EncodedString()
  }
}

/// Where everybody begins.
struct DemoBankHomePage: DemoBankPage {
  static var template: [UInt8] { PackageResources.DemoBankHomePage_mustache }

  let csrf: String
  /// For the order that "with the Authenticator" begins.
  let order: String
  var username = ""
  var isRefused = false
}

/// What a customer sees who signed in.
struct DemoBankAccountPage: DemoBankPage {
  static var template: [UInt8] { PackageResources.DemoBankAccountPage_mustache }

  struct Device {
    let id: String
    let name: String
    let since: String
  }

  struct Row {
    let id: String
    let payee: String
    let amount: String
    let state: String
    let mark: String
    let day: String
  }

  let csrf: String
  let name: String
  let account: String
  /// Nil when the service did not say.
  let devices: [Device]?
  let isUnreachable: Bool
  let rows: [Row]

  init(csrf: String, name: String, account: String, devices: [Device]?, rows: [Row]) {
    (self.csrf, self.name, self.account) = (csrf, name, account)
    (self.devices, isUnreachable, self.rows) = (devices, devices == nil, rows)
  }
}

struct DemoBankPayPage: DemoBankPage {
  static var template: [UInt8] { PackageResources.DemoBankPayPage_mustache }

  struct Choice {
    let code: String
    let isChosen: Bool
  }

  let csrf: String
  let order: String
  let form: PaymentForm
  let faults: [String]
  let isFaulty: Bool
  let isSignedIn: Bool
  let currencies: [Choice]

  init(csrf: String, order: String, form: PaymentForm, faults: [String], isSignedIn: Bool) {
    (self.csrf, self.order, self.form) = (csrf, order, form)
    (self.faults, isFaulty, self.isSignedIn) = (faults, !faults.isEmpty, isSignedIn)
    currencies = PaymentForm.currencies.map { Choice(code: $0, isChosen: $0 == form.currency) }
  }
}

/// How to connect a phone.
struct DemoBankConnectPage: DemoBankPage {
  static var template: [UInt8] { PackageResources.DemoBankConnectPage_mustache }

  let csrf: String
  let code: DemoBankCode
  /// The name of the customer whom the code connects at once; nil when they sign in on the phone.
  let connects: String?
  let until: String?
  let version: Int
  /// Whether a code without signing in can be asked for.
  let isOffered: Bool
}

/// The page in an app's web view, where a customer signs in to connect their phone.
struct DemoBankEnrolPage: DemoBankPage {
  static var template: [UInt8] { PackageResources.DemoBankEnrolPage_mustache }
  /// Without `form-action`: the answer to the form leads into the app, by a scheme that only the app knows.
  static var policy: String { strictPolicy }

  /// What is connected, as the service has it.
  struct Device {
    let platform: String
    let askedAt: String
    let returnURL: String
  }

  let csrf: String
  let session: String
  /// Nil when the session is over or the service cannot be reached; then signing in fails.
  let device: Device?
  var username = ""
  var isRefused = false
}

/// A payment or a sign-in, and how it stands.
struct DemoBankOrderPage: DemoBankPage {
  static var template: [UInt8] { PackageResources.DemoBankOrderPage_mustache }
  static var scripts: [Asset] { [.again] }

  struct Payment {
    let payee: String
    let account: String
    let amount: String
    let reference: String?
  }

  /// What the customer decided on, as the service keeps it.
  struct Proof {
    let shown: String
    let device: String
    let proven: String
    let decidedAt: String
    let signature: String
  }

  let csrf: String
  let id: String
  let title: String
  let state: String
  let mark: String
  let words: String
  let payment: Payment?
  var code: DemoBankCode?
  var proof: Proof?
  let until: String
  let isOpen: Bool
  let isSignIn: Bool
  /// A sign-in that can be made use of.
  let isReady: Bool
  let isSignedIn: Bool
}

/// What went wrong.
struct DemoBankProblemPage: DemoBankPage {
  static var template: [UInt8] { PackageResources.DemoBankProblemPage_mustache }

  let title: String
  let detail: String
}
