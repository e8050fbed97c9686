// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Demonstration

/// `gatehouse-demo`: what `make demo` builds and plays. It is `gatehouse-lab demo` without the benches, the fault runs
/// and the screens, which a first run does not wait for.
@main
struct DemoProgram: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "gatehouse-demo", abstract: "Whole onboardings on this machine.", subcommands: [Demo.self],
    defaultSubcommand: Demo.self)
}
