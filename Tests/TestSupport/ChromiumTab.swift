// SPDX-License-Identifier: Apache-2.0

import Foundation
import Glibc

/// A tab of a Chromium without a window, told what to do through its debugging pipe (Chrome DevTools Protocol).
package final class ChromiumTab {
  package struct Failed: Error, CustomStringConvertible {
    package let description: String
  }

  /// Milliseconds for one answer, and between two looks at a condition of the page.
  private static let (answerMax, lookPause): (Int32, Int32) = (30_000, 20)
  private static let looksMax = 1500

  private let process = ChildProcess()
  private let (commands, answers): (Int32, Int32)
  private var unread = Data()
  private var (lastID, session) = (0, "")

  /// A camera and a microphone that make pictures and tones by themselves, and may be used.
  package static let fakeCamera = ["--use-fake-device-for-media-stream", "--use-fake-ui-for-media-stream"]

  /// - Parameters:
  ///   - flags: beside those of every tab.
  ///   - folder: for its profile and its pipes.
  package init(width: Int, height: Int, flags: [String] = [], in folder: TestFolder) throws {
    guard let program = Chromium.program else { throw Failed(description: Chromium.missing) }
    let paths = ["commands", "answers"].map { folder.file("\($0)-\(UUID().uuidString)") }
    for path in paths { guard mkfifo(path, 0o600) == 0 else { throw Failed(description: "no pipe") } }
    // Opened for both, neither end waits for the other.
    (commands, answers) = (Glibc.open(paths[0], O_RDWR | O_CLOEXEC), Glibc.open(paths[1], O_RDWR | O_CLOEXEC))
    process.executableURL = URL(fileURLWithPath: "/bin/bash")
    process.arguments =
      ["-c", #"exec 3<"$1" 4>"$2"; shift 2; exec "$@""#, "bash"] + paths + [
        program, "--headless=new", "--no-sandbox", "--disable-gpu", "--hide-scrollbars", "--no-first-run",
        "--disable-dev-shm-usage", "--remote-debugging-pipe", "--user-data-dir=\(folder.file("profile"))",
      ] + flags
    (process.standardOutput, process.standardError) = (FileHandle.nullDevice, FileHandle.nullDevice)
    try process.run()
    let target = try send("Target.createTarget", ["url": "about:blank"])["targetId"] as? String ?? ""
    session =
      try send("Target.attachToTarget", ["targetId": target, "flatten": true])["sessionId"] as? String ?? ""
    _ = try send(
      "Emulation.setDeviceMetricsOverride",
      ["width": width, "height": height, "deviceScaleFactor": 1, "mobile": true])
    _ = try send("Page.enable")
  }

  /// Threads of tests block SIGTERM, and a child begins with what they block. Should the tests die first, Chromium ends
  /// with its pipe.
  deinit {
    kill(process.processIdentifier, SIGKILL)
    process.waitUntilExit()
    close(commands)
    close(answers)
  }

  /// Loads a page, and waits until it is there with its scripts.
  package func open(_ address: String) throws {
    _ = try send("Page.navigate", ["url": address])
    try wait(for: "document.readyState === 'complete' && location.href !== 'about:blank'")
  }

  /// Runs a script in each page that is loaded from now on, before those of the page.
  package func prepare(_ script: String) throws {
    _ = try send("Page.addScriptToEvaluateOnNewDocument", ["source": script])
  }

  /// What an expression of the page's comes to, as text; of a promise what it is kept with.
  @discardableResult
  package func evaluate(_ expression: String) throws -> String {
    let answer = try send(
      "Runtime.evaluate", ["expression": "(async () => String(await (\(expression))))()", "awaitPromise": true])
    if let details = answer["exceptionDetails"] { throw Failed(description: "\(details)") }
    return (answer["result"] as? [String: Any])?["value"] as? String ?? ""
  }

  /// Asks anew each time: a page that another one replaces takes its promises with it.
  package func wait(for condition: String) throws {
    for _ in 0..<Self.looksMax {
      let answer = try? send("Runtime.evaluate", ["expression": "String(\(condition))"])
      if (answer?["result"] as? [String: Any])?["value"] as? String == "true" { return }
      poll(nil, 0, Self.lookPause)
    }
    throw Failed(description: "it never came that \(condition)")
  }

  /// Picks a file for an input, as the user does in the system's dialog.
  package func pick(_ file: String, for selector: String) throws {
    let document = try send("DOM.getDocument")["root"] as? [String: Any]
    let found = try send("DOM.querySelector", ["nodeId": document?["nodeId"] ?? 0, "selector": selector])
    _ = try send("DOM.setFileInputFiles", ["files": [file], "nodeId": found["nodeId"] ?? 0])
  }

  /// Presses a key, as the user does: Enter, Tab, or what has a character.
  /// - Parameter alt: with the browser's modifier for access keys.
  package func press(_ key: String, alt: Bool = false) throws {
    let named: [String: (code: Int, text: String)] = ["Enter": (13, "\r"), "Tab": (9, "")]
    let (code, text) = named[key] ?? (Int(key.uppercased().unicodeScalars.first?.value ?? 0), key)
    let event: [String: Any] = [
      "key": key, "modifiers": alt ? 1 : 0, "windowsVirtualKeyCode": code, "unmodifiedText": text,
      "text": alt ? "" : text,
    ]
    for type in ["keyDown", "keyUp"] { _ = try send("Input.dispatchKeyEvent", event.merging(["type": type]) { $1 }) }
  }

  /// Gives the browser an authenticator of its own, which keeps passkeys and says that it checked its person (Web
  /// Authentication, Level 3, §11).
  package func addAuthenticator() throws {
    _ = try send("WebAuthn.enable")
    let options: [String: Any] = [
      "protocol": "ctap2", "transport": "internal", "hasResidentKey": true, "hasUserVerification": true,
      "isUserVerified": true, "automaticPresenceSimulation": true,
    ]
    _ = try send("WebAuthn.addVirtualAuthenticator", ["options": options])
  }

  /// The screen as PNG.
  package func screenshot() throws -> Data {
    let picture = try send("Page.captureScreenshot", ["captureBeyondViewport": true])["data"] as? String
    return picture.flatMap { Data(base64Encoded: $0) } ?? Data()
  }

  // MARK: The pipe

  private func send(_ method: String, _ parameters: [String: Any] = [:]) throws -> [String: Any] {
    lastID += 1
    var message: [String: Any] = ["id": lastID, "method": method, "params": parameters]
    if !session.isEmpty { message["sessionId"] = session }
    var bytes = [UInt8](try JSONSerialization.data(withJSONObject: message)) + [0]
    while !bytes.isEmpty {
      let count = write(commands, bytes, bytes.count)
      guard count > 0 else { throw Failed(description: "the pipe is broken") }
      bytes.removeFirst(count)
    }
    while true {
      let answer = try next()
      guard answer["id"] as? Int == lastID else { continue }
      if let error = answer["error"] { throw Failed(description: "\(method): \(error)") }
      return answer["result"] as? [String: Any] ?? [:]
    }
  }

  private func next() throws -> [String: Any] {
    while true {
      if let end = unread.firstIndex(of: 0) {
        let message = unread[unread.startIndex..<end]
        unread = Data(unread[unread.index(after: end)...])
        return try JSONSerialization.jsonObject(with: message) as? [String: Any] ?? [:]
      }
      var waiting = pollfd(fd: answers, events: Int16(POLLIN), revents: 0)
      guard poll(&waiting, 1, Self.answerMax) > 0 else { throw Failed(description: "Chromium does not answer") }
      var buffer = [UInt8](repeating: 0, count: 64 * 1024)
      let count = read(answers, &buffer, buffer.count)
      guard count > 0 else { throw Failed(description: "the pipe is broken") }
      unread.append(contentsOf: buffer[..<count])
    }
  }
}
