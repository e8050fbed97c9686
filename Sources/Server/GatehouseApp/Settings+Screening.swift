// SPDX-License-Identifier: Apache-2.0

import Configuration
import Delivery
import Kit
import Screening

/// What an operator decides about searches that go on by themselves, and about who decides on hits.
struct ScreeningOperations: Sendable {
  /// Whether two persons decide on hits of customers whose tenant does not decide that itself (Finaptic's).
  var needsTwo = false
  var policy = ScreeningModule.Policy()
  /// Who is written to when a hit waits that no step found; nil writes to no one.
  var alertMail: String?

  init() {}

  // What docs/reference/settings.md tells of them.
  // screening.listDays: days after which replaced versions of lists go, unless a kept screening names them
  // screening.recallPercentMin: percent of any kind that the nightly self-test has to find, or it logs an error

  init(_ config: ConfigReader) throws {
    needsTwo = config.bool(forKey: "screening.fourEyes", default: needsTwo)
    policy.listRetention = .days(
      try config.int(forKey: "screening.listDays", default: 1826, in: 1...36_500))
    policy.recallMin =
      Double(try config.int(forKey: "screening.recallPercentMin", default: 90, in: 0...100)) / 100
    alertMail = config.string(forKey: "screening.alertMail")
    if let alertMail, EmailAddress(alertMail) == nil {
      throw SettingsError("screening.alertMail is no e-mail address")
    }
  }
}
