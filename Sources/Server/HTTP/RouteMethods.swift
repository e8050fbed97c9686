// SPDX-License-Identifier: Apache-2.0

import HTTPTypes
import Hummingbird
import Synchronization

/// Which methods each path has, for requests by another one (RFC 9110 §15.5.6): a router by itself says that there is
/// no such path.
package final class RouteMethods: Sendable {
  private struct Route: Sendable {
    /// Nil takes any piece of a path.
    let pieces: [String?]
    let method: String
  }

  private enum Known: Sendable {
    /// As the router lists them, until they are asked for the first time.
    case listed([(path: RouterPath, method: HTTPRequest.Method)])
    case taken([Route])
  }

  private let known = Mutex(Known.taken([]))

  package init() {}

  /// Learns what a router serves; when every route is there.
  /// - Parameter answersHead: whether the router answers HEAD wherever it answers GET; it lists only the GET.
  package func learn(_ router: Router<PublicContext>, answersHead: Bool = false) {
    let listed = router.routes.flatMap { route in
      (answersHead && route.method == .get ? [route.method, .head] : [route.method]).map {
        (path: route.path, method: $0)
      }
    }
    known.withLock { $0 = .listed(listed) }
  }

  private var routes: [Route] {
    known.withLock { known in
      switch known {
      case .taken(let routes): return routes
      case .listed(let listed):
        let routes = listed.map { path, method in
          Route(
            pieces: Self.pieces("\(path)").map { $0.hasPrefix("{") ? nil : String($0) }, method: method.rawValue)
        }
        known = .taken(routes)
        return routes
      }
    }
  }

  /// - Returns: in alphabetical order; none when there is no such path.
  func allowed(_ path: String) -> [String] {
    let pieces = Self.pieces(path)
    let fitting = routes.filter { route in
      route.pieces.count == pieces.count && zip(route.pieces, pieces).allSatisfy { $0 == nil || $0 == String($1) }
    }
    return Set(fitting.map(\.method)).sorted()
  }

  private static func pieces(_ path: String) -> [Substring] { path.split(separator: "/") }
}
