// SPDX-License-Identifier: Apache-2.0

public import GatehouseUI
public import OnboardingScreens
internal import RubixOnboarding

extension FormScreen {
  /// What is shown; the way back is the app's.
  public func screen(_ texts: OnboardingTexts) -> Screen<Event> {
    let shown = template.sections.indices.filter { isShown($0, texts) }
    let section = section
    let page = (shown.firstIndex(of: place) ?? 0) + 1
    let heading = (texts.language == .arabic ? section.nameArabic : nil) ?? section.name
    var elements: [ScreenElement<Event>] = [
      .text(texts[.formPage, ["page": String(page), "pages": String(shown.count)]], .note), .text(heading, .heading),
    ]
    if let problem = problems[""] { elements.append(.text(problem, .problem)) }
    for row in 0..<count(section) {
      let number = ["number": String(row + 1)]
      if count(section) > 1 { elements.append(.text(texts[.formRow, number], .heading)) }
      for question in section.questions {
        for field in fields(of: question, in: section, row, texts) { elements += self.elements(field, texts) }
      }
      if count(section) > 1 {
        elements.append(
          .button(
            ScreenButton(
              "remove-\(row + 1)", texts[.formRemoveRow, number], role: .destructive, isEnabled: !isSubmitting,
              .removeRow(row))))
      }
    }
    if let max = section.repeatsMax, count(section) < max {
      elements.append(.button(ScreenButton("add", texts[.formAddRow], isEnabled: !isSubmitting, .addRow)))
    }
    let isLast = shown.last == place
    elements.append(
      isSubmitting
        ? .progress(texts[.formSubmitting])
        : .button(
          ScreenButton("next", texts[isLast ? .formSubmit : .actionContinue], role: .primary, Event.next)))
    let state = isSubmitting ? "-submitting" : problems.isEmpty ? "" : "-again"
    return Screen(id: "form.\(form.rawValue).\(section.id)\(state)", title: title(texts), elements: elements)
  }

  private func title(_ texts: OnboardingTexts) -> String {
    switch form {
    case .crs: texts[.formCRS]
    case .fatca: texts[.formFATCA]
    case .kyc: texts[.formKYC]
    default: texts[.formOther]
    }
  }

  private func elements(_ field: FormField, _ texts: OnboardingTexts) -> [ScreenElement<Event>] {
    let (key, value, problem) = (field.key, values[field.key] ?? "", problems[field.key] ?? "")
    func input(_ kind: ScreenInputKind) -> ScreenElement<Event> {
      .input(
        ScreenInput(key, field.label, kind: kind, value: value, problem: problem, isEnabled: !isSubmitting) {
          .typed($0, key: key)
        })
    }
    switch field.kind {
    case .text, .unknown: return [input(.text)]
    case .date: return [input(.date)]
    case .country:
      return [input(.text)]
        + countries.suggestions(value.trimmed, texts.language).map { country in
          let event = Event.typed(country.name, key: key)
          return .row(ScreenRow("\(key)=\(country.code)", country.name, isSubmitting ? nil : event))
        }
    case .yesNo:
      let options = [("true", texts[.answerYes]), ("false", texts[.answerNo])]
      return choices(field, options, [value], texts)
    case .choice(let options): return choices(field, named(options, texts), [value], texts)
    case .multi(let options, _): return choices(field, named(options, texts), FormField.chosen(value), texts)
    }
  }

  private func named(_ options: [ComplianceTemplate.Option], _ texts: OnboardingTexts) -> [(String, String)] {
    options.map { ($0.id, (texts.language == .arabic ? $0.nameArabic : nil) ?? $0.name) }
  }

  private func choices(
    _ field: FormField, _ options: [(id: String, name: String)], _ chosen: [String], _ texts: OnboardingTexts
  ) -> [ScreenElement<Event>] {
    let problem = problems[field.key].map { [ScreenElement<Event>.text($0, .problem)] } ?? []
    return [.text(field.label, .body)] + problem
      + options.map { option in
        .row(
          ScreenRow(
            "\(field.key)=\(option.id)", option.name, badge: chosen.contains(option.id) ? texts[.chosen] : "",
            isSubmitting ? nil : .chosen(option.id, key: field.key)))
      }
  }
}
