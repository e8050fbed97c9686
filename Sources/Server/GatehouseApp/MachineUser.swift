// SPDX-License-Identifier: Apache-2.0

import Foundation

/// Who acts where no member of the staff is named: the user of the operating system.
package enum MachineUser {
  /// As in the audit log: `operator:NAME`, of the user who started this program, also behind `sudo`.
  package static let actor: String = {
    let user = getuid()
    if user == 0, let name = ProcessInfo.processInfo.environment["SUDO_USER"], !name.isEmpty { return named(name) }
    return named(getpwuid(user).map { String(cString: $0.pointee.pw_name) } ?? "\(user)")
  }()

  private static func named(_ name: String) -> String {
    "operator:" + name.filter { $0.isASCII && ($0.isLetter || $0.isNumber || "._-".contains($0)) }.prefix(64)
  }
}
