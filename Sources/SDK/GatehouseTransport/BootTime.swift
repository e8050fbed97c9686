// SPDX-License-Identifier: Apache-2.0

internal import Foundation

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// How long the device has been running since it was started: a time that outlives the app's process, goes on while the
/// device sleeps, and that cannot be set.
public struct BootTime: Sendable, Equatable {
  /// Names this start of the device; the next one has another.
  public let id: String
  /// Since the device was started.
  public let sinceStart: Duration

  /// Creates the value from its members.
  public init(id: String, sinceStart: Duration) { (self.id, self.sinceStart) = (id, sinceStart) }

  /// The device's own; nil where the system does not tell which start it is.
  static var live: BootTime? {
    #if canImport(Glibc)
      guard let text = try? String(contentsOfFile: "/proc/sys/kernel/random/boot_id", encoding: .utf8) else {
        return nil
      }
      let clock = CLOCK_BOOTTIME
    #elseif canImport(Darwin)
      var bytes = [CChar](repeating: 0, count: 64)
      var length = bytes.count
      guard sysctlbyname("kern.bootsessionuuid", &bytes, &length, nil, 0) == 0 else { return nil }
      let text = String(decoding: bytes.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
      // Of Apple's two, the one that goes on while the device sleeps.
      let clock = CLOCK_MONOTONIC_RAW
    #else
      return nil
    #endif
    let id = text.trimmingCharacters(in: .whitespacesAndNewlines)
    var time = timespec()
    guard !id.isEmpty, clock_gettime(clock, &time) == 0 else { return nil }
    return BootTime(id: id, sinceStart: .seconds(time.tv_sec) + .nanoseconds(time.tv_nsec))
  }
}
