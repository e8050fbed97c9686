// SPDX-License-Identifier: Apache-2.0

internal import Foundation
internal import PowerAuth2

/// Which calls wait for which.
final class CallQueues: Sendable {
  /// Each call under way holds a thread.
  static let concurrentMax = 16

  private let serial: OperationQueue
  private let concurrent: OperationQueue

  init(name: String) {
    serial = OperationQueue()
    serial.name = "\(name).serial"
    serial.maxConcurrentOperationCount = 1
    concurrent = OperationQueue()
    concurrent.name = "\(name).concurrent"
    concurrent.maxConcurrentOperationCount = Self.concurrentMax
  }

  func add(_ operation: CallOperation, isSigned: Bool, strategy: WPNRequestConcurrencyStrategy) {
    switch strategy {
    case .serialAll: serial.addOperation(operation)
    case .serialSigned: (isSigned ? serial : concurrent).addOperation(operation)
    case .concurentAll: concurrent.addOperation(operation)
    }
  }
}

extension PowerAuthSDK {
  /// Does the work when no other signed request of this instance is under way, its own and those of apps alike.
  func aloneAmongSigned<Value: Sendable>(
    _ work: @Sendable () async throws(WPNError) -> Value
  ) async throws(WPNError) -> Value {
    let end = DispatchSemaphore(value: 0)
    let isInLine = await withCheckedContinuation { begin in
      let turn = BlockOperation {
        begin.resume(returning: true)
        end.wait()
      }
      if !executeOperation(onSerialQueue: turn) { begin.resume(returning: false) }
    }
    guard isInLine else { throw WPNError(reason: .missingActivation) }
    defer { end.signal() }
    guard !Task.isCancelled else { throw .canceled() }
    return try await work()
  }
}
