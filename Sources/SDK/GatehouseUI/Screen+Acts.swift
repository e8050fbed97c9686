// SPDX-License-Identifier: Apache-2.0

public import Foundation

/// What a person does on a screen, by the ids of its elements. It is what a terminal and a test do instead of touching.
extension Screen {
  /// - Returns: the event of the button, row, tab or way back with this id; nil when the screen has no
  ///   such element that can be used.
  public func press(_ id: String) -> Event? {
    if let back, back.id == id { return back.isEnabled ? back.event : nil }
    for element in elements {
      switch element {
      case .button(let button) where button.id == id: return button.isEnabled ? button.event : nil
      case .row(let row) where row.id == id: return row.event
      case .toggle(let toggle) where toggle.id == id: return toggle.isEnabled ? toggle.turned(!toggle.isOn) : nil
      default: continue
      }
    }
    return tabs.first { $0.id == id }?.event
  }

  /// - Returns: the event of typing into the input with this id.
  public func type(_ text: String, into id: String) -> Event? {
    for case .input(let input) in elements where input.id == id { return input.isEnabled ? input.typed(text) : nil }
    return nil
  }

  /// - Returns: the event of a code in front of the camera.
  public func scan(_ text: String) -> Event? {
    for case .scanner(let scanner) in elements { return scanner.scanned(text) }
    return nil
  }

  /// - Returns: the event of what the camera measures.
  public func see(_ reading: CameraReading) -> Event? {
    for case .camera(let camera) in elements { return camera.seen(reading) }
    return nil
  }

  /// - Parameter picture: the bytes of a JPEG or PNG file.
  /// - Returns: the event of taking a picture.
  public func photograph(_ picture: Data) -> Event? {
    for case .camera(let camera) in elements { return camera.taken(picture) }
    return nil
  }

  /// - Parameter address: where the other party's page went; nil leaves the page.
  /// - Returns: nil also for an address that is not the end.
  public func endPage(_ address: String?) -> Event? {
    for case .page(let page) in elements {
      if let address, !page.isEnd(address) { return nil }
      return page.ended(address)
    }
    return nil
  }

  /// The ids of everything that can be used now.
  public var usable: [String] {
    let own = elements.compactMap { element -> String? in
      switch element {
      case .button(let button): button.isEnabled ? button.id : nil
      case .row(let row): row.event == nil ? nil : row.id
      case .toggle(let toggle): toggle.isEnabled ? toggle.id : nil
      case .input(let input): input.isEnabled ? input.id : nil
      case .scanner: "scan"
      case .camera: "camera"
      case .page: "page"
      default: nil
      }
    }
    return (back.map { [$0.id] } ?? []) + own + tabs.map(\.id)
  }

  /// What an assistive technology reads, in its order.
  public var spoken: [String] {
    let own = elements.map { element in
      switch element {
      case .text(let text, _), .progress(let text): text
      case .fact(let label, let value): "\(label), \(value)"
      case .copyable(let copyable): "\(copyable.label), \(copyable.value), \(copyable.action)"
      case .html(let html): HTMLText.words(html)
      case .input(let input): input.label + (input.problem.isEmpty ? "" : ", \(input.problem)")
      case .toggle(let toggle): toggle.title
      case .button(let button): button.hint.isEmpty ? button.title : "\(button.title), \(button.hint)"
      case .row(let row): row.spoken
      case .countdown(let countdown): "\(countdown.label), \(countdown.secondsLeft)"
      case .scanner(let scanner): scanner.label
      case .camera(let camera): "\(camera.label), \(camera.hint)"
      case .picture(let picture): picture.label
      case .page(let page): page.address
      }
    }
    return [title] + own + (back.map { [$0.title] } ?? []) + tabs.map(\.title)
  }
}
