// SPDX-License-Identifier: Apache-2.0

/// A counter as a number and as data, which the server keeps with an activation.
public struct SignatureCounter: Hashable, Sendable {
  public private(set) var number: UInt64
  public private(set) var data: CounterData

  public init(number: UInt64 = 0, data: CounterData) {
    self.number = number
    self.data = data
  }

  /// What travels in a status blob.
  public var byte: UInt8 { UInt8(truncatingIfNeeded: number) }

  public func advanced(by steps: Int) -> SignatureCounter {
    SignatureCounter(number: number &+ UInt64(steps), data: data.advanced(by: steps))
  }
}

/// A counter as a device keeps it: the low byte of the number, which a device that was never told does not have.
public struct DeviceCounter: Hashable, Sendable {
  public var byte: UInt8?
  public var data: CounterData

  public init(byte: UInt8? = nil, data: CounterData) {
    self.byte = byte
    self.data = data
  }

  /// The counter after a signature, to be written down before the signature leaves the device.
  public var next: DeviceCounter { advanced(by: 1) }

  public func advanced(by steps: Int) -> DeviceCounter {
    DeviceCounter(byte: byte.map { $0 &+ UInt8(truncatingIfNeeded: steps) }, data: data.advanced(by: steps))
  }
}
