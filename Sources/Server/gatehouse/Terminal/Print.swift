// SPDX-License-Identifier: Apache-2.0

import GatehouseApp

/// Prints in place of the standard library's function, in every file of this program: what moves the cursor of a
/// terminal is shown as `\u{…}`, for rows of a store, lists and documents of others stand in what commands print.
func print(_ text: some CustomStringConvertible, terminator: String = "\n") {
  Swift.print(TerminalLine.lines(text.description), terminator: terminator)
}
