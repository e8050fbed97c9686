// SPDX-License-Identifier: Apache-2.0

/// What may change what is to be shown, as far as it came together.
struct StateChange: Sendable {
  /// Found out by a call of the app.
  var report: StateReports.Report?
  /// Told by the server.
  var outcome: VerificationEvents.Outcome?
  var isTimeToAsk = false
}

extension WDOVerificationService {
  /// Waits for whatever comes first: a report after a number, an event, the end of a wait.
  /// - Parameters:
  ///   - events: nil without any.
  ///   - delay: nil without an end.
  func change(after number: Int, _ events: VerificationEvents?, atMost delay: Duration?) async -> StateChange {
    await withTaskGroup(of: StateChange.self) { group in
      group.addTask { StateChange(report: await self.reports.next(after: number)) }
      if let events { group.addTask { StateChange(outcome: await events.next()) } }
      if let delay {
        group.addTask {
          do { try await self.calls.pause(for: delay) } catch { return StateChange() }
          return StateChange(isTimeToAsk: true)
        }
      }
      var change = await group.next() ?? StateChange()
      group.cancelAll()
      // What came at the same time counts, too: an event that was read does not come again.
      for await other in group {
        change.report = change.report ?? other.report
        change.outcome = other.outcome ?? change.outcome
      }
      if change.outcome == .cancelled { change.outcome = nil }
      return change
    }
  }
}

extension WDOVerificationState {
  /// Whether this is what is shown already.
  /// - Parameter isAsked: told by the server rather than found out by a call of the app, which knows no more than that.
  func goesOn(_ shown: WDOVerificationState, isAsked: Bool) -> Bool {
    switch (shown, self) {
    case (.processing(let before), .processing(let now)): before == now
    case _ where !isAsked: false
    // The consent is asked for on the device, and of some servers only `verifyOTP` knows how many codes are left.
    case (.intro, .intro), (.consent, .intro), (.documentsToScanSelect, .documentsToScanSelect): true
    case (.presenceCheck, .presenceCheck), (.otp, .otp(nil)), (.failed, .failed): true
    case (.otp(let before), .otp(let now)): before == now
    case (.scanDocument(let before), .scanDocument(let now)): before.isSame(as: now)
    default: false
    }
  }
}

extension WDOVerificationScanProcess {
  fileprivate func isSame(as other: WDOVerificationScanProcess) -> Bool {
    documents.count == other.documents.count
      && zip(documents, other.documents).allSatisfy { $0.type == $1.type && $0.sides == $1.sides }
  }
}
