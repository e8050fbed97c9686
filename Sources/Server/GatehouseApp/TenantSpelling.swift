// SPDX-License-Identifier: Apache-2.0
import FinapticFlow
import Kit
import RubixFlow

/// How people write a tenant, in commands and files of settings: `finaptic-7` is number 7 of Finaptic, a bare name is
/// one of `tenants.json`, and one of another system has the system before it, as in `oneassist/ID`.
extension TenantID {
  /// - Parameter spelling: also `finaptic/7` and `rubix/NAME`, as rows and the versions before have it.
  package init?(spelling: String) {
    if let parts = spelling.wholeMatch(of: /finaptic[\/-]([1-9][0-9]{0,3})/), let number = Int(parts.1) {
      self = FinapticTenant.webhooks(number)
    } else {
      self.init(spelling.contains("/") ? spelling : "\(RubixModule.name)/\(spelling)")
    }
  }

  /// The one form that is printed.
  package var spelling: String {
    if system == FinapticModule.name { return "\(system)-\(name)" }
    // A name that would be read as another tenant keeps its system.
    return system == RubixModule.name && TenantID(spelling: name) == self ? name : description
  }
}
