// SPDX-License-Identifier: Apache-2.0

import GatehouseWire

/// Answer of `GET /steps`: the graph with states (rubix-onboarding §6.15).
public struct StepGraph: Codable, Sendable, Equatable {
  /// The step that reached an outcome most recently.
  public var lastStep: OnboardingStep
  /// Every call that can be needed, in the order of the table.
  public var steps: [StepNode]

  /// Creates the value from its members.
  public init(lastStep: OnboardingStep, steps: [StepNode]) {
    self.lastStep = lastStep
    self.steps = steps
  }

  enum CodingKeys: String, CodingKey {
    case lastStep = "last_step"
    case steps
  }
}

/// One call of the graph.
public struct StepNode: Codable, Sendable, Equatable {
  /// The step it leads to; nil for `/sessions`.
  @ExplicitNull public var step: OnboardingStep?
  /// HTTP method.
  public var method: String
  /// Path below the base path.
  public var path: String
  /// How it stands.
  public var state: StepState
  /// Whether the onboarding can complete without it.
  public var optional: Bool

  /// Creates the value from its members.
  public init(step: OnboardingStep? = nil, method: String, path: String, state: StepState, optional: Bool = false) {
    self.step = step
    self.method = method
    self.path = path
    self.state = state
    self.optional = optional
  }

  enum CodingKeys: String, CodingKey {
    case step
    case method
    case path
    case state
    case optional
  }
}

/// How a call of the graph stands.
public struct StepState: OpenEnumeration {
  /// The word on the wire.
  public let rawValue: String

  /// Wraps any word, also one that this version does not know.
  public init(rawValue: String) { self.rawValue = rawValue }

  /// Done and in force.
  public static let completed = StepState(rawValue: "completed")
  /// In order now.
  public static let available = StepState(rawValue: "available")
  /// Something else comes first.
  public static let blocked = StepState(rawValue: "blocked")
  /// Not needed with this tenant or on this path.
  public static let skipped = StepState(rawValue: "skipped")

  /// Every word that this version knows, in the order of the specification.
  public static let known: [StepState] = [.completed, .available, .blocked, .skipped]
}
