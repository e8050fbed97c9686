// SPDX-License-Identifier: Apache-2.0

/// What follows from wrong passcodes, counted from the last right one (specification §10.4).
public struct LockRules: Sendable, Equatable {
  /// What a wrong passcode leads to.
  public enum Consequence: Sendable, Equatable {
    /// Try again; so many wrong ones are left before the first block.
    case again(attemptsLeft: Int)
    /// Nothing can be tried for a while.
    case block(Duration)
    /// Everything goes.
    case wipe
  }

  /// Wrong passcodes without a consequence.
  public let attemptsFree: Int
  /// One for each that follows; the wrong one after the last of them wipes.
  public let blocks: [Duration]

  /// Rules of an app's own.
  public init(attemptsFree: Int, blocks: [Duration]) {
    (self.attemptsFree, self.blocks) = (attemptsFree, blocks)
  }

  /// Five are free; the sixth blocks for a minute, then 5, 15, 60 and 60 minutes; the eleventh wipes.
  public static let standard = LockRules(
    attemptsFree: 5, blocks: [.seconds(60), .seconds(300), .seconds(900), .seconds(3600), .seconds(3600)])

  /// - Parameter count: of wrong passcodes, this one included.
  public func consequence(ofWrong count: Int) -> Consequence {
    if count <= attemptsFree { return .again(attemptsLeft: attemptsFree - count) }
    let place = count - attemptsFree - 1
    return place < blocks.count ? .block(blocks[place]) : .wipe
  }
}
