// SPDX-License-Identifier: Apache-2.0

import TestSupport
import Testing

@testable import Delivery

@Suite("Delivery: a part of a processor for what yields", .storeless)
struct ProcessorShareTests {
  private let start = ContinuousClock.now

  private func isNext(_ share: ProcessorShare, after time: Duration, _ wait: Duration, yields: Bool) -> Bool {
    share.next(at: start + time) == (wait, yields)
  }

  @Test("without a share all work yields, however slow it was")
  func none() {
    var share = ProcessorShare(0, at: start)
    #expect(isNext(share, after: .zero, .zero, yields: true))
    share.ended(yielded: true, taken: .milliseconds(1), elapsed: .seconds(60), at: start + .seconds(60))
    #expect(isNext(share, after: .seconds(60), .zero, yields: true))
  }

  @Test("work does not yield until the share is used up, and again when it has grown")
  func used() {
    var share = ProcessorShare(0.25, at: start)
    #expect(isNext(share, after: .zero, .zero, yields: false))
    share.ended(yielded: false, taken: .seconds(1), elapsed: .seconds(2), at: start + .seconds(2))
    #expect(isNext(share, after: .seconds(2), .zero, yields: true))
    // What yields is not of the share.
    share.ended(yielded: true, taken: .seconds(1), elapsed: .seconds(2), at: start + .seconds(4))
    #expect(isNext(share, after: .milliseconds(4999), .zero, yields: true))
    #expect(isNext(share, after: .seconds(5), .zero, yields: false))
  }

  @Test("where work that yields got less than the share, what follows waits for that")
  func busy() {
    var share = ProcessorShare(0.25, at: start)
    share.ended(yielded: true, taken: .seconds(1), elapsed: .seconds(5), at: start)
    share.ended(yielded: false, taken: .seconds(1), elapsed: .seconds(1), at: start)
    #expect(isNext(share, after: .seconds(1), .seconds(2), yields: false))
    share.ended(yielded: false, taken: .seconds(40), elapsed: .seconds(40), at: start + .seconds(40))
    #expect(isNext(share, after: .seconds(40), ProcessorShare.waitMax, yields: false))
    // After a while it is tried again.
    share.ended(yielded: false, taken: .seconds(1), elapsed: .seconds(1), at: start + ProcessorShare.busyTime)
    #expect(isNext(share, after: ProcessorShare.busyTime, .zero, yields: true))
  }
}
