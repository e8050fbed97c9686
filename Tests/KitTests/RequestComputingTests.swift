// SPDX-License-Identifier: Apache-2.0

import Synchronization
import Testing

@testable import Kit

@Suite("Kit: what is computed for a request")
struct RequestComputingTests {
  @Test("a rest is seven times as long as what was in vain, and a minute at most")
  func rest() {
    #expect(RequestComputing.rest(after: .milliseconds(250)) == .milliseconds(1750))
    #expect(RequestComputing.rest(after: .seconds(60)) == .seconds(60))
    #expect(RequestComputing.rest(after: .zero) == .zero)
  }

  @Test("what waits for the answer acts once, with its outcome, and at once when it was there before")
  func answers() {
    let computing = RequestComputing(mustRest: true)
    let seen = Mutex<[Bool]>([])
    computing.whenAnswered { isRefused in seen.withLock { $0.append(isRefused) } }
    #expect(seen.withLock { $0 } == [])
    computing.answered(isRefused: true)
    #expect(seen.withLock { $0 } == [true])
    computing.whenAnswered { isRefused in seen.withLock { $0.append(!isRefused) } }
    #expect(seen.withLock { $0 } == [true, false])
  }

  @Test("what was in vain and what was not are added up apart, in milliseconds")
  func sum() {
    let computing = RequestComputing(mustRest: false)
    computing.note(.milliseconds(300), isInVain: true)
    computing.note(.microseconds(100_900), isInVain: false)
    computing.note(.milliseconds(50), isInVain: true)
    #expect((computing.inVain, computing.ofUse) == (350, 100))
  }
}
