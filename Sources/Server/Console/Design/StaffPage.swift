// SPDX-License-Identifier: Apache-2.0

import Scheduling

/// A page of the console. It works without script, but for security keys, which browsers ask by script only; the script
/// of every page locks it when its session ends.
protocol StaffPage: Page {}

/// A page for a member of staff who is signed in. Its times are by the clock of their institution.
protocol ConsolePage: StaffPage {
  var foot: StaffFooter { get }
}

extension ConsolePage {
  var clock: LocalTime? { foot.clock }
}

extension StaffPage {
  static var brand: Brand { .desk }
  static var scripts: [Asset] { [.idle] }
}

/// What went wrong.
struct StaffProblemPage: StaffPage {
  static var template: [UInt8] { PackageResources.StaffProblemPage_mustache }

  let title: Phrase
  let detail: Phrase
}
