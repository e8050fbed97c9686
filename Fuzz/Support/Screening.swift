// SPDX-License-Identifier: Apache-2.0

/// As much of the screening as a table names.
package enum Screening {
  package struct Subject: Sendable {
    package let names: [String]
    let dateOfBirth: BirthDate?
    let nationalities, documentNumbers: [String]
    let kind: WatchList.Kind?
    let sex: WatchList.Sex?
  }
}

/// As much of the matcher as a table names.
enum ListedName {
  static let scalarsMax = 512
}
