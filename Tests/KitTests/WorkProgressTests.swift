// SPDX-License-Identifier: Apache-2.0

import Kit
import Testing
import TestSupport

@Suite("Long work tells how far it has come", .storeless)
struct WorkProgressTests {
  @Test("a part has a share where it knows what there is to do, and never more than all of it")
  func share() {
    let progress = WorkProgress()
    #expect(progress.part == nil)
    progress.begin("objects")
    progress.advance(by: 7)
    #expect(progress.part?.done == 7 && progress.part?.percent == nil)
    progress.begin("chains", of: 8)
    #expect(progress.part?.percent == 0)
    progress.advance(by: 3)
    #expect(progress.part?.name == "chains" && progress.part?.percent == 37)
    progress.advance(by: 6)
    #expect(progress.part?.percent == 100)
    progress.reach(1, of: 0)
    #expect(progress.part?.percent == nil)
  }

  @Test("work that knows what is left has done what was left at most and is no more")
  func remaining() {
    let progress = WorkProgress()
    progress.remain(3)
    #expect(progress.part == nil)
    progress.begin("steps")
    #expect(progress.part?.percent == nil)
    let shares = [8, 6, 6, 0].map { left in
      progress.remain(left)
      return progress.part?.percent
    }
    #expect(shares == [0, 25, 25, 100])
  }
}
