// SPDX-License-Identifier: Apache-2.0

internal import Locks

#if canImport(Network)
  internal import Dispatch
  internal import Network
#endif

/// By what the device reaches the network at the moment.
enum NetworkKind: String, Sendable {
  case wifi, cellular, wired, none
  /// Where the system does not say, or has not said yet.
  case unknown

  /// What a way to the network may go by.
  enum Interface: Sendable {
    case wifi, cellular, wired
  }

  /// - Parameters:
  ///   - isSatisfied: whether there is a way to the network.
  ///   - uses: whether it goes by an interface of the kind.
  init(isSatisfied: Bool, uses: (Interface) -> Bool) {
    guard isSatisfied else {
      self = .none
      return
    }
    self = uses(.wifi) ? .wifi : uses(.cellular) ? .cellular : uses(.wired) ? .wired : .unknown
  }

  /// What the system said last; it is asked from the first use on.
  static var current: NetworkKind { NetworkWatch.ofThisDevice.latest }
}

/// Remembers what the system said last of its network.
final class NetworkWatch: Sendable {
  private let told: Guarded<NetworkKind>
  /// Whatever the system stops telling without.
  private let source: any Sendable

  /// - Parameter begin: has the system tell of every change, beginning with how it is now; what it gives back is kept
  ///   as long as the watch.
  init(_ begin: (_ tell: @escaping @Sendable (NetworkKind) -> Void) -> any Sendable) {
    let told = Guarded(NetworkKind.unknown)
    self.told = told
    source = begin { kind in told.withLock { $0 = kind } }
  }

  var latest: NetworkKind { told.withLock { $0 } }

  #if canImport(Network)
    static let ofThisDevice = NetworkWatch { tell in
      let monitor = NWPathMonitor()
      // The current path of a monitor that was never started is no path.
      monitor.pathUpdateHandler = { path in
        tell(
          NetworkKind(isSatisfied: path.status == .satisfied) { interface in
            switch interface {
            case .wifi: path.usesInterfaceType(.wifi)
            case .cellular: path.usesInterfaceType(.cellular)
            case .wired: path.usesInterfaceType(.wiredEthernet)
            }
          })
      }
      monitor.start(queue: DispatchQueue(label: "PowerAuthNetworking.network"))
      return Guarded(monitor)
    }
  #else
    static let ofThisDevice = NetworkWatch { _ in true }
  #endif
}
