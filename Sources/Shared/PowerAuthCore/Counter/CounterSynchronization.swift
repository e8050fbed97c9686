// SPDX-License-Identifier: Apache-2.0

/// What a device does about its counter after it has seen the server's in a status blob (powerauth.md §6.1).
public enum CounterSynchronization: Hashable, Sendable {
  /// They agree, or the device is ahead by no more than the server bears.
  case inStep
  /// The device is so far ahead that it should sign something soon, to pull the server along.
  case needsSignature
  /// The device learns its byte, or the server is ahead: keep this counter from now on.
  case adopt(DeviceCounter)
  /// They will not find each other again.
  case deadlock

  /// Compares the counter of a device with the status that a server sent. The rules, in order:
  /// 1. A device without a byte takes the server's when the data agree, and lets it be otherwise.
  /// 2. Data and bytes agree: in step.
  /// 3. The device's byte is ahead and its data are unknown to the server: deadlock beyond the window, a signature
  ///    beyond half of it, in step below.
  /// 4. The server is ahead by as many bytes as steps of data: adopt its counter.
  /// 5. Anything else is a deadlock.
  public static func resolve(
    _ device: DeviceCounter, status: ActivationStatus, transportKey: TransportKey
  ) -> CounterSynchronization {
    let window = Int(status.lookAhead)
    let steps = transportKey.distance(from: device.data, to: status.counterHash, window: window)
    guard let byte = device.byte else {
      return steps == 0 ? .adopt(DeviceCounter(byte: status.counterByte, data: device.data)) : .inStep
    }
    // Bytes wrap: of all distances that differ by 256 the one nearest to zero.
    let ahead = Int(Int8(bitPattern: byte &- status.counterByte))
    switch (ahead, steps) {
    case (0, 0): return .inStep
    case (1..., nil): return ahead > window ? .deadlock : ahead > window / 2 ? .needsSignature : .inStep
    case (_, let steps?) where steps == -ahead:
      return .adopt(DeviceCounter(byte: status.counterByte, data: device.data.advanced(by: steps)))
    default: return .deadlock
    }
  }
}
