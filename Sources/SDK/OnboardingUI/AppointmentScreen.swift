// SPDX-License-Identifier: Apache-2.0

public import GatehouseUI
public import OnboardingScreens
public import RubixOnboarding

/// Choosing the time of a call: first the day, then the time.
public struct AppointmentScreen: Sendable, Equatable {
  /// The events that the view model of this screen handles.
  public enum Event: Sendable {
    /// The first time of a day.
    case day(WireInstant)
    case time(WireInstant)
    case otherDay
    case reload
  }

  /// Free times, in order.
  public let slots: [Slot]
  /// The first time of the day that was chosen.
  public private(set) var day: WireInstant?
  /// Whether a time is being booked.
  public private(set) var isBooking = false
  /// Whether the time that was chosen had gone.
  public let isTaken: Bool

  /// - Parameter isTaken: the time that was chosen had gone.
  public init(_ slots: [Slot], isTaken: Bool = false) { (self.slots, self.isTaken) = (slots, isTaken) }

  /// Takes an event in.
  public mutating func handle(_ event: Event) -> [RubixEffect] {
    guard !isBooking else { return [] }
    switch event {
    case .day(let start): if slots.contains(where: { $0.start == start }) { day = start }
    case .otherDay: day = nil
    case .time(let start):
      guard slots.contains(where: { $0.start == start }) else { return [] }
      isBooking = true
      return [.book(start)]
    case .reload: return [.loadSlots]
    }
    return []
  }

  /// What is shown.
  public func screen(_ texts: OnboardingTexts, in context: ScreenContext) -> Screen<Event> {
    var elements: [ScreenElement<Event>] = isTaken ? [.text(texts[.appointmentTaken], .problem)] : []
    var state = "days"
    if isBooking {
      (state, elements) = ("times.booking", [.progress(texts[.appointmentBooking])])
    } else if slots.isEmpty {
      state = "none"
      elements += [
        .text(texts[.appointmentNone], .body),
        .button(ScreenButton("reload", texts[.waitingLook], role: .primary, .reload)),
      ]
    } else if let day {
      state = "times"
      let name = context.dateText(day)
      elements += [.text(name, .heading)]
      for slot in slots where context.dateText(slot.start) == name {
        let time = context.timeText(slot.start)
        elements.append(.row(ScreenRow("time-\(slot.start.description)", time, .time(slot.start))))
      }
      elements.append(.button(ScreenButton("other-day", texts[.appointmentOtherDay], .otherDay)))
    } else {
      elements.append(.text(texts[.appointmentText], .body))
      var names: [String] = []
      for slot in slots where !names.contains(context.dateText(slot.start)) {
        names.append(context.dateText(slot.start))
        elements.append(.row(ScreenRow("day-\(names.count)", names[names.count - 1], .day(slot.start))))
      }
    }
    return Screen(
      id: "appointment.\(state)\(isTaken ? "-again" : "")", title: texts[.appointmentTitle], elements: elements)
  }
}
