// SPDX-License-Identifier: Apache-2.0

import Casework
import Delivery
import Evidence
import Foundation
import Kit
import OneAssistFlow
import Synchronization
import TestSupport
import Testing

/// Who is outside: phones that get messages, the partner's server, the readers of pictures.
final class OutsideWorld: Sendable {
  private let state = Mutex(State())
  let cases = RecordedCases()
  /// Who reads pictures; nil where photos are texts.
  private let evidence: EvidenceReader?

  init(evidence: EvidenceReader? = nil) { self.evidence = evidence }

  struct State {
    var messages: [Message] = []
    var events: [StatusEvent] = []
    var refusesMessages = false
    var refusesEvents = false
    /// Phones that were reported stolen.
    var stolen: Set<String> = ["359000110000020"]
    /// Who keeps cases and approvals where two persons decide; nil records them.
    var caseService: CaseService?
    /// What is read from the next photos of the secure screen.
    var code: String?
  }

  var caseService: CaseService? {
    get { state.withLock { $0.caseService } }
    set { change { $0.caseService = newValue } }
  }
  var kept: any CaseRepository { caseService ?? cases }
  var messages: [Message] { state.withLock { $0.messages } }
  var events: [StatusEvent] { state.withLock { $0.events } }
  func change(_ body: (inout State) -> Void) { state.withLock { body(&$0) } }

  var messenger: Messenger {
    Messenger(
      sms: SMSGateway { message in
        if self.state.withLock({ $0.refusesMessages }) { throw MessageRefused(.byGateway(status: 400)) }
        self.change { $0.messages.append(message) }
      }, mail: MailGateway { _ in Issue.record("no mail is sent here") })
  }

  /// Photos are texts here that say what they show, unless `evidence` reads pictures.
  func service(_ core: CoreDependencies, _ policy: OneAssistPolicy, devOutbox: DevOutbox) -> OneAssistService {
    if let evidence {
      return OneAssistService(
        core: core, policy: policy, messenger: messenger, devOutbox: devOutbox,
        photos: .evidence(evidence), recogniseText: PictureReading.text(evidence), readCode: .evidence(evidence),
        partnerClient: PartnerClient { _, _, event in self.change { $0.events.append(event) } })
    }
    return OneAssistService(
      core: core, policy: policy, messenger: messenger, devOutbox: devOutbox,
      photos: PhotoInspector { bytes in
        let text = String(decoding: bytes, as: UTF8.self)
        if text.hasPrefix("small") { throw Problem.photoTooSmall }
        if text.hasPrefix("noise") { throw Problem.photoUnreadable }
        return .init(
          bytes: Data("jpeg \(text)".utf8), isBlank: text.hasPrefix("blank"), isBlurred: text.hasPrefix("blurred"))
      },
      recogniseText: { String(decoding: $0, as: UTF8.self) },
      readCode: ScreenCodeReader { _ in self.state.withLock { $0.code } },
      blacklist: Blacklist { imei in self.state.withLock { $0.stolen.contains(imei.digits) } ? .listed : .clear },
      partnerClient: PartnerClient { partner, _, event in
        #expect(partner.webhookURL == OneAssistTestApp.webhook)
        if self.state.withLock({ $0.refusesEvents }) { throw MessageUndelivered(.unreachable) }
        self.change { $0.events.append(event) }
      })
  }
}
