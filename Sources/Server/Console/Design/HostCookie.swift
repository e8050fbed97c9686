// SPDX-License-Identifier: Apache-2.0

import Hummingbird

/// Cookies that browsers take from this very host only.
///
/// Where pages are reached over HTTPS only, a cookie's name begins with `__Host-` (RFC 6265bis, section 4.1.3.2): a
/// browser keeps such a cookie only when it came over TLS, without a domain and for the whole host. So no page of
/// another host of the same domain, and none without TLS, can put a cookie of theirs in the place of ours. A sandbox
/// without TLS has the plain name, since browsers would refuse the other one.
enum HostCookie {
  /// What a cookie is called.
  static func name(_ name: String, isSecure: Bool) -> String { isSecure ? "__Host-\(name)" : name }

  /// - Parameters:
  ///   - maxAge: in seconds; nil until the browser is closed.
  ///   - path: for which part of the host it is, where there is no TLS.
  static func make(
    _ name: String, _ value: String, maxAge: Int? = nil, path: String, isSecure: Bool, sameSite: Cookie.SameSite
  ) -> Cookie {
    Cookie(
      name: Self.name(name, isSecure: isSecure), value: value, maxAge: maxAge, path: isSecure ? "/" : path,
      secure: isSecure, httpOnly: true, sameSite: sameSite)
  }
}

extension Request {
  /// The value of a cookie of ours; one with the plain name counts for nothing where there is TLS.
  func cookie(_ name: String, isSecure: Bool) -> String? {
    cookies[HostCookie.name(name, isSecure: isSecure)]?.value
  }
}
