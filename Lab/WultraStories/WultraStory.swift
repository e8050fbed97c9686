// SPDX-License-Identifier: Apache-2.0

import WultraDigitalOnboarding
import WultraPowerAuthNetworking

/// An acceptance scenario of Wultra Digital Onboarding (wultra-onboarding.md §8), by our SDK. The app is killed and
/// started anew between any two steps, which is the third of them.
package struct WultraStory: Sendable, CustomStringConvertible {
  /// As in the list of §8.
  package let number: Int
  package let title: String
  private let script: @Sendable (StoryRun) async throws -> Void

  init(_ number: Int, _ title: String, script: @escaping @Sendable (StoryRun) async throws -> Void) {
    self.number = number
    self.title = title
    self.script = script
  }

  package var description: String { "\(number) \(title)" }

  /// Plays it, as the client whose number is the story's. A step that came out otherwise is the last one.
  /// - Parameter report: is told of each step.
  /// - Throws: `CancellationError`.
  package func play(on stage: StoryStage, report: @escaping @Sendable (StoryStep) async -> Void) async throws {
    let run = StoryRun(title: "\(self)", phone: StoryPhone(stage, clientNumber: "\(number)"), report: report)
    do { try await script(run) } catch is StoryRun.Broken {} catch let error as CancellationError { throw error } catch
    {
      await report(
        StoryStep(
          story: run.title, action: "goes on", shown: "\(error)", expected: "the next step", note: "",
          duration: .zero))
    }
  }
}

/// A story that is being played.
struct StoryRun: Sendable {
  let title: String
  let phone: StoryPhone
  let report: @Sendable (StoryStep) async -> Void

  /// The rest of a story makes no sense after a step that came out otherwise.
  struct Broken: Error {}

  /// Plays a step.
  /// - Throws: `Broken` when something else is shown than expected.
  func step(
    _ action: String, shows expected: String, _ act: @Sendable (StoryPhone) async throws -> StoryAnswer
  ) async throws {
    let start = phone.stage.clock.uptime()
    let answer: StoryAnswer
    do { answer = try await act(phone) } catch let error as CancellationError { throw error } catch {
      answer = StoryAnswer(Self.words(error))
    }
    let step = StoryStep(
      story: title, action: action, shown: answer.shown, expected: expected, note: answer.note,
      duration: phone.stage.clock.uptime() - start)
    await report(step)
    guard step.isAsExpected else { throw Broken() }
  }

  /// Makes a call that is to be refused.
  static func refused(_ call: () async throws -> Void) async throws -> StoryAnswer {
    do { try await call() } catch let error as CancellationError { throw error } catch {
      return StoryAnswer(words(error))
    }
    return StoryAnswer("not refused")
  }

  /// The server's code or the SDK's reason, then what to show now if the refusal says it.
  private static func words(_ error: any Error) -> String {
    let fail = error as? WDOVerificationService.Fail
    guard let cause = fail?.cause ?? error as? WPNError else { return "\(error)" }
    let code = cause.restApiError?.code ?? cause.reason.rawValue
    return fail?.state.map { "\(code), \($0.line)" } ?? code
  }
}

extension WDOVerificationState {
  /// The screen in one line.
  package var line: String {
    switch self {
    case .intro: "intro"
    case .consent: "consent"
    case .documentsToScanSelect: "documentsToScanSelect"
    case .scanDocument(let process):
      "scanDocument" + (process.nextDocumentToScan.map { " \($0.type.rawValue) \($0.uploadState)" } ?? "")
    case .processing(let item): "processing \(Self.word(item))"
    case .presenceCheck: "presenceCheck"
    case .otp(let remaining): "otp" + (remaining.map { " \($0) left" } ?? "")
    case .failed: "failed"
    case .endstate(let reason): "endstate \(Self.word(reason))"
    case .success: "success"
    }
  }

  /// The last word of a published description.
  private static func word(_ described: some CustomStringConvertible) -> String {
    described.description.split(separator: ".").last.map(String.init) ?? ""
  }
}
