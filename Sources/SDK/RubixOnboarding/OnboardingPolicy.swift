// SPDX-License-Identifier: Apache-2.0

public import GatehouseTransport

/// The named maxima of the client.
public struct OnboardingPolicy: Sendable, Equatable {
  /// How often and how long before a call is repeated.
  public var retry: RetryPolicy
  /// One exchange with a body of text.
  public var deadline: Duration
  /// One exchange with an image.
  public var uploadDeadline: Duration
  /// How often a document or a screening that is under way is asked for.
  public var pollsMax: Int
  /// Wait between two polls when the server names none.
  public var pollDelay: Duration
  /// Longest wait between two polls, also when the server asks for more.
  public var pollDelayMax: Duration

  /// Creates the policy.
  public init(
    retry: RetryPolicy = RetryPolicy(),
    deadline: Duration = .seconds(30),
    uploadDeadline: Duration = .seconds(120),
    pollsMax: Int = 30,
    pollDelay: Duration = .seconds(1),
    pollDelayMax: Duration = .seconds(10)
  ) {
    self.retry = retry
    self.deadline = deadline
    self.uploadDeadline = uploadDeadline
    self.pollsMax = pollsMax
    self.pollDelay = pollDelay
    self.pollDelayMax = pollDelayMax
  }
}
