// SPDX-License-Identifier: Apache-2.0

import Delivery
import Foundation
import Kit
import Scheduling

extension App {
  // What docs/reference/webhook-events.md tells of them.
  // webhook call.begun: a call that is to be recorded begins, or goes on after its end
  // webhook call.ended: a call ended, its last page was left, or its customer was erased

  /// Messages to the recorder are of no tenant of a flow.
  private static let recorder = TenantID("calls", "recorder")

  /// The recorder that the settings name, told by signed webhooks. Where they name none any more, the one that was told
  /// last still hears that the calls which it records have ended, and of no begin.
  func callRecorder(_ recording: CallSettings.Recording?) -> CallRecorder {
    CallRecorder(keepDays: recording?.keepDays) { [webhooks, database] notice in
      guard recording != nil || notice.event == .ended else { return }
      let message = WebhookMessage(
        "call.\(notice.event.rawValue)", name: notice.id, tenant: Self.recorder,
        body: try JSONEncoder().encode(notice))
      try await database.write { tx in
        if let recording {
          try webhooks.bind(recording.url, secret: recording.secret, tenant: Self.recorder, isOwn: true, in: tx)
        }
        _ = try webhooks.publish(message, in: tx)
      }
    }
  }
}
