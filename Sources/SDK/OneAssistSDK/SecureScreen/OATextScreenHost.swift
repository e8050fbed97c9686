// SPDX-License-Identifier: Apache-2.0

/// The secure screen as text, for terminals and tests.
@MainActor
public final class OATextScreenHost: OASecureScreenHost {
  private let write: @Sendable (String) -> Void
  private var events: (@Sendable (OASecureScreenEvent) -> Void)?

  /// What is on the screen; nil while nothing is shown.
  public private(set) var content: OASecureScreenContent?

  /// - Parameter write: gets the text of the screen whenever it changes.
  public nonisolated init(write: @escaping @Sendable (String) -> Void = { print($0) }) { self.write = write }

  /// The way back that the screen offers.
  public func close() { events?(.closed) }

  /// Tells what happened elsewhere.
  public func happened(_ event: OASecureScreenEvent) { events?(event) }

  /// Shows the screen.
  public func present(_ content: OASecureScreenContent, events: @escaping @Sendable (OASecureScreenEvent) -> Void) {
    self.events = events
    update(content)
  }

  /// Shows something else on it.
  public func update(_ content: OASecureScreenContent) {
    self.content = content
    write(Self.text(content))
  }

  /// Takes the screen away.
  public func dismiss() async { (content, events) = (nil, nil) }

  /// Every line of the screen.
  public nonisolated static func text(_ content: OASecureScreenContent) -> String {
    let numbers = content.imeis.enumerated().map { "IMEI\($0.offset == 0 ? "" : " 2")  \($0.element)" }
    let code = content.code.map { ["\($0)   \(content.hint ?? "")"] } ?? (numbers.isEmpty ? [] : ["…"])
    return (numbers + code).joined(separator: "\n")
  }
}
