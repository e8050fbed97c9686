// SPDX-License-Identifier: Apache-2.0

public import GatehouseUI
internal import GatehouseWire
internal import OneAssistCore

extension OneAssistScreens {
  private typealias Element = ScreenElement<OneAssistEvent>

  /// What is shown, in the machine's language whatever the context's is.
  public func screen(in context: ScreenContext) -> Screen<OneAssistEvent> {
    let texts = ScreenTexts<OneAssistText>(language)
    var elements = problem.map { [Element.text(texts[$0], .problem)] } ?? []
    let title: OneAssistText
    switch stage {
    case .starting:
      (title, elements) = (.appTitle, [.progress(texts[.loading])])
    case .failed:
      title = .appTitle
      elements += acts(texts, .actionRetry, isReady: true)
    case .code:
      title = .codeTitle
      elements += [.text(texts[.codeText], .body), input(.code, .codeLabel, .code, texts)]
      elements += acts(texts, .actionContinue, isReady: isFilled(.code))
    case .device:
      title = .deviceTitle
      elements += [OneAssistText.deviceWay, .deviceShot, .deviceBack].map { .text(texts[$0], .body) }
      elements += [OneAssistText.hintWhole, .hintAll, .hintNew].map { .text(texts[$0], .note) }
      // Not under way by itself: the user goes to the settings and comes back, or gives up.
      elements.append(
        isBusy
          ? .button(ScreenButton("cancel", texts[.actionCancel], .cancel))
          : .button(ScreenButton("next", texts[.deviceRead], role: .primary, .next)))
    case .details:
      title = .detailsTitle
      if isNumberRead { elements.append(.text(texts[.deviceFound], .success)) }
      elements += [
        .text(texts[.detailsText], .body), input(.pincode, .detailsPincode, .digits, texts),
        input(.address, .detailsAddress, .text, texts),
      ]
      elements += acts(texts, .actionContinue, isReady: isFilled(.pincode) && isFilled(.address))
    case .link:
      title = .linkTitle
      if isLinkSent { elements.append(.text(texts[.linkSent], .success)) }
      elements += [.text(texts[.linkText], .body), input(.mobile, .linkMobile, .phone, texts)]
      elements += acts(texts, isLinkSent ? .linkAgain : .linkSend, isReady: isFilled(.mobile))
      if !isBusy {
        if canShow {
          elements += [
            .text(texts[.secureText], .body),
            .button(ScreenButton("show", texts[.secureOpen], hint: texts[.secureHint], .show)),
          ]
        }
        elements.append(.button(ScreenButton("look", texts[.actionLook], .look)))
      }
    case .secure:
      title = .secureTitle
      elements += [
        .text(texts[.secureIsOpen], .body), .button(ScreenButton("cancel", texts[.secureClose], .cancel)),
      ]
    case .membership:
      title = .membershipTitle
      elements += membership(texts, in: context)
    }
    return Screen(id: id, title: texts[title], elements: elements)
  }

  private var id: String {
    var id = stage.rawValue
    if stage == .link { id += (isLinkSent ? ".sent" : "") + (canShow ? ".screen" : "") }
    if stage == .membership, let card { id += ".\(card.status)" }
    return id + (isBusy && stage != .starting && stage != .secure ? ".busy" : problem == nil ? "" : ".again")
  }

  private func acts(_ texts: ScreenTexts<OneAssistText>, _ title: OneAssistText, isReady: Bool) -> [Element] {
    [
      isBusy
        ? .progress(texts[.loading])
        : .button(ScreenButton("next", texts[title], role: .primary, isEnabled: isReady, .next))
    ]
  }

  private func input(
    _ field: OneAssistEvent.Field, _ label: OneAssistText, _ kind: ScreenInputKind, _ texts: ScreenTexts<OneAssistText>
  ) -> Element {
    .input(
      ScreenInput(field.rawValue, texts[label], kind: kind, value: self[field], isEnabled: !isBusy) {
        .typed($0, field)
      })
  }

  private func membership(_ texts: ScreenTexts<OneAssistText>, in context: ScreenContext) -> [Element] {
    var elements: [Element] = []
    if let card {
      elements = [
        .fact(label: texts[.cardPlan], value: card.plan), .fact(label: texts[.cardDevice], value: card.device),
        .fact(label: texts[.cardStatus], value: texts[OneAssistText(card.status)]),
      ]
      for (label, day) in [(OneAssistText.cardFrom, card.from), (.cardTo, card.to)] {
        if let day { elements.append(.fact(label: texts[label], value: context.dateText(day))) }
      }
      if card.status == .pending { elements.append(.text(texts[.membershipWait], .body)) }
    }
    return elements + [isBusy ? .progress(texts[.loading]) : .button(ScreenButton("look", texts[.actionLook], .look))]
  }
}
