// SPDX-License-Identifier: Apache-2.0

import Testing

/// The entry of the test program. Swift's package manager would write one itself, and needs an index of all sources to
/// find classes of XCTest, which this package does not use; with this file the build makes no index.
@main
struct TestProgram {
  static func main() async {
    let arguments = CommandLine.arguments
    // `swift test` runs the program once for each library and names it.
    if let flag = arguments.firstIndex(of: "--testing-library"), arguments.dropFirst(flag + 1).first == "xctest" {
      return
    }
    await Testing.__swiftPMEntryPoint() as Never
  }
}
