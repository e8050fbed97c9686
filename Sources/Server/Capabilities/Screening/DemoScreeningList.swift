// SPDX-License-Identifier: Apache-2.0

import Foundation

/// A tiny list of invented Utopians for `gatehouse-lab demo` and for trying the form of a list file out. No real
/// person is in it, and it protects from no one.
package enum DemoScreeningList {
  /// Code of the list.
  package static let code = "UTOPIA_DEMO"
  /// Its version.
  package static let version = "2026-11-21"

  /// A person on the list, for the step of the demo that a review follows.
  package static let listedSurname = "QUILLFEATHER"
  /// Given names of that person.
  package static let listedGivenNames = "ISOLDE MARGRAVE"
  /// `YYYY-MM-DD`.
  package static let listedDateOfBirth = "1987-04-12"

  /// The file as an operator would put it into the folder of lists.
  package static let csv = #"""
    ref,kind,name,aliases,weak_aliases,dob,nationality,document_numbers,topics
    UD-001,person,"QUILLFEATHER, Isolde Margrave",Isolde Quillfether; Isa Quillfeather,\#
    The Quill,1987-04-12,UTO,,sanction
    UD-002,person,Barnaby Thistlewick Oxenmoor,Barny Oxenmore,,circa 1961,UTO,U4471902,sanction
    UD-003,person,"PELLUCIDAR VANTONGEREN, Odalys","Odalys Vantongeren; ""Lady Pell""",\#
    Pell,1969-11-03; 1970,UTO,,sanction
    UD-004,person,Fenwick Harrowgate-Lumley,,,1955/1957,UTO,,role.pep
    UD-005,person,Zephyrine Ostrovale,Zefirin Ostrowale,,12 Mar 1978,UTO,,role.pep
    UD-006,entity,Utopian Moonbeam Export Company,,,,UTO,,sanction
    """#

  /// The next version of the list: it names one more person, so that a sandbox has a hit that no step of a customer
  /// found.
  package static let laterVersion = "2026-11-28"
  /// That person, as a document has the name.
  package static let laterSurname = "WRENFIELD"
  /// Given names of that person.
  package static let laterGivenNames = "CORDELIA MAUD"
  /// `YYYY-MM-DD`.
  package static let laterDateOfBirth = "1984-02-17"
  /// The file of that version.
  package static let laterCSV =
    csv + "\nUD-007,person,\"WRENFIELD, Cordelia Maud\",,,\(laterDateOfBirth),UTO,,sanction\n"

  /// The list itself.
  package static func list(countries: CountryNames) throws(ListFault) -> WatchList {
    try WatchList(Data(csv.utf8), version: .init(code: code, version: version), countries: countries)
  }
}
