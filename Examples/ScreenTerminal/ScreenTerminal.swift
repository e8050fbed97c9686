// SPDX-License-Identifier: Apache-2.0

package import Foundation
package import GatehouseUI
internal import GatehouseTransport
internal import GatehouseWire

/// Prints at once, into a pipe too.
package func say(_ text: String) { try? FileHandle.standardOutput.write(contentsOf: Data(text.utf8)) }

/// Shows the screens of an app as text and does what lines say.
@MainActor
package struct ScreenTerminal<Machine: ScreenFlow> {
  /// What a line does that only one of the apps knows.
  package enum Act {
    case event(Machine.Event)
    /// Why it cannot be done.
    case complaint(String)
  }

  /// How long a call may take before the screen is printed as it stands, and how long `wait` waits.
  private static var callMax: Duration { .seconds(60) }
  private static var waitMax: Duration { .seconds(120) }
  /// Bytes of a file with a picture.
  private static var pictureMax: Int { 20_000_000 }

  /// What the lines do, for the usage of a program.
  package static var usage: String {
    """
    Lines of the input:
      press ID         presses a button, a row, a switch or a tab, or goes back
      type ID TEXT     types into a field
      photo FILE       takes a picture, PNG or JPEG, where a camera is shown
      see SUBJECT EXTENT SHARPNESS GLARE
                       tells the screen what the camera measures: missing, cut or whole, and three numbers from 0 to 1
      end ADDRESS      the other party's page went to this address
      leave            leaves that page
      wait ID          waits until ID can be used, or until the screen is called so
      show             prints the screen again
      quit             ends the program
    """
  }

  private let driver: ScreenDriver<Machine>
  private let more: [String: @MainActor (String, Screen<Machine.Event>) -> Act]
  private let clock = ClientClock.live

  /// - Parameters:
  ///   - driver: runs the screens; nothing was sent to it yet.
  ///   - more: commands of this app alone, each with what follows its word on the line.
  package init(
    _ driver: ScreenDriver<Machine>, more: [String: @MainActor (String, Screen<Machine.Event>) -> Act] = [:]
  ) { (self.driver, self.more) = (driver, more) }

  /// Runs until the input ends or says `quit`.
  /// - Parameter first: begins everything.
  package func run(_ first: Machine.Event) async {
    driver.send(first)
    await settle()
    show()
    for await line in Self.lines() {
      let words = line.split(separator: " ", maxSplits: 1).map(String.init)
      guard let command = words.first else { continue }
      if command == "quit" { break }
      if let complaint = await obey(command, words.count > 1 ? words[1] : "") {
        say("? \(complaint)\n")
      } else {
        await settle()
        show()
      }
    }
    driver.stop()
  }

  /// A picture from a file; nil when the file is missing or too large.
  package static func picture(_ path: String) -> Data? {
    (try? Data(contentsOf: URL(fileURLWithPath: path))).flatMap { $0.count <= pictureMax ? $0 : nil }
  }

  /// - Returns: why it was not done; nil when it was.
  private func obey(_ command: String, _ rest: String) async -> String? {
    let screen = screen()
    switch command {
    case "show": return nil
    case "press": return send(screen.press(rest), "Nothing here is called \(rest).")
    case "type":
      let parts = rest.split(separator: " ", maxSplits: 1).map(String.init)
      guard let id = parts.first else { return "Into which field?" }
      return send(screen.type(parts.count > 1 ? parts[1] : "", into: id), "No field here is called \(id).")
    case "photo":
      guard let picture = Self.picture(rest) else { return "This picture cannot be read." }
      return send(screen.photograph(picture), "No camera is shown.")
    case "see":
      guard let reading = Self.reading(rest) else { return "It is: see whole 0.8 0.9 0.0" }
      return send(screen.see(reading), "No camera is shown.")
    case "end": return send(screen.endPage(rest), "No page is shown, or this is not its end.")
    case "leave": return send(screen.endPage(nil), "No page is shown.")
    case "wait":
      let isThere = await wait(Self.waitMax) { $0.id == rest || $0.usable.contains(rest) }
      return isThere ? nil : "It did not come: \(rest)."
    default:
      switch more[command]?(rest, screen) {
      case .event(let event)?: return send(event, "")
      case .complaint(let complaint)?: return complaint
      case nil:
        let all = ["press", "type", "photo", "see", "end", "leave", "wait"] + more.keys.sorted()
        return "The commands are \(all.joined(separator: ", ")), show and quit."
      }
    }
  }

  private static func reading(_ text: String) -> CameraReading? {
    let words = text.split(separator: " ").map(String.init)
    let numbers = words.dropFirst().compactMap { Double($0) }
    guard let subject = words.first.flatMap({ CameraReading.Subject(rawValue: $0) }),
      numbers.count == words.count - 1, numbers.count <= 3
    else { return nil }
    let padded = numbers + Array(repeating: 0, count: 3 - numbers.count)
    return CameraReading(subject: subject, extent: padded[0], sharpness: padded[1], glare: padded[2])
  }

  private func send(_ event: Machine.Event?, _ complaint: String) -> String? {
    guard let event else { return complaint }
    driver.send(event)
    return nil
  }

  private func screen() -> Screen<Machine.Event> {
    driver.machine.screen(
      in: ScreenContext(
        language: driver.machine.language,
        now: WireInstant(millisecondsSince1970: Int64(clock.wallTime() * 1000))
      ) { String($0.description.prefix(10)) })
  }

  private func show() {
    let screen = screen()
    say("=== \(screen.id)\n\(screen.text())\n")
  }

  /// Waits for the calls whose end the screen waits for.
  private func settle() async {
    _ = await wait(Self.callMax) { screen in
      !screen.elements.contains { if case .progress = $0 { true } else { false } }
    }
  }

  /// - Returns: whether it came to be so in time.
  private func wait(_ limit: Duration, until isSo: (Screen<Machine.Event>) -> Bool) async -> Bool {
    let end = clock.uptime() + limit
    let alarm = Task {
      try? await clock.pause(for: limit)
      driver.wake()
    }
    defer { alarm.cancel() }
    while !isSo(screen()) {
      guard clock.uptime() < end else { return false }
      await driver.next()
    }
    return true
  }

  /// The lines of the input. A thread of their own reads them, since reading blocks.
  private static func lines() -> AsyncStream<String> {
    AsyncStream { continuation in
      Thread.detachNewThread {
        while let line = readLine() { continuation.yield(line) }
        continuation.finish()
      }
    }
  }
}
