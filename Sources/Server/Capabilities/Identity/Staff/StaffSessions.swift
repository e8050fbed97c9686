// SPDX-License-Identifier: Apache-2.0

import Kit

extension Sessions.Policy {
  /// Sessions of staff, over the API and on pages alike: they end after a quarter of an hour without use, and after
  /// twelve hours in any case (NIST SP 800-63B-4 §2.2.3).
  ///
  /// A session is used whenever its refresh token is spent, which a client in use does every five minutes; a page that
  /// has no refresh token gets an access token for the whole quarter of an hour instead.
  package static func staff(
    audience: String, scope: String, refreshPrefix: String, accessLifetime: Duration = .minutes(5)
  ) -> Sessions.Policy {
    var policy = Sessions.Policy(audience: audience, scope: scope, refreshPrefix: refreshPrefix)
    policy.accessLifetime = accessLifetime
    policy.refreshIdle = .minutes(15)
    policy.familyLifetime = .hours(12)
    policy.expirySkew = .zero
    return policy
  }
}
