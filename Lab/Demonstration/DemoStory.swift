// SPDX-License-Identifier: Apache-2.0

import Foundation
import GatehouseApp
import RubixOnboarding

/// What a step of a story came to, before it is compared with what was expected.
struct DemoAnswer: Sendable {
  var text: String
  var read: [DemoReading] = []
  var differences: [String] = []

  init(_ text: String, read: [DemoReading] = [], differences: [String] = []) {
    self.text = text
    self.read = read
    self.differences = differences
  }

  /// Notes a difference unless the condition holds.
  mutating func expect(_ holds: Bool, _ difference: String) {
    if !holds { differences.append(difference) }
  }
}

/// One customer's story: makes calls, asks the server where the application stands, and writes both down.
struct DemoStory: Sendable {
  let title: String
  let phone: DemoPhone
  let log: DemoLog

  /// The rest of a story makes no sense after a step that failed.
  struct Broken: Error {}

  /// Where the application must stand after a step.
  struct Place: Sendable {
    var last: OnboardingStep
    /// Nil when the customer has nothing to do.
    var next: OnboardingScreen?
    var status = OnboardingStatus.pending

    init(_ last: OnboardingStep, next: OnboardingScreen?, _ status: OnboardingStatus = .pending) {
      self.last = last
      self.next = next
      self.status = status
    }
  }

  /// Plays a step.
  /// - Throws: `Broken` when the step threw or led elsewhere; the difference is written down.
  func step(
    _ title: String, to place: Place, _ act: @Sendable (RubixOnboarding) async throws -> DemoAnswer
  ) async throws {
    let clock = ContinuousClock()
    let start = clock.now
    var answer: DemoAnswer
    var isBroken = false
    do { answer = try await act(phone.app) } catch {
      answer = DemoAnswer("no answer", differences: [Self.words(error)])
      isBroken = true
    }
    let milliseconds = Int((clock.now - start).inSeconds * 1000)
    answer.differences += answer.read.filter { !$0.isRight }.map {
      "\($0.field) was read as \($0.read ?? "nothing"), it is \($0.truth ?? "nothing")"
    }
    let view = try? await phone.app.me()
    let misplaced = Self.differences(view, from: place)
    answer.differences += misplaced
    await log.add(
      DemoStep(
        story: self.title, title: title, answer: answer.text, status: view?.status.rawValue ?? "–",
        lastStep: view?.lastStep.rawValue ?? "–", next: view?.nextSteps.first?.path, read: answer.read,
        differences: answer.differences, milliseconds: milliseconds))
    if isBroken || !misplaced.isEmpty { throw Broken() }
  }

  /// Makes a call that has to be refused in this way.
  static func refused(
    _ status: Int, _ code: ProblemCode, _ call: @Sendable () async throws -> Void
  ) async throws -> DemoAnswer {
    do { try await call() } catch RubixError.problem(let problem) {
      var answer = DemoAnswer("\(problem.status) \(problem.code.rawValue)")
      if let left = problem.attemptsLeft { answer.text += ", \(left) attempts left" }
      answer.expect(
        problem.status == status && problem.code == code, "refused otherwise than with \(status) \(code.rawValue)")
      return answer
    }
    return DemoAnswer("accepted", differences: ["it should be refused with \(status) \(code.rawValue)"])
  }

  private static func differences(_ view: OnboardingView?, from place: Place) -> [String] {
    guard let view else { return ["auth/me gave no answer"] }
    var differences: [String] = []
    if view.lastStep != place.last {
      differences.append("last_step is \(view.lastStep.rawValue), not \(place.last.rawValue)")
    }
    if view.status != place.status {
      differences.append("status is \(view.status.rawValue), not \(place.status.rawValue)")
    }
    if view.nextSteps.first?.screen != place.next {
      let wanted = place.next.map { "\($0)" } ?? "nothing"
      differences.append("next is \(view.nextSteps.first?.path ?? "nothing"), not \(wanted)")
    }
    return differences
  }

  private static func words(_ error: any Error) -> String {
    guard case RubixError.problem(let problem) = error else { return "\(error)" }
    let fields = (problem.errors ?? []).map { "\($0.field) \($0.code)" }.joined(separator: ", ")
    return "\(problem.status) \(problem.code.rawValue) \(fields)"
  }
}
