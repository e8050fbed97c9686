// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Demonstration
import GatehouseApp
import Kit

/// `gatehouse-lab`: what plays, measures, draws and breaks beside the program that a bank runs.
@main
struct Lab: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "gatehouse-lab",
    abstract: "Demonstrations, benchmarks, test documents and fault runs for Gatehouse.",
    subcommands: [
      Demo.self, SpecimenCommand.self, ReadScreens.self, BenchCommand.self, ChaosCommand.self, PictureChild.self,
      ScreensCommand.self, SeedCommand.self, SimulateCommand.self, FillCommand.self,
    ])
}
