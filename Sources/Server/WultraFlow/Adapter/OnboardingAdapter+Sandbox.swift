// SPDX-License-Identifier: Apache-2.0

import Delivery
import Foundation
import Kit

extension OnboardingAdapter {
  /// Plays an invented institution. Codes go to phones that its data names, by the messages of the installation.
  package static func sandbox(
    _ institution: SandboxInstitution, messenger: Messenger, sender: MessageSender, codeMinutes: Int
  ) -> OnboardingAdapter {
    OnboardingAdapter(
      lookUp: { lookup in
        guard let (rule, id) = institution.user(lookup.identification) else { return .unknown }
        return .known(user: id, consentRequired: rule.consentRequired ?? false)
      },
      sendOTP: { otp, id in
        guard let phone = institution.rule(ofUser: otp.userId)?.phone else { return }
        var message = try MessageTexts.standardTexts.message(
          .confirmContact(code: otp.otpCode, minutes: codeMinutes), by: .sms, to: phone, from: sender,
          locale: otp.language)
        message.id = id
        try await messenger.send(message)
      },
      consentText: { query in
        guard let answer = institution.consent(query.consentType, language: query.language) else {
          throw Unavailable()
        }
        return answer
      },
      storeConsent: { _, _ in },
      evaluate: { client, _ in institution.rule(ofUser: client.userId)?.evaluation ?? .accepted },
      tell: { _, _ in })
  }
}
