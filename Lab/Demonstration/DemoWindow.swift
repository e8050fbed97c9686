// SPDX-License-Identifier: Apache-2.0

import Foundation
import GatehouseApp

/// Debian's Chromium without a window, where it is installed: a page with its scripts.
struct DemoWindow: Sendable {
  private static let program = ["chromium", "chromium-browser", "google-chrome"].map { "/usr/bin/\($0)" }
  /// Seconds.
  private static let patience = "60"

  private let program: String
  /// What it keeps goes here.
  private let profile: String

  /// Nil without one.
  init?(profile: String) {
    guard let program = Self.program.first(where: { FileManager.default.isExecutableFile(atPath: $0) }) else {
      return nil
    }
    (self.program, self.profile) = (program, profile)
  }

  /// What the page is after its scripts ran.
  func page(_ address: String) throws -> String {
    let (process, output) = (Process(), Pipe())
    process.executableURL = URL(fileURLWithPath: "/usr/bin/timeout")
    process.arguments = [
      Self.patience, program, "--headless=new", "--no-sandbox", "--disable-gpu", "--no-first-run",
      "--disable-dev-shm-usage", "--user-data-dir=\(profile)", "--window-size=390,844", "--dump-dom", address,
    ]
    process.standardOutput = output
    process.standardError = FileHandle.nullDevice
    try process.run()
    let data = output.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    return String(decoding: data, as: UTF8.self)
  }
}
