import AuthenticatorUI
import Evidence
import Foundation
import GatehouseUI
import SaltEdgeAuthenticator

/// Shows screens as text and does what lines say.
@MainActor
struct Terminal {
  /// How long a call may take before the screen is printed as it stands, and how long `wait` waits.
  private static let callMax = Duration.seconds(30)
  private static let waitMax = Duration.seconds(60)
  /// Of a picture with a code.
  private static let pictureBytesMax = 20_000_000

  private let driver: ScreenDriver<AuthenticatorScreens>
  private let clock = ClientClock.live

  init(_ choices: SampleChoices) throws {
    let folder = URL(fileURLWithPath: choices.folder)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    let languageFile = folder.appending(path: "language")
    let kept = (try? String(contentsOf: languageFile, encoding: .utf8)).map { ScreenLanguage(tag: $0) }
    let language = choices.language ?? kept ?? .english
    let desk = SignInDesk()
    var setup = AuthenticatorSetup(
      device: DeviceDescription(
        app: "AuthenticatorSample", version: "1.0", build: "1", model: "Terminal", system: "Linux"),
      signInPage: desk.page)
    setup.language = language.rawValue
    let authenticator = Authenticator(
      setup, store: try SealedFileStore(file: folder.appending(path: "app"), keyFile: folder.appending(path: "key")))
    let ports = AuthenticatorPorts(
      keepLanguage: { try? Data($0.rawValue.utf8).write(to: languageFile) },
      leave: { address in
        say(address.map { "Leaves to \($0.absoluteString)\n" } ?? "Leaves the app\n")
        exit(0)
      })
    let performer = AuthenticatorPerformer(authenticator, desk: desk, ports: ports)
    driver = ScreenDriver(AuthenticatorScreens(language: language, version: "1.0")) {
      await performer.perform($0, $1)
    }
  }

  func run() async {
    driver.send(.started)
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
    case "scan":
      guard let text = Self.code(in: rest) else { return "There is no code in this picture." }
      return send(screen.scan(text), "No camera is shown.")
    case "open":
      driver.send(.opened(.link(rest)))
      return nil
    case "end": return send(screen.endPage(rest), "No page is shown, or this is not its end.")
    case "leave": return send(screen.endPage(nil), "No page is shown.")
    case "wait":
      let isThere = await wait(Self.waitMax) { $0.id == rest || $0.usable.contains(rest) }
      return isThere ? nil : "It did not come: \(rest)."
    default: return "The commands are press, type, scan, open, end, leave, wait, show and quit."
    }
  }

  private func send(_ event: AuthenticatorEvent?, _ complaint: String) -> String? {
    guard let event else { return complaint }
    driver.send(event)
    return nil
  }

  private func screen() -> Screen<AuthenticatorEvent> {
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
  private func wait(
    _ limit: Duration, until isSo: (Screen<AuthenticatorEvent>) -> Bool
  ) async -> Bool {
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

  /// The text of the code in a picture.
  private static func code(in path: String) -> String? {
    guard let picture = try? Data(contentsOf: URL(fileURLWithPath: path)), picture.count <= pictureBytesMax else {
      return nil
    }
    return try? QRCode.text(in: picture)
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
