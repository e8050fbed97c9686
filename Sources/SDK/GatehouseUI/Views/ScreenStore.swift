// SPDX-License-Identifier: Apache-2.0

#if canImport(SwiftUI)
  public import SwiftUI

  /// What a view of SwiftUI observes: the machine of a driver, as it stands.
  @MainActor
  public final class ScreenStore<Machine: ScreenMachine>: ObservableObject {
    /// As it stands.
    @Published public private(set) var machine: Machine
    private let driver: ScreenDriver<Machine>

    /// - Parameter driver: of one store only.
    public init(_ driver: ScreenDriver<Machine>) {
      (machine, self.driver) = (driver.machine, driver)
      driver.changed = { [weak self, weak driver] in
        guard let self, let driver else { return }
        self.machine = driver.machine
      }
    }

    /// Takes an event in.
    public func send(_ event: Machine.Event) { driver.send(event) }
  }
#endif
