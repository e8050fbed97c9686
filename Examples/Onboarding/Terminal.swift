import Foundation
import GatehouseUI
import OnboardingUI
import RubixOnboarding

/// Shows screens as text and does what lines say.
@MainActor
struct Terminal {
  /// How long a call may take before the screen is printed as it stands, and how long `wait` waits.
  private static let callMax = Duration.seconds(60)
  private static let waitMax = Duration.seconds(120)
  private static let pictureBytesMax = 20_000_000

  private let driver: ScreenDriver<RubixScreens>
  private let clock = ClientClock.live

  init(_ choices: SampleChoices) throws {
    let folder = URL(fileURLWithPath: choices.folder)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    let store = try SealedFileStore(file: folder.appending(path: "app"), keyFile: folder.appending(path: "key"))
    let onboarding = RubixOnboarding(
      baseURL: choices.bank, tenant: choices.tenant, tokenStore: SecureTokenStore(store))
    let ports = RubixPorts { address in say("Opens \(address.absoluteString)\n") }
    let device = RubixDevice(
      id: try Self.deviceID(in: folder), appVersion: "1.0", osVersion: "Linux", model: "Terminal")
    let performer = RubixPerformer(onboarding, device: device, language: choices.language, ports: ports)
    driver = ScreenDriver(RubixScreens(language: choices.language, documents: Self.documents, needsEmail: true)) {
      await performer.perform($0, $1)
    }
  }

  /// What the sample's customer agrees to; an institution has its own texts.
  private static let documents = [
    ConsentDocument(
      code: .terms, version: "2026-01", title: "Terms of the onboarding",
      text: "The bank checks your documents and your details before it opens an account."),
    ConsentDocument(
      code: .biometrics, version: "2026-01", title: "Pictures of your face",
      text: "The bank compares pictures of your face with the picture on your document."),
  ]

  /// Chosen once per folder.
  private static func deviceID(in folder: URL) throws -> String {
    let file = folder.appending(path: "device")
    if let kept = try? String(contentsOf: file, encoding: .utf8), !kept.isEmpty { return kept }
    let id = ClientRandomness.live.uuid().uuidString.lowercased()
    try Data(id.utf8).write(to: file, options: .atomic)
    return id
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
    case "photo":
      let file = URL(fileURLWithPath: rest)
      guard let picture = try? Data(contentsOf: file), picture.count <= Self.pictureBytesMax else {
        return "This picture cannot be read."
      }
      return send(screen.photograph(picture), "No camera is shown.")
    case "see":
      guard let reading = Self.reading(rest) else { return "It is: see whole 0.8 0.9 0.0" }
      return send(screen.see(reading), "No camera is shown.")
    case "wait":
      let isThere = await wait(Self.waitMax) { $0.id == rest || $0.usable.contains(rest) }
      return isThere ? nil : "It did not come: \(rest)."
    default: return "The commands are press, type, photo, see, wait, show and quit."
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

  private func send(_ event: RubixEvent?, _ complaint: String) -> String? {
    guard let event else { return complaint }
    driver.send(event)
    return nil
  }

  private func screen() -> Screen<RubixEvent> {
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
  private func wait(_ limit: Duration, until isSo: (Screen<RubixEvent>) -> Bool) async -> Bool {
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
