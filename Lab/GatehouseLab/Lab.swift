import ArgumentParser
import GatehouseApp
import Kit

/// `gatehouse-lab`: what plays, measures and draws beside the program that a bank runs.
@main
struct Lab: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "gatehouse-lab",
    abstract: "Demonstrations, benchmarks and test documents for Gatehouse.",
    subcommands: [Demo.self, SpecimenCommand.self, ReadScreens.self, BenchCommand.self])
}
