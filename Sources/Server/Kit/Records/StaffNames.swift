// SPDX-License-Identifier: Apache-2.0

/// The names by which a member of staff is taken for the person of a case: their e-mail address, what stands before
/// its @, the address as commands write it, and their id. Some flows know a person by no more than the name that the
/// bank gives.
package struct StaffNames: Sendable {
  private let all: [String]

  package init(email: String, id: String) {
    let address = email.lowercased()
    // Without what is not allowed in a name of commands.
    let written = address.filter { $0.isASCII && ($0.isLetter || $0.isNumber || "._-".contains($0)) }
    all = [String(address.prefix { $0 != "@" }), address, written, id.lowercased()]
  }

  package func contains(_ name: String) -> Bool { all.contains(name.lowercased()) }
}
