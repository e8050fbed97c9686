#if canImport(Network)
  internal import Network
#endif

/// By what the device reaches the network at the moment.
enum NetworkKind: String {
  case wifi, cellular, wired, none
  /// Where the system does not say.
  case unknown

  static var current: NetworkKind {
    #if canImport(Network)
      let path = NWPathMonitor().currentPath
      guard path.status == .satisfied else { return .none }
      if path.usesInterfaceType(.wifi) { return .wifi }
      if path.usesInterfaceType(.cellular) { return .cellular }
      return path.usesInterfaceType(.wiredEthernet) ? .wired : .unknown
    #else
      return .unknown
    #endif
  }
}
