import CTransfer
import Foundation
import Kit

extension MailGateway {
  /// Hands mail to a submission server.
  package static func smtp(_ settings: SMTPSettings, world: World, lanes: BlockingThreadPool) -> MailGateway {
    MailGateway { message in
      guard message.channel == .email, let recipient = EmailAddress(message.recipient) else {
        throw MessageRefused(.malformed)
      }
      let text = try MailText(
        message, from: settings.sender, to: recipient, at: world.now(), id: message.id ?? world.uuid()
      ).data(signedBy: settings.signer)
      let envelope = CurlTransfer.Envelope(
        starttls: settings.security.starttls, credentials: settings.credentials,
        from: settings.sender.address.rawValue, to: recipient.rawValue)
      let answer = try await lanes.transfer { CurlTransfer.mail(text, envelope, to: settings.peer) }
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

extension BlockingThreadPool {
  func transfer(_ body: @escaping @Sendable () -> CurlTransfer.Answer) async throws -> CurlTransfer.Answer {
    do { return try await run(body) } catch is BlockingThreadPoolFull { throw MessageUndelivered(.crowded) }
  }
}

extension CurlTransfer.Answer {
  /// RFC 5321 §4.2.1: 4yz may pass later, 5yz will not.
  func requireSMTPSuccess() throws {
    switch outcome {
    case CTRANSFER_OK: return
    case CTRANSFER_REFUSED where (500...599).contains(status): throw MessageRefused(.byGateway(status: status))
    case CTRANSFER_REFUSED: throw MessageUndelivered(.byGateway(status: status))
    default: throw failure
    }
  }

  /// What went wrong before the peer could answer.
  var failure: any Error {
    switch outcome {
    case CTRANSFER_UNREACHABLE: MessageUndelivered(.unreachable)
    case CTRANSFER_TIMED_OUT: MessageUndelivered(.timedOut)
    case CTRANSFER_TLS: MessageUndelivered(.tls)
    case CTRANSFER_LOGIN: MessageUndelivered(.loginRefused)
    case CTRANSFER_MISUSE: MessageRefused(.misconfigured)
    default: MessageUndelivered(.failed)
    }
  }
}
