// SPDX-License-Identifier: Apache-2.0

/// Something that can be decided, as a form of the case page.
struct CaseFormView {
  struct Hidden {
    let name: String
    let value: String
  }

  struct Option {
    let code: String
    /// What its words begin with, so that a digit chooses it; nil after the ninth.
    let number: String?
    let label: Phrase
    let isOn: Bool
  }

  struct Control {
    let name: String
    let label: Phrase
    let isRequired: Bool
    let isChoice: Bool
    let options: [Option]
    let (isTick, isTicked): (Bool, Bool)
    /// What was filled in before it was refused; empty for nothing.
    let value: String
    /// Of one line; nil for other controls.
    let lineMax: String?
    /// Of several lines; nil for other controls.
    let wordsMax: String?
  }

  struct Verdict {
    let code: String
    let label: Phrase
    /// The key that gives it, with the browser's own modifier; nil after the ninth.
    let key: String?
    let isRefusal: Bool
  }

  let code: String
  let title: Phrase
  let isFinal: Bool
  let hidden: [Hidden]
  let controls: [Control]
  let verdicts: [Verdict]

  /// - Parameter first: the number of the first verdict on the page.
  private init(_ form: CaseDetails.Form, first: Int, refused answer: CaseAnswer?) {
    (code, title, isFinal) = (form.code, form.title, form.isFinal)
    hidden = form.hidden.sorted { $0.key < $1.key }.map { Hidden(name: CaseAnswer.name(of: $0.key), value: $0.value) }
    controls = form.controls.map { Control($0, answer?.form == form.code ? answer?[$0.name] ?? "" : "") }
    verdicts = form.verdicts.enumerated().map { number, verdict in
      Verdict(
        code: verdict.code, label: verdict.label, key: first + number <= 9 ? "\(first + number)" : nil,
        isRefusal: verdict.isRefusal)
    }
  }

  /// Verdicts are numbered over all forms of the page.
  /// - Parameter answer: one that was refused, so that it is not typed again; nil without one.
  static func all(_ forms: [CaseDetails.Form], refused answer: CaseAnswer?) -> [CaseFormView] {
    var next = 1
    return forms.map { form in
      defer { next += form.verdicts.count }
      return CaseFormView(form, first: next, refused: answer)
    }
  }
}

extension CaseFormView.Control {
  init(_ control: CaseDetails.Control, _ value: String) {
    self.value = value
    (name, label, isRequired) = (CaseAnswer.name(of: control.name), control.label, control.isRequired)
    var (choices, tick, line, words): ([CaseFormView.Option]?, Bool, Int?, Int?) = (nil, false, nil, nil)
    switch control.kind {
    case .choice(let options):
      choices = options.enumerated().map { place, option in
        CaseFormView.Option(
          code: option.code, number: place < 9 ? "\(place + 1)" : nil, label: option.label,
          isOn: option.code == value)
      }
    case .tick: tick = true
    case .line(let most): line = most
    case .words(let most): words = most
    }
    (isChoice, options, isTick, isTicked) = (choices != nil, choices ?? [], tick, !value.isEmpty)
    (lineMax, wordsMax) = (line.map(String.init), words.map(String.init))
  }
}
