// SPDX-License-Identifier: Apache-2.0

import Foundation

/// A PKCS#11 token in software, SoftHSM's, in a folder of its own. One a process: its module reads where tokens are once.
package enum SoftToken {
  package static let missing = "SoftHSM is not installed: apt-get install softhsm2"
  package static let (label, pin) = ("gatehouse-test", "1234")

  /// The module, with an empty token; nil without SoftHSM.
  package static let module: String? = {
    guard let module = modules.first(where: FileManager.default.fileExists(atPath:)), let folder else { return nil }
    let configuration = folder.file("softhsm2.conf")
    let tokens = folder.file("tokens")
    try? FileManager.default.createDirectory(atPath: tokens, withIntermediateDirectories: true)
    guard (try? Data("directories.tokendir = \(tokens)\n".utf8).write(to: folder.url("softhsm2.conf"))) != nil
    else { return nil }
    setenv("SOFTHSM2_CONF", configuration, 1)
    let process = ChildProcess()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments = [
      "softhsm2-util", "--init-token", "--free", "--label", label, "--pin", pin, "--so-pin", "5678",
    ]
    process.environment = ProcessInfo.processInfo.environment.merging(["SOFTHSM2_CONF": configuration]) { $1 }
    process.standardOutput = FileHandle.nullDevice
    guard (try? process.run()) != nil else { return nil }
    process.waitUntilExit()
    return process.terminationStatus == 0 ? module : nil
  }()

  /// Lives as long as the process.
  private static let folder = try? TestFolder()
  private static let modules = [
    "/usr/lib/softhsm/libsofthsm2.so", "/usr/lib/x86_64-linux-gnu/softhsm/libsofthsm2.so",
    "/usr/lib/aarch64-linux-gnu/softhsm/libsofthsm2.so",
  ]
}
