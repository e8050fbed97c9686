import Delivery
import Foundation
import Kit
import Scheduling

extension App {
  /// Messages to the recorder are of no tenant of a flow.
  private static let recorder = TenantID("calls", "recorder")

  /// The recorder that the settings name, told by signed webhooks; nil where they name no recorder.
  var callRecorder: CallRecorder? {
    settings.calls.recording.map { [webhooks, database] recording in
      CallRecorder(keepDays: recording.keepDays) { notice in
        let message = WebhookMessage(
          "call.\(notice.event.rawValue)", name: notice.id, tenant: Self.recorder,
          body: try JSONEncoder().encode(notice))
        try await database.write { tx in
          try webhooks.bind(recording.url, secret: recording.secret, tenant: Self.recorder, isOwn: true, in: tx)
          _ = try webhooks.publish(message, in: tx)
        }
      }
    }
  }
}
