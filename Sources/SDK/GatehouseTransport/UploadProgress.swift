// SPDX-License-Identifier: Apache-2.0

/// How much of a request's body has left the device.
public struct UploadProgress: Sendable, Equatable {
  /// Bytes handed to the network.
  public let bytesSent: Int64
  /// Bytes in all.
  public let bytesTotal: Int64

  /// Creates the value.
  public init(bytesSent: Int64, bytesTotal: Int64) {
    self.bytesSent = bytesSent
    self.bytesTotal = bytesTotal
  }

  /// 0…1; 1 for an empty body.
  public var fraction: Double { bytesTotal > 0 ? min(1, Double(bytesSent) / Double(bytesTotal)) : 1 }

  /// What is called as the body leaves; possibly on any thread, with growing numbers.
  public typealias Observer = @Sendable (UploadProgress) -> Void
}
