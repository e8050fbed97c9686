// SPDX-License-Identifier: Apache-2.0

import CTransfer
import Foundation
import Kit

extension MailGateway {
  /// Hands mail to a submission server.
  package static func smtp(_ settings: SMTPSettings, world: World, threads: BlockingThreadPool) -> MailGateway {
    MailGateway { message in
      guard message.channel == .email, let recipient = EmailAddress(message.recipient) else {
        throw MessageRefused(.malformed)
      }
      let text = try MailText(
        message, from: settings.sender, to: recipient, at: world.wall(), id: message.id ?? world.uuid()
      ).data(signedBy: settings.signer)
      let envelope = CurlTransfer.Envelope(
        starttls: settings.security.starttls, credentials: settings.credentials,
        from: settings.sender.address.rawValue, to: recipient.rawValue)
      let answer: CurlTransfer.Answer
      do {
        answer = try await threads.run { CurlTransfer.mail(text, envelope, to: settings.peer) }
      } catch is BlockingThreadPoolFull { throw MessageUndelivered(.crowded) }
      try answer.requireSMTPSuccess()
    }
  }
}

extension SMTPSettings.Security {
  var starttls: ctransfer_starttls {
    switch self {
    case .implicit, .startTLS: CTRANSFER_TLS_REQUIRED
    case .opportunistic: CTRANSFER_TLS_IF_OFFERED
    case .off: CTRANSFER_TLS_NONE
    }
  }
}

extension CurlTransfer.Answer {
  /// RFC 5321 §4.2.1: 4yz may pass later, 5yz will not.
  func requireSMTPSuccess() throws {
    switch outcome {
    case CTRANSFER_OK: return
    case CTRANSFER_REFUSED where (500...599).contains(status): throw MessageRefused(.byGateway(status: status))
    case CTRANSFER_REFUSED: throw MessageUndelivered(.byGateway(status: status))
    case CTRANSFER_UNREACHABLE: throw MessageUndelivered(.unreachable)
    case CTRANSFER_TIMED_OUT: throw MessageUndelivered(.timedOut)
    case CTRANSFER_TLS: throw MessageUndelivered(.tls)
    case CTRANSFER_LOGIN: throw MessageUndelivered(.loginRefused)
    case CTRANSFER_MISUSE: throw MessageRefused(.misconfigured)
    default: throw MessageUndelivered(.failed)
    }
  }
}
