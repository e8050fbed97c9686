import CVision
import Foundation
import Testing

@testable import Evidence

@Suite("Evidence: print that is read again, and pictures that would take long")
struct ConfirmedNumberTests {
  @Test("a printed number is read again for look-alikes only, and not when it says something else")
  func lookalikes() {
    #expect(PageText.mayBeConfirmed("L8989O2C3", as: "L898902C3"))
    #expect(PageText.mayBeConfirmed("L8989OZC3", as: "L898902C3"))
    // A number that was altered in one place.
    #expect(!PageText.mayBeConfirmed("L898904C3", as: "L898902C3"))
    #expect(!PageText.mayBeConfirmed("L898902C", as: "L898902C3"))
    #expect(!PageText.mayBeConfirmed("L898902C3", as: "L898902C3"))
  }

  @Test("20,000 bars that hang together cost no more than a page")
  func bars() throws {
    let (width, height) = (1600, 1128)
    var raw = Pictures.Raw(width: width, height: height, bgr: [UInt8](repeating: 255, count: width * height * 3))
    for (column, x) in stride(from: 2, to: width - 2, by: 3).enumerated() {
      for top in stride(from: column % 2 * 10 + 2, to: height - 20, by: 21) {
        for y in top..<top + 20 {
          for channel in 0..<3 { raw.bgr[(y * width + x) * 3 + channel] = 0 }
        }
      }
    }
    let frame = try Pictures.frame(raw)
    let reader = LineReader(dataPath: nil)
    _ = try reader.isLatin()
    let before = Self.processorSeconds
    _ = try reader.lines(in: frame, timeLimitMilliseconds: 500)
    // Comparing each bar with each took 40 s and 2 GB.
    #expect(Self.processorSeconds - before < 10)
  }

  private static var processorSeconds: Double {
    var now = timespec()
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now)
    return Double(now.tv_sec) + Double(now.tv_nsec) / 1e9
  }
}
